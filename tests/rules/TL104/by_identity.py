"""A key made of id(): another input is another object, but a Parameter stays the same object whatever it holds."""
import weakref

import torch
from torch import nn

SUMS = {}
TABLES = {}
ONES = {}


def log_factorials(x: torch.Tensor) -> torch.Tensor:
    key = id(x)
    if key not in SUMS:
        weakref.finalize(x, SUMS.pop, key, None)
        SUMS[key] = (x + 1).lgamma().sum()  # ok: TL104  x on another device, or in another dtype, is another object
    return SUMS[key]


def table_of(x: torch.Tensor, size: int) -> torch.Tensor:
    key = id(size)
    if key not in TABLES:
        TABLES[key] = torch.arange(size, device=x.device)  # expect: TL104
    return x + TABLES[key]


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.norms = {}

    def forward(self, x):
        key = id(self.weight)
        if key not in self.norms:
            self.norms[key] = self.weight.norm()  # expect: TL104
        return x * self.weight / self.norms[key]


def ones_like_kept(x: torch.Tensor) -> torch.Tensor:
    key = id(x)
    if key not in ONES:
        ONES[key] = torch.ones(x.shape, device=x.device, dtype=x.dtype)  # expect: TL104  x goes, and its number comes again
    return ONES[key]


def demonstrate():
    x = torch.arange(3.0)
    assert log_factorials(x).dtype == torch.float32 and log_factorials(x.double()).dtype == torch.float64
    model = Normed()
    before = model(x)
    identity = id(model.weight)
    model.load_state_dict({"weight": 2 * torch.ones(3)})
    assert id(model.weight) == identity and not torch.equal(model(x), before)
    model.half()
    assert id(model.weight) == identity and model.norms[identity].dtype == torch.float32
    first = ones_like_kept(torch.zeros(3))
    assert any(ones_like_kept(torch.zeros(3, dtype=torch.float16)) is first for _ in range(100))
