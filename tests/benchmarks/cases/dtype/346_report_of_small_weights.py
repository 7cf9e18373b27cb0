"""A sparsity report blanks small weights in a "float32 copy" of every Parameter; in a float32 network the report prunes the network.

source: NVIDIA/Megatron-LM#1594 kind (.float() before in-place steps), pruning reports written for half models
rules: [TL308]
"""
import torch
from torch import nn


class Report:
    def __init__(self, net, level=0.1):
        self.net, self.level = net, level

    def rows(self):
        for name, p in self.net.named_parameters():
            if p.ndim > 1:
                yield name, p

    def blank(self, p):
        w = p.detach().float()
        w[w.abs() < self.level] = 0  # expect: TL308
        return w

    def table(self):
        return {name: (self.blank(p) == 0).float().mean() for name, p in self.rows()}


class ReportFixed(Report):
    def blank(self, p):
        w = p.detach().float()
        return torch.where(w.abs() < self.level, torch.zeros_like(w), w)  # ok: TL308


class ReportAbs(Report):
    """abs() is what makes the copy here."""

    def blank(self, p):
        w = p.detach().float().abs()
        w[w < self.level] = 0  # ok: TL308
        return w


class ReportDouble(Report):
    def blank(self, p):
        w = torch.empty_like(p, dtype=torch.float64)
        w.copy_(p.detach())
        w[w.abs() < self.level] = 0  # ok: TL308
        return w


class Prune(Report):
    """Here the network is meant to change, and says so."""

    @torch.no_grad()
    def apply(self):
        for _, p in self.rows():
            p[p.abs() < self.level] = 0  # ok: TL308
        return self.net


def demonstrate():
    for kind, clean in ((Report, False), (ReportFixed, True), (ReportAbs, True), (ReportDouble, True)):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
        before = net[0].weight.detach().clone()
        assert 0 < kind(net).table()["0.weight"] < 1
        assert torch.equal(before, net[0].weight) is clean, kind
        if kind is Report:  # a half network hides the fault
            net = nn.Sequential(nn.Linear(8, 8)).half()
            before = net[0].weight.detach().clone()
            kind(net).table()
            assert torch.equal(before, net[0].weight)
    assert (Prune(net).apply()[0].weight == 0).any()
