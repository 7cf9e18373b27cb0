"""A contrastive objective erases self pairs with fill_diagonal_(-1e9); a pure half run (no autocast) refuses the number.

source: NVIDIA/apex#1052 kind in SimCLR style objectives; "value cannot be converted to type at::Half without overflow"
rules: [TL302]
"""
import argparse

import torch
import torch.nn.functional as F
from torch import nn


class TwoViews(nn.Module):
    lowest = -1e9

    def __init__(self, body, temperature=0.2):
        super().__init__()
        self.body, self.temperature = body, temperature

    def similarities(self, a, b):
        z = torch.cat([self.body(a), self.body(b)])
        z = z / z.norm(dim=-1, keepdim=True).clamp(min=1e-3)
        return z @ z.t() / self.temperature

    def erase_self(self, sim):
        return sim.fill_diagonal_(self.lowest)  # expect: TL302

    def forward(self, a, b):
        sim = self.erase_self(self.similarities(a, b))
        n = len(a)
        partner = torch.arange(2 * n, device=sim.device).roll(n)
        return F.cross_entropy(sim.float(), partner)


class TwoViewsInf(TwoViews):
    lowest = float("-inf")

    def erase_self(self, sim):
        return sim.fill_diagonal_(self.lowest)  # ok: TL302


class TwoViewsModest(TwoViews):
    lowest = -6e4

    def erase_self(self, sim):
        return sim.fill_diagonal_(self.lowest)  # ok: TL302


class TwoViewsWide(TwoViews):
    def erase_self(self, sim):
        return sim.to(torch.float32).fill_diagonal_(self.lowest)  # ok: TL302


def parse(argv):
    p = argparse.ArgumentParser()
    p.add_argument("--fp16", action="store_true")
    return p.parse_args(argv)


def run(argv, objective=TwoViews):
    args = parse(argv)
    torch.manual_seed(0)
    net = objective(nn.Linear(3, 4))
    a, b = torch.randn(4, 3), torch.randn(4, 3)
    if args.fp16:
        net, a, b = net.half(), a.half(), b.half()
    return net(a, b)


def demonstrate():
    assert run([]).isfinite()
    try:
        run(["--fp16"])
        raise AssertionError("-1e9 fits half")
    except RuntimeError as err:
        assert "without overflow" in str(err)
    for kind in (TwoViewsInf, TwoViewsModest, TwoViewsWide):
        assert run(["--fp16"], kind).isfinite()
