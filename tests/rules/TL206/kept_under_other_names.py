"""The dtypes come from a property, a method or an attribute, or are the keys of a dict: the line does not say so."""

from collections import defaultdict

import torch
from torch import nn


class Parts:
    def __init__(self, *parts: nn.Module):
        self.parts = parts
        self.found = [p.dtype for part in parts for p in part.parameters()]
        self.sizes = [p.dtype.itemsize for part in parts for p in part.parameters()]

    @property
    def kinds(self):
        return [p.dtype for part in self.parts for p in part.parameters()]

    @property
    def widths(self):
        return [p.dtype.itemsize for part in self.parts for p in part.parameters()]

    def all_kinds(self):
        return {p.dtype for part in self.parts for p in part.parameters()}

    def widest(self):
        return max(self.kinds)  # expect: TL206

    def widest_of_all(self):
        return sorted(self.all_kinds())[-1]  # expect: TL206

    def widest_found(self):
        return max(self.found)  # expect: TL206

    def widest_size(self):
        return max(self.sizes), max(self.widths)  # ok: TL206  numbers

    def widest_by_bits(self):
        return max(self.kinds, key=lambda kind: torch.finfo(kind).bits)  # ok: TL206


def kinds_of(model: nn.Module):
    return [p.dtype for p in model.parameters()]


def by_function(model: nn.Module):
    return min(kinds_of(model))  # expect: TL206


def table(model: nn.Module):
    names = {}
    for name, p in model.named_parameters():
        names.setdefault(p.dtype, []).append(name)
    return [(kind, names[kind]) for kind in sorted(names)]  # expect: TL206


def counted(model: nn.Module):
    counts = {}
    for p in model.parameters():
        counts[p.dtype] = counts.get(p.dtype, 0) + 1
    return sorted(counts.items())  # expect: TL206


def grouped(model: nn.Module):
    groups = defaultdict(list)
    for p in model.parameters():
        groups[p.dtype].append(p)
    return [groups[kind] for kind in sorted(groups.keys())]  # expect: TL206


def grouped_by_name(model: nn.Module):
    groups = defaultdict(list)
    for p in model.parameters():
        groups[str(p.dtype)].append(p)
    return [groups[kind] for kind in sorted(groups)]  # ok: TL206  texts


def most_used(model: nn.Module):
    counts = {}
    for p in model.parameters():
        counts[p.dtype] = counts.get(p.dtype, 0) + 1
    return max(counts.values()), max(counts, key=counts.get)  # ok: TL206  numbers


def demonstrate():
    model = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1).half())
    parts = Parts(model)
    refused = [parts.widest, parts.widest_of_all, parts.widest_found]
    refused += [lambda call=call: call(model) for call in (by_function, table, counted, grouped)]
    for call in refused:
        try:
            call()
            raise AssertionError("dtypes were ordered")
        except TypeError as error:
            assert "not supported between" in str(error)
    parts.widest_size(), parts.widest_by_bits(), grouped_by_name(model), most_used(model)
