"""A network is given its parts and fills those whose class it knows: only what it fills is filled."""
import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, entries: int, dim: int):
        super().__init__()
        self.entries = nn.Parameter(torch.FloatTensor(entries, dim))  # note: TL202
        self.lengths = nn.Parameter(torch.FloatTensor(entries, 1))  # note: TL202
        self.middle = nn.Parameter(torch.FloatTensor(dim))  # expect: TL202
        self.signs = nn.Parameter(torch.ones(entries, dim))  # ok: TL202

    def forward(self, chosen):
        return chosen @ (self.entries * self.lengths + self.signs) + self.middle


class Memory(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.slots = nn.Parameter(torch.FloatTensor(dim, dim))  # expect: TL202
        self.start = nn.Parameter(torch.FloatTensor(dim))  # note: TL202
        self.keys = nn.Parameter(torch.zeros(dim, dim))  # ok: TL202
        self.tail = nn.Parameter(torch.tensor([0.0] * dim))  # ok: TL202

    def forward(self, x):
        return x @ (self.slots + self.keys) + self.start + self.tail


class Other(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.slots = nn.Parameter(torch.eye(dim))  # ok: TL202
        self.start = nn.Parameter(torch.empty(dim).fill_(1))  # ok: TL202

    def forward(self, x):
        return x @ self.slots * self.start


class Network(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)
        self.visit(self._init_weights)

    def visit(self, visitor):
        self.apply(visitor)

    def _init_weights(self, module):
        if isinstance(module, Codebook):
            nn.init.uniform_(module.entries)
            module.lengths.data.fill_(1.0)
        elif isinstance(module, (Other, Memory)):
            with torch.no_grad():
                module.start[:] = 0
        if isinstance(module, Other):
            nn.init.eye_(module.slots)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


def demonstrate():
    torch.use_deterministic_algorithms(True)
    try:
        book, memory = Codebook(3, 2), Memory(2)
        Network(book, memory, Other(2))
    finally:
        torch.use_deterministic_algorithms(False)
    # In this mode torch fills reserved memory with NaN.
    assert all(part.isfinite().all() for part in (book.entries, book.lengths, memory.start))
    assert book.middle.isnan().all()
    assert memory.slots.isnan().all()
