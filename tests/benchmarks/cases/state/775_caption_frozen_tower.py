"""Captioning: the image tower is frozen in the constructor, every epoch wakes its dropout; the scoring loop keeps all graphs.

source: nickgkan/butd_detr#8 (does a frozen encoder need eval()); model written from scratch
rules: [TL118, TL304]
"""
import torch
from torch import nn
import torch.nn.functional as F


class Captioner(nn.Module):
    def __init__(self, vocab: int = 11, dim: int = 6):
        super().__init__()
        self.tower = nn.Sequential(nn.Linear(9, dim), nn.GELU(), nn.Dropout(0.5), nn.Linear(dim, dim))
        self.tower.requires_grad_(False)
        self.tower.eval()  # expect: TL118
        self.embed = nn.Embedding(vocab, dim)
        self.decoder = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, image: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        start = self.tower(image)[None]
        hidden, _ = self.decoder(self.embed(tokens), start)
        return self.out(hidden)


class PinnedCaptioner(nn.Module):
    def __init__(self, vocab: int = 11, dim: int = 6):
        super().__init__()
        self.tower = nn.Sequential(nn.Linear(9, dim), nn.GELU(), nn.Dropout(0.5), nn.Linear(dim, dim))
        self.tower.requires_grad_(False)
        self.tower.eval()  # ok: TL118
        self.embed = nn.Embedding(vocab, dim)
        self.decoder = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.tower.eval()
        return self

    def forward(self, image, tokens):
        hidden, _ = self.decoder(self.embed(tokens), self.tower(image)[None])
        return self.out(hidden)


def token_loss(model: nn.Module, image: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    logits = model(image, tokens[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def fit(model: nn.Module, loader, epochs: int = 1) -> None:
    opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    for _ in range(epochs):
        model.train()
        for image, tokens in loader:
            opt.zero_grad()
            token_loss(model, image, tokens).backward()
            opt.step()


def train_captioner(loader, pinned: bool = False) -> nn.Module:
    model = PinnedCaptioner() if pinned else Captioner()
    fit(model, loader)
    return model


def rank_captions(model: nn.Module, loader) -> list[torch.Tensor]:
    model.eval()  # expect: TL304
    scores = []
    for image, tokens in loader:
        logits = model(image, tokens[:, :-1]).log_softmax(-1)
        scores.append(logits.gather(2, tokens[:, 1:, None]).sum((1, 2)))
    return scores


@torch.no_grad()
def rank_captions_quietly(model: nn.Module, loader) -> list[torch.Tensor]:
    model.eval()  # ok: TL304
    scores = []
    for image, tokens in loader:
        logits = model(image, tokens[:, :-1]).log_softmax(-1)
        scores.append(logits.gather(2, tokens[:, 1:, None]).sum((1, 2)))
    return scores


def saliency(model: nn.Module, loader) -> list[torch.Tensor]:
    """Which inputs matter for the caption: this needs the graph."""
    model.eval()  # ok: TL304
    maps = []
    for image, tokens in loader:
        image = image.clone().requires_grad_()
        (grad,) = torch.autograd.grad(token_loss(model, image, tokens), image)
        maps.append(grad.abs())
    return maps


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    loader = [(torch.randn(4, 9), torch.randint(0, 11, (4, 5))) for _ in range(3)]
    assert not Captioner().tower.training
    assert train_captioner(loader).tower[2].training, "dropout of the frozen tower is on again"
    model = train_captioner(loader, pinned=True)
    assert not model.tower[2].training and model.decoder.training
    assert all(s.requires_grad for s in rank_captions(model, loader))
    assert not any(s.requires_grad for s in rank_captions_quietly(model, loader))
    assert len(saliency(model, loader)) == 3
