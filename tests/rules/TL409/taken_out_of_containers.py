"""Lowered values travel in lists, dicts and tuples into the island, and into the methods that the island calls."""

import torch
import torch.nn.functional as F
from torch import nn


def full():
    return torch.autocast("cpu", enabled=False)


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList(nn.Linear(2, 2) for _ in range(2))
        self.sides = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
        self.out = nn.Linear(2, 2)
        self.small = nn.Parameter(torch.zeros(2, 2))

    def maps(self, x):
        found = []
        for stage in self.stages:
            x = stage(x).relu()
            found.append(x)
        return found

    def parts(self, x):
        values, gates = self.out(x).chunk(2, 0)
        return {"values": values, "gates": gates.sigmoid(), "x": x}

    def both(self, x):
        return self.out(x), x


class Raw(Base):
    def by_list(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            maps = self.maps(x)
            with full():
                return [side(one) for side, one in zip(self.sides, maps)]  # expect: TL409

    def by_dict(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            got = self.parts(x)
            with full():
                return self.out(got["values"] * got["gates"])  # expect: TL409

    def by_tuple(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            low, _ = self.both(x)
            with full():
                return self.out(low)  # expect: TL409

    def by_method(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            got = self.parts(x)
            with full():
                return self.place(got)

    def place(self, got):
        return F.linear(got["values"], self.small)  # expect: TL409

    def by_mask(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            low = self.out(x).masked_fill(x > 0, 0.0)
            with full():
                return self.out(torch.where(x > 0, low, torch.zeros_like(low)))  # expect: TL409

    def by_sum(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            low = self.out(x)
            with full():
                return torch.addmm(self.small, low, self.small)  # expect: TL409


class Kept(Base):
    def by_list(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            maps = self.maps(x)
            with full():
                return [side(one.float()) for side, one in zip(self.sides, maps)]  # ok: TL409

    def by_dict(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            got = self.parts(x)
            with full():
                return self.out(got["x"])  # ok: TL409  the input itself

    def by_tuple(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            _, same = self.both(x)
            with full():
                return self.out(same)  # ok: TL409

    def by_method(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            got = {key: value.float() for key, value in self.parts(x).items()}
            with full():
                return self.place(got)

    def place(self, got):
        return F.linear(got["values"], self.small)  # ok: TL409

    def by_mask(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            low = self.out(x)
            with full():
                return self.out(torch.where(x > 0, low, x))  # ok: TL409  the wider of the two

    def by_place_of_its_own(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.place(self.parts(x))


def _methods(kind):
    return [getattr(kind, name) for name in vars(kind) if name.startswith("by_")]


def demonstrate():
    x = torch.rand(2, 2)
    for run in _methods(Raw):
        try:
            run(Raw(), x)
            raise AssertionError(run)
        except RuntimeError as error:
            assert "dtype" in str(error)
    for run in _methods(Kept):
        run(Kept(), x)
