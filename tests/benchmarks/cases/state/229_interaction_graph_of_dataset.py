"""Recommender: the dataset builds the normalised interaction matrix, the model keeps what it is handed.

source: LightGCN-style code (graph handed over by the dataset and pinned to a device), Lightning-AI/pytorch-lightning#3674
rules: [TL101]
"""
from typing import List, Tuple

import torch
from torch import nn


class Interactions:
    """Plain data object."""

    def __init__(self, pairs: List[Tuple[int, int]], users: int, items: int):
        self.pairs, self.users, self.items = pairs, users, items
        self.lookup = torch.tensor(pairs)  # ok: TL101

    def laplacian(self, values: float = 1.0) -> torch.Tensor:
        n = self.users + self.items
        u, i = self.lookup.T
        a = torch.zeros(n, n)
        a[u, i + self.users] = values
        a = a + a.T
        d = a.sum(1).clamp_min(1.0).rsqrt()
        return d[:, None] * a * d


class Recommender(nn.Module):
    def __init__(self, data: Interactions, dim: int = 3, layers: int = 2):
        super().__init__()
        self.users, self.layers = data.users, layers
        self.table = nn.Embedding(data.users + data.items, dim)
        self._take(data)

    def _take(self, data: Interactions) -> None:
        raise NotImplementedError

    def propagate(self) -> torch.Tensor:
        h = self.table.weight
        hops = [h]
        for _ in range(self.layers):
            h = torch.mm(self.graph, h)
            hops.append(h)
        return torch.stack(hops).mean(0)

    def forward(self, users, items):
        z = self.propagate()
        return (z[users] * z[self.users + items]).sum(-1)


class KeepsGraph(Recommender):
    def _take(self, data):
        self.data = data  # ok: TL101
        self.graph = data.laplacian()  # expect: TL101
        self.edges = int((self.graph > 0).sum())  # ok: TL101


class RegistersGraph(Recommender):
    def _take(self, data):
        graph = data.laplacian()
        self.edges = len(data.pairs)  # ok: TL101
        self.register_buffer("graph", graph, persistent=False)


class InitialisedByGraph(RegistersGraph):
    """The degree only scales the first draw of the embeddings and is not needed afterwards."""

    def __init__(self, data, **kw):
        super().__init__(data, **kw)
        self.first_norm = self.graph.sum(1, keepdim=True).sqrt()  # ok: TL101, TL106
        with torch.no_grad():
            self.table.weight.mul_(self.first_norm)
        del self.first_norm


# ---- demonstration: not part of the graded code ----
def demonstrate():
    data = Interactions([(0, 0), (0, 1), (1, 1), (2, 0)], 3, 2)
    users, items = torch.tensor([0, 2]), torch.tensor([1, 0])
    for cls, follows in ((KeepsGraph, False), (RegistersGraph, True), (InitialisedByGraph, True)):
        m = cls(data)
        m(users, items)
        m.double()
        try:
            ok = m(users, items).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is follows, cls
        assert cls(data).to("meta").graph.is_meta is follows
