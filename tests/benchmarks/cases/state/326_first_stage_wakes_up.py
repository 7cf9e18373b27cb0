"""A latent model builds its frozen first stage from a config and switches it to eval mode; fit() switches everything back.

source: latent-diffusion-like code and its disabled_train idiom (the harmless form), Lightning-AI/pytorch-lightning#15062
rules: [TL118]
"""
import torch
from torch import nn


def build(cfg: dict) -> nn.Module:
    layers = [nn.Linear(cfg["inputs"], cfg["width"]), nn.BatchNorm1d(cfg["width"])]
    if cfg.get("drop"):
        layers.append(nn.Dropout(cfg["drop"]))
    return nn.Sequential(*layers)


def keep_mode(self, mode: bool = True):
    """Takes the place of train() on one object."""
    return self


class Latent(nn.Module):
    def __init__(self, cfg: dict):
        super().__init__()
        self.denoise = nn.Linear(cfg["width"], cfg["width"])
        self.instantiate(cfg)

    def instantiate(self, cfg) -> None:
        model = build(cfg)
        self.first = model.eval()  # expect: TL118
        for p in self.first.parameters():
            p.requires_grad = False

    def forward(self, x):
        z = self.first(x)
        return (self.denoise(z) - z).pow(2).mean()


class DisabledTrainLatent(Latent):
    def instantiate(self, cfg):
        model = build(cfg)
        self.first = model.eval()  # ok: TL118
        self.first.train = keep_mode.__get__(self.first)  # ok: TL108
        self.first.requires_grad_(False)


class HiddenStageLatent(Latent):
    """The stage is held in a list on purpose: no child, so train() does not reach it."""

    def instantiate(self, cfg):
        self._held = (build(cfg).eval().requires_grad_(False),)  # use: TL105

    @property
    def first(self):
        return self._held[0]


class PinnedLatent(Latent):
    def instantiate(self, cfg):
        self.first = build(cfg).requires_grad_(False)
        self.first.eval()  # ok: TL118

    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.first.eval()
        return self


def fit(model: nn.Module, batches, lr: float = 0.1) -> nn.Module:
    opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=lr)
    model.train()
    for x in batches:
        opt.zero_grad()
        model(x).backward()
        opt.step()
    return model


# ---- demonstration: not part of the graded code ----
def demonstrate():
    cfg = {"inputs": 3, "width": 4, "drop": 0.2}
    for cls, frozen in ((Latent, False), (DisabledTrainLatent, True), (HiddenStageLatent, True), (PinnedLatent, True)):
        model = fit(cls(cfg), [torch.randn(8, 3) + 5 for _ in range(2)])
        assert model.first[2].training is not frozen, cls
        assert bool((model.first[1].running_mean == 0).all()) is frozen, cls
