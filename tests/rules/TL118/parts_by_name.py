"""The parts are reached by their names: getattr(self, name) for names that are collected, counted or listed."""
import torch
from torch import nn


def stage() -> nn.Module:
    return nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))


class Backbone(nn.Module):
    def __init__(self, frozen: int = 1):
        super().__init__()
        self.frozen, self.names = frozen, []
        for index in range(3):
            self.names.append(f"stage{index}")
            self.add_module(self.names[-1], stage())
        self.freeze()

    def freeze(self) -> None:
        for name in self.names[: self.frozen]:
            part = getattr(self, name)
            part.eval()  # expect: TL118
            part.requires_grad_(False)

    def forward(self, x):
        for name in self.names:
            x = getattr(self, name)(x)
        return x


class Steady(Backbone):
    def train(self, mode: bool = True):
        super().train(mode)
        self.freeze()
        return self


class Linear(nn.Module):
    """Nothing of it depends on the mode."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(2, 2)
        self.head = nn.Linear(2, 2)
        getattr(self, "embed").eval()  # ok: TL118
        for name in ("embed",):
            getattr(self, name).eval()  # ok: TL118
            getattr(self, name).requires_grad_(False)

    def forward(self, x):
        return self.head(self.embed(x))


class SetLater(nn.Module):
    """Each epoch begins with it."""

    def __init__(self):
        super().__init__()
        self.body, self.head = stage(), nn.Linear(2, 2)

    def begin_epoch(self) -> None:
        self.train()
        for name in ("body",):
            getattr(self, name).eval()  # ok: TL118

    def forward(self, x):
        return self.head(self.body(x))


def demonstrate():
    assert Backbone().train().stage0.training and not Steady().train().stage0.training
    later = SetLater()
    later.begin_epoch()
    assert not later.body.training
    Linear()(torch.ones(1, 2))
