"""The decorator was prepared at the top of the file: a name for lru_cache(..), partial(lru_cache, ..), cached_property."""
import functools

import torch
from torch import nn

remember = functools.lru_cache(maxsize=8)
memo = functools.partial(functools.lru_cache, maxsize=None)
lazily = functools.cached_property


def logged(function):
    @functools.wraps(function)
    def call(*args):
        return function(*args)

    return call


class Bias(nn.Module):
    def __init__(self, size: int = 4):
        super().__init__()
        self.table = nn.Parameter(torch.ones(size))

    @remember  # expect: TL112
    def rows(self, length: int) -> torch.Tensor:
        return self.table[:length].exp()

    @memo()  # expect: TL112
    def sums(self, length: int) -> torch.Tensor:
        return self.table[:length].cumsum(0)

    @lazily  # expect: TL112
    def norm(self) -> torch.Tensor:
        return self.table.norm()

    @remember  # ok: TL112
    def places(self, length: int) -> tuple:
        return tuple(range(length))

    @staticmethod
    @memo()  # ok: TL112
    def half(length: int) -> int:
        return length // 2

    @logged  # ok: TL112
    def fresh(self, length: int) -> torch.Tensor:
        return self.table[:length]

    def forward(self, x):
        length = len(self.places(x.shape[-1]))
        return x + self.rows(length) + self.sums(length) * self.norm + self.fresh(self.half(length)).sum()


def demonstrate():
    module = Bias()
    before = [module.rows(2), module.sums(2), module.norm]
    module.load_state_dict({"table": torch.zeros(4)})
    assert all(one is other for one, other in zip(before, [module.rows(2), module.sums(2), module.norm]))
    assert torch.equal(module.fresh(2), torch.zeros(2))
    module(torch.ones(4))
