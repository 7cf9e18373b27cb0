"""The owner keeps the parts that it is given: what is converted through it is what was put into evaluation before."""

import torch
from torch import nn


class Folded(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.folded = None

    def train(self, mode: bool = True):
        self.folded = None if mode else self.weight.exp().detach()  # expect: TL103
        return super().train(mode)

    def forward(self, x):
        return x @ (self.weight.exp() if self.training else self.folded)


class Pair:
    def __init__(self, first: Folded, second: Folded):
        self.first, self.second = first, second


def kept_and_converted(dtype: torch.dtype) -> Pair:
    first, second = Folded().eval(), Folded()
    pair = Pair(first, second)
    pair.first.to(dtype)  # expect: TL303
    pair.second.to(dtype)  # ok: TL303
    pair.second.eval()
    return pair


def entered_again(dtype: torch.dtype) -> Pair:
    first = Folded().eval()
    first = first.to(dtype).eval()  # ok: TL303
    return Pair(first, Folded().to(dtype).eval())  # ok: TL303


def perhaps_entered_again(dtype: torch.dtype, again: bool) -> Folded:
    one = Folded().eval()
    one.to(dtype)  # expect: TL303
    if again:
        one.eval()
    return one


def demonstrate():
    assert kept_and_converted(torch.float64).first.folded.dtype == torch.float32
    assert kept_and_converted(torch.float64).second.folded.dtype == torch.float64
    assert entered_again(torch.float64).first.folded.dtype == torch.float64
    assert perhaps_entered_again(torch.float64, again=False).folded.dtype == torch.float32
