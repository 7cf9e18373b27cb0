"""Mode switching is delegated to a helper or to a loop over parts; callers that chain train(...) get None or a part in the wrong mode.

source: meta-pytorch/botorch#2702 (train returns None), pytorch/pytorch#52272, wrappers of several networks
rules: [TL108]
"""
import torch
from torch import nn


class Duo(nn.Module):
    def __init__(self):
        super().__init__()
        self.gen = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
        self.critic = nn.Sequential(nn.Linear(3, 1), nn.Dropout(0.5))
        self.epochs = 0

    def forward(self, z):
        return self.critic(self.gen(z))


class HelperDuo(Duo):
    def _switch(self, mode: bool) -> None:
        super().train(mode)
        self.critic.requires_grad_(mode)

    def train(self, mode: bool = True):  # expect: TL108
        return self._switch(mode)


class PartsOnlyDuo(Duo):
    """The parts are switched, the owner's own flag is not."""

    def train(self, mode: bool = True):  # expect: TL108
        for part in (self.gen, self.critic):
            part.train(mode)
        return self


class LoopedDuo(Duo):
    """What Module.train does, written out."""

    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for part in self.children():
            part.train(mode)
        return self


class ReturningHelperDuo(Duo):
    def _switch(self, mode: bool):
        self.critic.requires_grad_(mode)
        return nn.Module.train(self, mode)

    def train(self, mode: bool = True):  # ok: TL108
        return self._switch(mode=mode)


class CountingDuo(Duo):
    def train(self, mode: bool = True):  # ok: TL108
        self.epochs += int(mode)
        super().train(mode=mode)
        return self


# ---- demonstration: not part of the graded code ----
def demonstrate():
    assert HelperDuo().train(False) is None
    try:
        HelperDuo().eval()(torch.zeros(1, 2))
        raise AssertionError("eval() returns what train(False) returns")
    except TypeError:
        pass
    half = PartsOnlyDuo().eval()
    assert half.training and not half.gen.training
    for cls in (LoopedDuo, ReturningHelperDuo, CountingDuo):
        m = cls()
        assert m.eval() is m and not any(x.training for x in m.modules()), cls
