"""What learned layers make of the first input is kept: neither other weights nor another input reach it any more."""

import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, vocab: int = 8, dim: int = 4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)

    def forward(self, tokens):
        return self.embed(tokens).mean(1)


class Prompts(nn.Module):
    def __init__(self):
        super().__init__()
        self.text = Tower()
        self.kept = None

    def classes(self, prompts):
        raise NotImplementedError

    @torch.no_grad()
    def forward(self, image, prompts):
        return image @ self.classes(prompts).T


class KeptOnce(Prompts):
    def classes(self, prompts):
        if self.kept is None:
            self.kept = self.text(prompts)  # expect: TL104
        return self.kept


class KeptByCount(Prompts):
    def classes(self, prompts):
        if self.kept is None or len(self.kept) != len(prompts):
            self.kept = self.text(prompts)  # expect: TL104
        return self.kept


class KeptForASession(Prompts):
    """Whoever uses it says when the value ends."""

    def begin(self):
        self.kept = None

    def classes(self, prompts):
        if self.kept is None:
            self.kept = self.text(prompts)  # ok: TL104
        return self.kept


class KeptUntilReset(Prompts):
    """The constructor is not the only one that may call it."""

    def __init__(self):
        super().__init__()
        self.reset()

    def reset(self):
        self.kept = None

    def classes(self, prompts):
        if self.kept is None:
            self.kept = self.text(prompts)  # ok: TL104
        return self.kept


class FirstSeen(Prompts):
    """The input alone is kept, as what the session is about: nothing learned goes stale in it."""

    def classes(self, prompts):
        if self.kept is None:
            self.kept = prompts.float()  # ok: TL104
        return self.kept @ self.kept.new_ones(prompts.shape[1], 4)


def demonstrate():
    image, prompts = torch.ones(1, 4), torch.arange(6).reshape(2, 3)
    for kind, is_stale in ((KeptOnce, True), (KeptByCount, True), (KeptForASession, False)):
        module = kind()
        module(image, prompts)
        module.load_state_dict({name: value + 1 for name, value in module.state_dict().items()})
        fresh = kind()
        fresh.load_state_dict(module.state_dict())
        if isinstance(module, KeptForASession):
            module.begin()
        assert torch.equal(module(image, prompts), fresh(image, prompts)) is not is_stale
