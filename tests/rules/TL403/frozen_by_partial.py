"""A table holds helpers with some of their arguments frozen; the region runs the one that was picked by name."""

from functools import partial

import torch
from torch import nn


def product(z, heat):
    z = z.float()  # expect: TL403
    return (z @ z.T).mean() / heat


def length(z, heat):
    return z.float().norm() / heat  # ok: TL403


def of_the_end(z, heat):
    z = z.float()  # ok: TL403
    return (z @ z.T).mean() / heat


TERMS = {"product": partial(product, heat=2.0), "length": partial(length, heat=1.0)}
ENDS = {"end": partial(of_the_end, heat=1.0)}


class Judged(nn.Module):
    def __init__(self, term="product", end="end"):
        super().__init__()
        self.net, self.term, self.end = nn.Linear(4, 4), TERMS[term], ENDS[end]

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = self.net(x)
            total = self.term(z)
        return total + self.end(z)


def demonstrate():
    z = torch.ones(2, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert (z @ z.T).dtype is torch.bfloat16
    assert torch.isfinite(Judged()(z))
