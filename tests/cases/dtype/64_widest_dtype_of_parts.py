"""A merge tool picks the widest parameter dtype with max(); torch.dtype has no order.

source: checkpoint merging scripts ("'>' not supported between instances of 'torch.dtype' and 'torch.dtype'")
rules: [TL206]
"""
import functools

import torch
from torch import nn


class Merger:
    def __init__(self, *parts):
        self.parts = parts

    @property
    def kinds(self):
        return [p.dtype for part in self.parts for p in part.parameters()]

    def pick(self):
        return max(self.kinds)  # expect: TL206

    def merged(self):
        kind = self.pick()
        first = self.parts[0].state_dict()
        others = [part.state_dict() for part in self.parts[1:]]
        return {k: sum([o[k].to(kind) for o in others], v.to(kind)) / len(self.parts) for k, v in first.items()}


class Report(Merger):
    def table(self):
        sizes = {}
        for part in self.parts:
            for name, p in part.named_parameters():
                sizes.setdefault(p.dtype, []).append(name)
        return [(kind, sizes[kind]) for kind in sorted(sizes)]  # expect: TL206


class MergerByBits(Merger):
    def pick(self):
        return max(self.kinds, key=lambda kind: torch.finfo(kind).bits)  # ok: TL206


class MergerByPromotion(Merger):
    def pick(self):
        return functools.reduce(torch.promote_types, self.kinds)  # ok: TL206

    def widest_size(self):
        return max(kind.itemsize for kind in self.kinds)  # ok: TL206


class ReportByName(Report):
    def table(self):
        return sorted({str(kind) for kind in self.kinds})  # ok: TL206


# ---- demonstration ----
def demonstrate():
    parts = nn.Linear(2, 2), nn.Linear(2, 2).bfloat16()
    for call in (Merger(*parts).merged, Report(*parts).table):
        try:
            call()
            raise AssertionError("dtypes were ordered")
        except TypeError as err:
            assert "not supported between" in str(err), err
    for cls in (MergerByBits, MergerByPromotion):
        assert cls(*parts).merged()["weight"].dtype is torch.float32
    assert MergerByPromotion(*parts).widest_size() == 4
    assert len(ReportByName(*parts).table()) == 2
