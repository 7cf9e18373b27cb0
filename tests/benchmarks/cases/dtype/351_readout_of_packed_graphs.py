"""Graphs are packed into one big graph; the vector that tells which node belongs where is made of ones times the graph's number.

source: graph readouts that build their own batch vector ("index_add_(): Expected dtype int32/int64 for index"); pyg-style collate code
rules: [TL201]
"""
from collections import namedtuple

import torch
from torch import nn

Packed = namedtuple("Packed", "x owner count")


class Packer:
    def mark(self, number, size):
        return torch.ones(size) * number  # expect: TL201

    def __call__(self, graphs):
        owner = [self.mark(i, len(g["x"])) for i, g in enumerate(graphs)]
        return Packed(torch.cat([g["x"] for g in graphs]), torch.cat(owner), len(graphs))


class Readout(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.gate, self.out = nn.Linear(dim, 1), nn.Linear(dim, 2)

    def forward(self, packed):
        h = packed.x * self.gate(packed.x).sigmoid()
        pool = h.new_zeros(packed.count, h.size(1))
        pool.index_add_(0, packed.owner, h)  # use: TL201
        return self.out(pool)


class FullPacker(Packer):
    """torch.full takes the type of its value: an int gives int64."""

    def mark(self, number, size):
        return torch.full((size,), number)  # ok: TL201


class RepeatPacker(Packer):
    def __call__(self, graphs):
        sizes = torch.tensor([len(g["x"]) for g in graphs])
        owner = torch.repeat_interleave(torch.arange(len(graphs)), sizes)  # ok: TL201
        return Packed(torch.cat([g["x"] for g in graphs]), owner, len(graphs))


class LatePacker(Packer):
    """Marks with floating ones, but hands over whole numbers."""

    def mark(self, number, size):
        return torch.ones(size).mul(number).type(torch.int64)  # ok: TL201


class Mean(Readout):
    """Counts per graph are floating and are divided by, never indexed with."""

    def forward(self, packed):
        sizes = torch.zeros(packed.count, device=packed.x.device)  # ok: TL201
        sizes = sizes.scatter_add(0, packed.owner, torch.ones_like(packed.x[:, 0]))
        pool = packed.x.new_zeros(packed.count, packed.x.size(1)).index_add(0, packed.owner, packed.x)
        return self.out(pool / sizes[:, None])


def demonstrate():
    torch.manual_seed(0)
    graphs = [{"x": torch.randn(n, 4)} for n in (3, 1, 2)]
    try:
        Readout()(Packer()(graphs))
        raise AssertionError("floating owners were accepted")
    except RuntimeError as err:
        assert "index" in str(err), err
    for cls in (FullPacker, RepeatPacker, LatePacker):
        for net in (Readout(), Mean()):
            assert net(cls()(graphs)).shape == (3, 2)
