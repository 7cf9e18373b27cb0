"""Wrappers that shadow names of the Module interface: state_dict() without its keywords, integers called half and to.

source: deepinv/deepinv#257 (attribute named like a method), wrappers whose state_dict() delegates
rules: [TL108]
"""
import torch
from torch import nn


class Wrapped(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)


class DelegatingWrapped(Wrapped):
    def state_dict(self):  # expect: TL108
        return self.net.state_dict()


class ForwardingWrapped(Wrapped):
    def state_dict(self, *args, **kwargs):  # ok: TL108
        return super().state_dict(*args, **kwargs)


class GatedUnit(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.half = dim // 2  # expect: TL108
        self.lin = nn.Linear(self.half, self.half)

    def forward(self, x):
        return self.lin(x[..., : self.half]) * x[..., self.half :].sigmoid()


class ModeUnit(nn.Module):
    """An option is stored under the name of the method that every parent calls."""

    def __init__(self, dim: int = 4, **options):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        self.eval = options.get("eval", False)  # expect: TL108

    def forward(self, x):
        return self.lin(x).relu() if self.eval else self.lin(x)


class NarrowUnit(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.half_dim = dim // 2  # ok: TL108
        self.training_dim = dim  # ok: TL108
        self.lin = nn.Linear(self.half_dim, self.half_dim)

    def to_rows(self, x):  # ok: TL108
        return x.flatten(1)

    def forward(self, x):
        a, b = x.split(self.half_dim, -1)
        return self.lin(a) * b.sigmoid()


class Options:
    """Not a module."""

    def __init__(self, half: bool = False, train: bool = True):
        self.half = half  # ok: TL108
        self.train = train  # ok: TL108


# ---- demonstration: not part of the graded code ----
def demonstrate():
    try:
        nn.Sequential(DelegatingWrapped(nn.Linear(2, 2))).state_dict()
        raise AssertionError("a parent passes keywords")
    except TypeError:
        pass
    assert len(nn.Sequential(ForwardingWrapped(nn.Linear(2, 2))).state_dict()) == 2
    for broken, call in ((GatedUnit(), "half"), (ModeUnit(), "eval")):
        try:
            getattr(broken, call)()
            raise AssertionError("the attribute hides the method")
        except TypeError:
            pass
    assert NarrowUnit().half().eval()(torch.randn(2, 4).half()).dtype == torch.float16
    assert Options().train
