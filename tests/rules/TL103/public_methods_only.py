"""Overridden half(), to() and load_state_dict() look like handling: a parent calls none of them on its children."""
import torch
from torch import nn


class Cached(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.table = None

    def forward(self, x):
        return x * (self.weight.exp() if self.table is None else self.table)


class PublicMethods(Cached):
    def half(self):
        self.table = None
        return super().half()

    def to(self, *args, **kwargs):
        self.table = None
        return super().to(*args, **kwargs)

    def load_state_dict(self, *args, **kwargs):
        self.table = None
        return super().load_state_dict(*args, **kwargs)

    def train(self, mode: bool = True):
        super().train(mode)
        self.table = None if mode else self.weight.exp().detach()  # expect: TL103
        return self


class ApplyOnly(Cached):
    """The conversions are answered, the load is not."""

    def _apply(self, fn, recurse=True):
        self.table = None
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):
        super().train(mode)
        self.table = None if mode else self.weight.exp().detach()  # expect: TL103
        return self


class Hooked(ApplyOnly):
    """And here the load is answered by a hook."""

    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_load_state_dict_post_hook(self.forget)

    @staticmethod
    def forget(module, keys):
        module.table = None

    def train(self, mode: bool = True):
        super(ApplyOnly, self).train(mode)
        self.table = None if mode else self.weight.exp().detach()  # ok: TL103
        return self


class HookedByLambda(ApplyOnly):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_load_state_dict_post_hook(lambda module, keys: module.forget())

    def forget(self):
        self.table = None

    def train(self, mode: bool = True):
        super(ApplyOnly, self).train(mode)
        self.table = None if mode else self.weight.exp().detach()  # ok: TL103
        return self


def follows(kind: type[Cached], *, load: bool) -> bool:
    net = nn.Sequential(kind()).eval()
    if load:
        net.load_state_dict({name: value + 1 for name, value in net.state_dict().items()})
    else:
        net.double()
    table = net[0].table
    return table is None or (table.dtype == net[0].weight.dtype and torch.equal(table, net[0].weight.exp()))


def demonstrate():
    for kind, load, convert in (
        (PublicMethods, False, False), (ApplyOnly, False, True), (Hooked, True, True), (HookedByLambda, True, True),
    ):
        assert follows(kind, load=True) is load, kind
        assert follows(kind, load=False) is convert, kind
