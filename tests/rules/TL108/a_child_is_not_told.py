"""train() sets its own flag and tells some of its children, by a helper that finds them by name; one hears nothing."""
import torch
from torch import nn


class Stages(nn.Module):
    def __init__(self):
        super().__init__()
        self.stage0 = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.stage1 = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Dropout(0.5)

    def stages(self):
        return [getattr(self, f"stage{index}") for index in range(2)]

    def forward(self, x):
        for stage in self.stages():
            x = stage(x)
        return self.head(x)


class Forgetful(Stages):
    def train(self, mode: bool = True):  # expect: TL108
        self.training = mode
        for stage in self.stages():
            stage.train(mode)
        return self


class AllByName(Stages):
    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for stage in self.stages():
            stage.train(mode)
        self.head.train(mode)
        return self


class AllOfThem(Stages):
    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self


class LinearHead(nn.Module):
    """The other child has no mode that matters."""

    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Dropout(0.5), nn.Linear(2, 2)

    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        self.body.train(mode)
        return self

    def forward(self, x):
        return self.head(self.body(x))


def demonstrate():
    assert Forgetful().train(False).head.training
    for kind in (AllByName, AllOfThem):
        assert not kind().train(False).head.training
    LinearHead().train(False)(torch.ones(2))
