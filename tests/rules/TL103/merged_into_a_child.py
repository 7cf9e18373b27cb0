"""The merge goes into the weight of a child layer, by an operator or in place; who unmerges in a load has answered."""
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.up = nn.Parameter(torch.ones(dim, 1))
        self.down = nn.Parameter(torch.ones(1, dim))
        self.merged = False

    def delta(self):
        return self.up @ self.down

    def forward(self, x):
        return self.layer(x) if self.merged else self.layer(x) + x @ self.delta().T


class ByOperator(Adapted):
    def train(self, mode: bool = True):
        super().train(mode)
        if mode and self.merged:
            self.layer.weight.data -= self.delta()  # ok: TL103
        elif not mode and not self.merged:
            self.layer.weight.data += self.delta()  # expect: TL103
        self.merged = not mode
        return self


class InPlace(Adapted):
    @torch.no_grad()
    def train(self, mode: bool = True):
        super().train(mode)
        if mode and self.merged:
            self.layer.weight.sub_(self.delta())  # ok: TL103
        elif not mode and not self.merged:
            self.layer.weight.data.add_(self.delta())  # expect: TL103
        self.merged = not mode
        return self


class MergedAgain(Adapted):
    """A load brings the plain weight, and the hook merges it."""

    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_load_state_dict_post_hook(lambda module, keys: module.merge())

    @torch.no_grad()
    def merge(self):
        if self.merged:
            self.layer.weight += self.delta()  # ok: TL103

    @torch.no_grad()
    def train(self, mode: bool = True):
        super().train(mode)
        if mode and self.merged:
            self.layer.weight -= self.delta()  # ok: TL103
        elif not mode and not self.merged:
            self.layer.weight += self.delta()  # ok: TL103
        self.merged = not mode
        return self


class Scaled(Adapted):
    def train(self, mode: bool = True):
        super().train(mode)
        self.layer.weight.data.clamp_(-1, 1)  # ok: TL103  nothing of another Parameter enters
        self.layer.weight.data *= 1.0  # ok: TL103
        return self


def demonstrate():
    for kind, right in ((ByOperator, False), (InPlace, False), (MergedAgain, True), (Scaled, True)):
        module, fresh = kind().eval(), kind()
        module.load_state_dict(fresh.state_dict())
        with torch.no_grad():
            x = torch.ones(1, 4)
            assert torch.allclose(module(x), fresh(x), atol=1e-5) is right, kind
