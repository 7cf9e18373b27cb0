"""A pre-hook of forward, eval() and a helper module fill the cache; who empties it decides."""

import torch
from torch import nn


class Hooked(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.scaled = None
        self.register_forward_pre_hook(self._prepare)

    def _prepare(self, module, inputs):
        if not self.training and self.scaled is None:
            self.scaled = self.weight / self.weight.norm()

    def train(self, mode: bool = True):  # expect: TL103
        self.scaled = None
        return super().train(mode)

    def forward(self, x):
        return x @ (self.weight / self.weight.norm() if self.training else self.scaled)


class EvalOnly(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.left = nn.Parameter(torch.randn(dim, 2))
        self.right = nn.Parameter(torch.randn(2, dim))
        self.product = None

    def eval(self):  # expect: TL108
        super().eval()
        with torch.no_grad():
            self.product = self.left @ self.right  # expect: TL103
        return self

    def train(self, mode: bool = True):
        super().train(mode)
        if mode:
            self.product = None
        return self

    def forward(self, x):
        return x @ (self.left @ self.right if self.product is None else self.product)


class Merged(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.base = nn.Linear(dim, dim)
        self.low = nn.Parameter(torch.randn(dim, 2))
        self.high = nn.Parameter(torch.randn(2, dim))
        self.merged = False

    def train(self, mode: bool = True):
        super().train(mode)
        delta = self.low @ self.high
        if mode and self.merged:
            self.base.weight.data.sub_(delta)
        elif not mode and not self.merged:
            self.base.weight.data.add_(delta)  # expect: TL103
        self.merged = not mode
        return self

    def forward(self, x):
        out = self.base(x)
        return out if self.merged else out + x @ (self.low @ self.high).t()


class Fresh(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))

    @property
    def scaled(self):
        return self.weight / self.weight.norm()

    def train(self, mode: bool = True):  # ok: TL103
        return super().train(mode)

    def forward(self, x):
        return x @ self.scaled


def demonstrate():
    x = torch.ones(2, 3)
    for owner in (Hooked, EvalOnly, Merged):
        module, other = owner(3).eval(), owner(3)
        module(x)
        module.load_state_dict(other.state_dict())
        assert not torch.allclose(module(x), other.eval()(x)), owner
    Fresh(3)(x)
