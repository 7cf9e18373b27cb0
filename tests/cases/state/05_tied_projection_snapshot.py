"""An output projection and a centred table are computed from embeddings in the constructor and read for ever after.

source: KhrulkovV/tt-pytorch#4, pytorch/pytorch#45567; item-embedding recommenders
rules: [TL106, TL101]
"""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


class Recommender(nn.Module):
    def __init__(self, items: int = 5, dim: int = 3):
        super().__init__()
        self.items = nn.Embedding(items, dim)
        self.user = nn.GRU(dim, dim, batch_first=True)
        self.wire()

    def wire(self) -> None:
        raise NotImplementedError

    def scores(self, h):
        raise NotImplementedError

    def forward(self, ids):
        return self.scores(self.user(self.items(ids))[0][:, -1])


class SnapshotRecommender(Recommender):
    def wire(self):
        centred = self.items.weight - self.items.weight.mean(0)
        self.out = centred.detach()  # expect: TL106

    def scores(self, h):
        return h @ self.out.mT


class DictRecommender(Recommender):
    """Through register_buffer and a helper of its own."""

    @staticmethod
    def unit(w):
        return F.normalize(w, dim=-1)

    def wire(self):
        state = {"unit_items": self.unit(self.items.weight.data)}
        for key, value in state.items():
            self.register_buffer(key, value, persistent=False)  # expect: TL106

    def scores(self, h):
        return h @ self.unit_items.mT


class SharedRecommender(Recommender):
    """The head has the very Parameter of the table."""

    def wire(self):
        self.head = nn.Linear(*reversed(self.items.weight.shape), bias=False)
        self.head.weight = self.items.weight  # ok: TL106

    def scores(self, h):
        return self.head(h)


class LiveRecommender(Recommender):
    def wire(self):
        self.centred = lambda: self.items.weight - self.items.weight.mean(0)  # ok: TL106, TL101

    def scores(self, h):
        return h @ self.centred().mT


class StartedRecommender(Recommender):
    """A second Parameter that only starts from the first."""

    def wire(self):
        self.out = nn.Parameter(self.items.weight.detach().clone())  # ok: TL106

    def scores(self, h):
        return h @ self.out.mT


# ---- demonstration: not part of the graded code ----
def demonstrate():
    ids = torch.tensor([[0, 1, 2], [3, 4, 0]])
    for cls, right in ((SnapshotRecommender, False), (DictRecommender, False), (SharedRecommender, True), (LiveRecommender, True), (StartedRecommender, True)):
        torch.manual_seed(0)
        a = cls()
        torch.manual_seed(1)
        b = cls()
        b.load_state_dict(a.state_dict())
        assert torch.allclose(a(ids), b(ids), atol=1e-6) is right, cls
    m = SnapshotRecommender().double()
    try:
        m(ids)
        raise AssertionError("expected a dtype clash")
    except RuntimeError:
        pass
