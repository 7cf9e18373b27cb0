"""A dict on an attribute is filled by several methods; whoever sorts it sorts its keys."""

from collections import defaultdict

import torch
from torch import nn


class Buckets:
    def __init__(self, module: nn.Module):
        self.groups, self.sizes, self.named, self.mixed = defaultdict(list), {}, defaultdict(list), {}
        for name, p in module.named_parameters():
            self.groups[p.dtype].append(p)
            self.named[str(p.dtype)].append(p)
            self.mixed[name] = p.dtype

    def measure(self, module: nn.Module):
        for p in module.parameters():
            self.sizes.setdefault(p.dtype, p.numel())

    def visit(self):
        return [self.groups[kind] for kind in sorted(self.groups)]  # expect: TL206

    def smallest(self):
        return min(self.sizes.keys())  # expect: TL206

    def by_name(self):
        return sorted(self.named), sorted(self.mixed)  # ok: TL206

    def by_text(self):
        return sorted(self.groups, key=str)  # ok: TL206

    def counted(self):
        return sorted(self.sizes.values())  # ok: TL206


class Updated:
    def __init__(self, module: nn.Module, others):
        self.groups = {}
        self.groups.update(others)
        for p in module.parameters():
            self.groups[p.dtype] = p

    def visit(self):
        return sorted(self.groups)  # ok: TL206  what else is in it is not known


def demo():
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2).half())
    buckets = Buckets(net)
    buckets.measure(net)
    assert len(buckets.by_name()[0]) == len(buckets.by_text()) == 2 and buckets.counted() == [4, 4]
    assert torch.float16 in buckets.groups
    for refused in (buckets.visit, buckets.smallest):
        try:
            refused()
            raise AssertionError("dtypes have an order")
        except TypeError as error:
            assert "not supported between" in str(error)
