"""eval() adds low-rank factors into the weight: a load brings an unmerged weight, and the flag still says merged."""
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.up = nn.Parameter(torch.ones(dim, 1))
        self.down = nn.Parameter(torch.ones(1, dim))
        self.merged = False

    def forward(self, x):
        weight = self.weight if self.merged else self.weight + self.up @ self.down
        return x @ weight


class ByData(Adapted):
    def train(self, mode: bool = True):
        super().train(mode)
        if mode and self.merged:
            self.weight.data -= self.up @ self.down
            self.merged = False
        elif not mode and not self.merged:
            self.weight.data += self.up @ self.down  # expect: TL103
            self.merged = True
        return self


class InPlace(Adapted):
    @torch.no_grad()
    def train(self, mode: bool = True):
        super().train(mode)
        if mode is not self.merged:
            return self
        if mode:
            self.weight.sub_(self.up @ self.down)
        else:
            self.weight.add_(self.up @ self.down)  # expect: TL103
        self.merged = not mode
        return self


class Separate(Adapted):
    """Nothing is merged by a mode change; merge() is the caller's decision."""

    def merge(self):
        self.weight.data += self.up @ self.down  # ok: TL103
        self.merged = True

    def train(self, mode: bool = True):  # ok: TL103
        self.up.requires_grad_(mode)
        return super().train(mode)


class Frozen(Adapted):
    def train(self, mode: bool = True):
        super().train(mode)
        self.weight.requires_grad_(False)  # ok: TL103
        self.up.data.clamp_(-1, 1)  # ok: TL103  nothing of another Parameter enters
        return self


def demonstrate():
    for kind, right in ((ByData, False), (Separate, True), (Frozen, True)):
        module, fresh = kind().eval(), kind()
        fresh.weight.data.fill_(2.0)
        module.load_state_dict(fresh.state_dict())
        with torch.no_grad():
            assert torch.allclose(module(torch.ones(4)), fresh(torch.ones(4))) is right, kind
