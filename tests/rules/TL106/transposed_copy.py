"""A detached copy in the layout of its source is a reference; a transposed one is there to be computed with."""
import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, entries: int = 4, dim: int = 3):
        super().__init__()
        self.table = nn.Parameter(torch.randn(entries, dim))
        self.finish()

    def finish(self):
        pass

    def forward(self, x):
        return x @ self.table.mT


class Transposed(Codebook):
    def finish(self):
        table = self.table.data
        self.flipped = table.transpose(0, 1).clone()  # expect: TL106

    def forward(self, x):
        return x @ self.flipped


class Permuted(Codebook):
    def finish(self):
        self.register_buffer("flipped", self.table.detach().permute(1, 0).clone())  # expect: TL106

    def forward(self, x):
        return x @ self.flipped


class Reference(Codebook):
    def finish(self):
        self.register_buffer("start", self.table.detach().clone())  # note: TL106

    def drift(self):
        return (self.table - self.start).square().sum()


class Refreshed(Codebook):
    def finish(self):
        self.flipped = self.table.data.mT.clone()  # ok: TL106  forward makes it again

    def forward(self, x):
        self.flipped = self.table.detach().mT.clone()
        return x @ self.flipped


def demonstrate():
    x = torch.ones(2, 3)
    for kind, follows in ((Transposed, False), (Permuted, False), (Reference, True), (Refreshed, True)):
        module = kind()
        with torch.no_grad():
            module.table.add_(1.0)
        assert torch.equal(module(x), x @ module.table.mT) is follows, kind
