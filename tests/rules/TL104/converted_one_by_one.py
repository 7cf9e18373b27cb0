"""A kept list is converted element by element by the caller, and a function that calls itself hands it on."""
import torch
from torch import nn


class Converted(nn.Module):
    def __init__(self):
        super().__init__()
        self._edges = {}

    def forward(self, x):
        edges = self._edges_of(x.shape[0], x.device)
        rows, columns = [one.to(x.device) for one in edges]
        return x + x[rows] + columns[:, None]

    def _edges_of(self, count, device):
        if count in self._edges:
            return self._edges[count]
        rows = torch.arange(count).to(device)
        self._edges[count] = [rows, rows.flip(0)]  # ok: TL104  the caller moves each
        return self._edges_of(count, device)


class DictOfDicts(nn.Module):
    def __init__(self):
        super().__init__()
        self._edges = {}

    def forward(self, x):
        rows, columns = [one.to(x.device) for one in self._edges_of(x.shape[0], x.shape[1], x.device)]
        return x + x[rows] + columns[:, None]

    def _edges_of(self, count, width, device):
        if count in self._edges:
            kept = self._edges[count]
            if width in kept:
                return kept[width]
            rows = torch.arange(count).to(device)
            kept[width] = [rows, rows.flip(0)]  # ok: TL104  the caller moves each
            return kept[width]
        self._edges[count] = {}
        return self._edges_of(count, width, device)


class RawDictOfDicts(nn.Module):
    def __init__(self):
        super().__init__()
        self._edges = {}

    def forward(self, x):
        rows, columns = self._edges_of(x.shape[0], x.shape[1], x.device)
        return x + x[rows] + columns[:, None]

    def _edges_of(self, count, width, device):
        if count in self._edges:
            kept = self._edges[count]
            if width in kept:
                return kept[width]
            rows = torch.arange(count).to(device)
            kept[width] = [rows, rows.flip(0)]  # expect: TL104
            return kept[width]
        self._edges[count] = {}
        return self._edges_of(count, width, device)


class Raw(nn.Module):
    def __init__(self):
        super().__init__()
        self._edges = {}

    def forward(self, x):
        edges = self._edges_of(x.shape[0], x.device)
        rows, columns = [one + 0 for one in edges]
        return x + x[rows] + columns[:, None]

    def _edges_of(self, count, device):
        if count in self._edges:
            return self._edges[count]
        rows = torch.arange(count).to(device)
        self._edges[count] = [rows, rows.flip(0)]  # expect: TL104
        return self._edges_of(count, device)


class OneOfTwo(nn.Module):
    def __init__(self):
        super().__init__()
        self._edges = {}

    def forward(self, x):
        rows, columns = [one.to(x.device) for one in self._edges_of(x.shape[0], x.device)]
        return x + x[rows] + columns[:, None]

    def degree(self, x):
        return x + sum(one[:, None] for one in self._edges_of(x.shape[0], x.device))

    def _edges_of(self, count, device):
        if count not in self._edges:
            rows = torch.arange(count).to(device)
            self._edges[count] = [rows, rows.flip(0)]  # expect: TL104
        return self._edges[count]


class AddsToItsOwn(nn.Module):
    def __init__(self):
        super().__init__()
        self._offsets = {}

    def forward(self, x):
        return x + self._offset(x.shape[0], x.device).to(x.device)[:, None]

    def _offset(self, count, device):
        if count not in self._offsets:
            self._offsets[count] = torch.arange(count).to(device)  # expect: TL104
        if count > 8:
            return self._offset(8, device) + torch.ones(8, device=device)
        return self._offsets[count]


def demonstrate():
    x = torch.ones(2, 2)
    for kind, raises in ((Converted, False), (DictOfDicts, False), (Raw, True), (RawDictOfDicts, True)):
        module = kind()
        module(x)
        try:
            module(x.to("meta"))
        except (RuntimeError, NotImplementedError):
            assert raises
        else:
            assert not raises
    module = OneOfTwo()
    assert module.degree(x).shape == x.shape
    assert AddsToItsOwn()(x).shape == x.shape
