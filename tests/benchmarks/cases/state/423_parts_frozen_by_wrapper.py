"""A vision-language wrapper freezes its towers in the constructor through a helper over several parts; a trainer owns the mode.

source: Lightning-AI/pytorch-lightning#18930, Lightning-AI/pytorch-lightning#2551, chemprop/chemprop#952
rules: [TL118]
"""
import torch
from torch import nn


def tower(dim: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim), nn.Dropout(0.3))


class Captioner(nn.Module):
    def __init__(self, dim: int = 4, tune_text: bool = False):
        super().__init__()
        self.vision, self.text = tower(dim), tower(dim)
        self.bridge = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.1))
        self.tune_text = tune_text
        self.settle()

    def settle(self) -> None:
        parts = [self.vision] if self.tune_text else [self.vision, self.text]
        self._still(*parts)

    def _still(self, *parts: nn.Module) -> None:
        for part in parts:
            part.eval()  # expect: TL118
            part.requires_grad_(False)

    def forward(self, x):
        return self.bridge(self.vision(x)) + self.text(x)


class PinnedCaptioner(Captioner):
    def _still(self, *parts):
        self.pinned = tuple(parts)  # ok: TL105
        for part in parts:
            part.eval().requires_grad_(False)  # ok: TL118

    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        for part in self.pinned:
            part.eval()
        return self


class NormFreeCaptioner(nn.Module):
    """Nothing in the frozen part behaves differently in the two modes."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.vision = nn.Sequential(nn.Linear(dim, dim), nn.LayerNorm(dim), nn.GELU())
        self.bridge = nn.Linear(dim, dim)
        self.vision.eval().requires_grad_(False)  # ok: TL118

    def forward(self, x):
        return self.bridge(self.vision(x))


class Fitter:
    def __init__(self, **nets: nn.Module):
        self.nets = nets

    def run(self, x: torch.Tensor, epochs: int = 2) -> None:
        for net in self.nets.values():
            opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
            for _ in range(epochs):
                net.train()
                loss = net(x).pow(2).mean()
                opt.zero_grad()
                loss.backward()
                opt.step()


def fit_all(x: torch.Tensor) -> list[nn.Module]:
    nets = [Captioner(), PinnedCaptioner(), NormFreeCaptioner()]
    for net in nets:
        net.train()
        net(x).sum().backward()
    Fitter(**{str(i): n for i, n in enumerate(nets)}).run(x)
    return nets


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(8, 4) + 3
    loose, pinned, free = fit_all(x)
    assert loose.vision.training and loose.vision[1].running_mean.abs().sum() > 0
    assert not pinned.vision.training and pinned.vision[1].running_mean.abs().sum() == 0
    assert torch.equal(free.eval()(x), free.train()(x))
