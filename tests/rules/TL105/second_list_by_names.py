"""Buffers that are registered under numbered names, or all of them, are collected a second time."""
import torch
from torch import nn


class Scales(nn.Module):
    def __init__(self, sizes=(2, 3)):
        super().__init__()
        self.sizes = list(sizes)
        for size in self.sizes:
            self.register_buffer(f"scale_{size}", torch.tensor([float(size)]), persistent=False)
            self.register_parameter(f"weight_{size}", nn.Parameter(torch.ones(1)))
        self.collect()

    def collect(self):
        pass

    def scale(self, index: int):
        raise NotImplementedError

    def forward(self, x):
        for index in range(len(self.sizes)):
            x = x * self.scale(index)
        return x


class ByNumber(Scales):
    def collect(self):
        self.found = [getattr(self, f"scale_{size}") for size in self.sizes]  # expect: TL105

    def scale(self, index):
        return self.found[index]


class AllOfThem(Scales):
    def collect(self):
        self.found = dict(self.named_buffers())  # expect: TL105

    def scale(self, index):
        return self.found[f"scale_{self.sizes[index]}"]


class AllInAList(Scales):
    def collect(self):
        self.found = [buffer for buffer in self.buffers()]  # expect: TL105

    def scale(self, index):
        return self.found[index]


class OnlyNames(Scales):
    def collect(self):
        self.found = [name for name, _ in self.named_buffers()]  # ok: TL105

    def scale(self, index):
        return getattr(self, self.found[index])


class Parameters(Scales):
    def collect(self):
        self.found = [getattr(self, f"weight_{size}") for size in self.sizes]  # ok: TL105  a Parameter stays the object

    def scale(self, index):
        return self.found[index]


class WhenItIsRead(Scales):
    def scale(self, index):
        found = [getattr(self, f"scale_{size}") for size in self.sizes]  # ok: TL105
        return found[index]


class Registry(Scales):
    def collect(self):
        self.found = self._buffers  # ok: TL105  the registry itself

    def scale(self, index):
        return self.found[f"scale_{self.sizes[index]}"]


def demonstrate():
    x = torch.ones(1)
    for kind, follows in (
        (ByNumber, False), (AllOfThem, False), (AllInAList, False), (OnlyNames, True), (Parameters, True),
        (WhenItIsRead, True), (Registry, True),
    ):
        module = kind()
        module(x)
        assert (module.half()(x.half()).dtype == torch.float16) is follows, kind
