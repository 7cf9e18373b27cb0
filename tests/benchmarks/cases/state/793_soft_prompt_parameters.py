"""Soft prompts: scaling, casting or unwrapping a fresh Parameter leaves an ordinary tensor that no optimizer sees.

source: pytorch/pytorch#17484, shenweichen/DeepCTR-Torch#87 (same fault by .to); classes written from scratch
rules: [TL114]
"""
import torch
from torch import nn


class PromptBase(nn.Module):
    def __init__(self, dim: int = 4, vocab: int = 9):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim).requires_grad_(False)  # ok: TL114
        self.make_prompt(3, dim)

    def make_prompt(self, length: int, dim: int) -> None:
        raise NotImplementedError

    def forward(self, tokens):
        words = self.embed(tokens)
        prompt = self.prompt.to(words.dtype).expand(tokens.shape[0], -1, -1)
        return torch.cat([prompt, words], 1)


class ScaledPrompt(PromptBase):
    def make_prompt(self, length, dim):
        self.prompt = nn.Parameter(torch.randn(1, length, dim)) * 0.02  # expect: TL114


class HalfPrompt(PromptBase):
    def make_prompt(self, length, dim):
        self.prompt = nn.Parameter(torch.randn(1, length, dim)).half()  # expect: TL114


class UnwrappedPrompt(PromptBase):
    def make_prompt(self, length, dim):
        self.prompt = nn.Parameter(torch.empty(1, length, dim).uniform_(-0.5, 0.5)).data  # expect: TL114


class TrainablePrompt(PromptBase):
    def make_prompt(self, length, dim):
        self.prompt = nn.Parameter((torch.randn(1, length, dim) * 0.02).half())  # ok: TL114
        self.prompt.data = self.prompt.data.clamp(-0.05, 0.05)


class VocabularyPrompt(PromptBase):
    """Starts from rows of the word table."""

    def make_prompt(self, length, dim):
        rows = self.embed.weight.data[:length]
        self.prompt = nn.Parameter(rows.clone().unsqueeze(0)).requires_grad_(True)  # ok: TL114
        gate = nn.Parameter(torch.zeros(1, 1, dim))
        self.gate = gate  # ok: TL114

    def forward(self, tokens):
        return super().forward(tokens) * self.gate.exp()


def tuned(model: PromptBase) -> list[nn.Parameter]:
    return [p for p in model.parameters() if p.requires_grad]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    tokens = torch.tensor([[1, 2], [3, 4]])
    for cls, count in ((ScaledPrompt, 0), (HalfPrompt, 0), (UnwrappedPrompt, 0), (TrainablePrompt, 1), (VocabularyPrompt, 2)):
        model = cls()
        assert model(tokens).shape == (2, 5, 4)
        assert len(tuned(model)) == count, cls
        assert ("prompt" in model.state_dict()) is (count > 0), cls
    try:
        torch.optim.Adam(tuned(ScaledPrompt()), lr=0.1)
        raise AssertionError("an optimizer should refuse an empty list")
    except ValueError:
        pass
    model = TrainablePrompt()
    model(tokens).sum().backward()
    assert model.prompt.grad is not None
