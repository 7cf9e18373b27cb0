"""Gradients are grouped by dtype for flat all-reduce buckets; visiting the groups "in order" sorts the dtypes themselves.

source: bucketed all-reduce helpers ("'<' not supported between instances of 'torch.dtype' and 'torch.dtype'"); pytorch/pytorch#26655
rules: [TL206]
"""
from collections import defaultdict
from operator import attrgetter

import torch
from torch import nn


class Buckets:
    def __init__(self, module):
        self.groups = defaultdict(list)
        for p in module.parameters():
            self.groups[p.dtype].append(p)

    def visit(self):
        for kind in sorted(self.groups):  # expect: TL206
            yield kind, torch.cat([p.detach().flatten() for p in self.groups[kind]])

    def lowest(self):
        kinds = [p.dtype for ps in self.groups.values() for p in ps]
        low = kinds[0]
        for kind in kinds[1:]:
            if kind < low:  # expect: TL206
                low = kind
        return low


class NamedBuckets(Buckets):
    def visit(self):
        for kind in sorted(self.groups, key=str):  # ok: TL206
            yield kind, torch.cat([p.detach().flatten() for p in self.groups[kind]])

    def lowest(self):
        return min(self.groups, key=attrgetter("itemsize"))  # ok: TL206

    def heaviest(self):
        sizes = {kind: sum(p.numel() for p in ps) for kind, ps in self.groups.items()}
        return max(sizes.items(), key=lambda item: item[1])[0], sorted(sizes.values())  # ok: TL206


def demonstrate():
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2).half())
    for broken in (lambda: list(Buckets(net).visit()), Buckets(net).lowest):
        try:
            broken()
            raise AssertionError("dtypes have an order")
        except TypeError as err:
            assert "not supported between" in str(err)
    good = NamedBuckets(net)
    assert len(list(good.visit())) == 2 and good.lowest() is torch.float16
    assert good.heaviest()[1] == [6, 6]
