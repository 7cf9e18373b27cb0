"""Zero-shot classifier: the text embeddings of the class prompts are computed at the first call and kept through every later load.

source: written from scratch; class embeddings kept on the model are usual in open-vocabulary code
rules: [TL104]
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


class TextTower(nn.Module):
    def __init__(self, vocab: int = 20, dim: int = 6):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.proj(self.embed(tokens).mean(1)), dim=-1)


class PromptClassifier(nn.Module):
    def __init__(self, pixels: int = 10, dim: int = 6):
        super().__init__()
        self.image = nn.Linear(pixels, dim)
        self.text = TextTower(dim=dim)
        self._classes = None
        self._scale = None

    def scale(self) -> float:
        if self._scale is None:
            self._scale = 1.0 / 0.07  # ok: TL104
        return self._scale

    @torch.no_grad()
    def class_embeddings(self, prompts: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, images: torch.Tensor, prompts: torch.Tensor) -> torch.Tensor:
        feats = F.normalize(self.image(images), dim=-1)
        return self.scale() * feats @ self.class_embeddings(prompts).t()


class OnceClassifier(PromptClassifier):
    @torch.no_grad()
    def class_embeddings(self, prompts):
        if self._classes is None:
            self._classes = self.text(prompts)  # expect: TL104
        return self._classes


class CountedClassifier(PromptClassifier):
    """Notices another number of prompts, but neither other prompts nor other weights."""

    @torch.no_grad()
    def class_embeddings(self, prompts):
        if self._classes is None or self._classes.shape[0] != prompts.shape[0]:
            self._classes = self.text(prompts)  # expect: TL104
        return self._classes


class EveryCallClassifier(PromptClassifier):
    @torch.no_grad()
    def class_embeddings(self, prompts):
        classes = self.text(prompts)
        self._classes = tuple(classes.shape)  # ok: TL104, TL102
        return classes


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    images = torch.randn(3, 10)
    cats, tools = torch.randint(0, 20, (4, 5)), torch.randint(0, 20, (4, 5))
    for cls, right in ((OnceClassifier, False), (CountedClassifier, False), (EveryCallClassifier, True)):
        net, other = cls(), cls()
        net(images, cats)
        fresh = cls()
        fresh.load_state_dict(net.state_dict())
        assert torch.allclose(net(images, tools), fresh(images, tools)) is right, "other prompts, same number"
        net.load_state_dict(other.state_dict())
        assert torch.allclose(net(images, cats), other(images, cats)) is right, "checkpoint loaded after a forward"
        net.double()
        try:
            ok = net(images.double(), cats).dtype == torch.float64
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is right, cls
