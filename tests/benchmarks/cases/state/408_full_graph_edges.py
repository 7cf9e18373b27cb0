"""Edges of fully connected molecules are kept by atom count and batch size; where they live is not part of the key.

source: equivariant diffusion code that keeps adjacency indices in nested dicts on the model; rebuilt from scratch
rules: [TL104]
"""
from functools import partial

import torch
from torch import nn


def pairs(n: int, batch: int, device) -> torch.Tensor:
    i, j = torch.meshgrid(torch.arange(n, device=device), torch.arange(n, device=device), indexing="ij")
    off = torch.arange(batch, device=device)[:, None] * n
    return torch.stack([(i.flatten() + off).flatten(), (j.flatten() + off).flatten()])


class Dynamics(nn.Module):
    def __init__(self, feats: int = 3):
        super().__init__()
        self.msg = nn.Linear(2 * feats, feats)
        self._edges = {}

    def edges_for(self, n: int, batch: int, device) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        batch, n, _ = h.shape
        flat = h.flatten(0, 1)
        src, dst = self.edges_for(n, batch, h.device)
        return flat.index_add(0, dst, self.msg(torch.cat([flat[src], flat[dst]], -1))).view_as(h)


class NestedKeys(Dynamics):
    def edges_for(self, n, batch, device):
        per_batch = self._edges.setdefault(n, {})
        try:
            return per_batch[batch]
        except KeyError:
            per_batch[batch] = pairs(n, batch, device)  # expect: TL104
        return per_batch[batch]


class LargestOnly(Dynamics):
    """One graph, of the largest batch so far, of which smaller batches take a part: the atom count is not compared."""

    def __init__(self, feats: int = 3):
        super().__init__(feats)
        self.seen = 0
        self.make = partial(pairs)

    def edges_for(self, n, batch, device):
        if batch > self.seen:
            self._edges["all"] = self.make(n, batch, device)  # expect: TL104
            self.seen = batch
        return self._edges["all"][:, : batch * n * n].to(device)


class PlacedKeys(Dynamics):
    def edges_for(self, n, batch, device):
        key = n, batch, device
        if key not in self._edges:
            self._edges[key] = pairs(*key)  # ok: TL104, TL102
        return self._edges[key]


class ConvertedKeys(Dynamics):
    """Kept on the CPU once per size and copied to the input at each use."""

    def edges_for(self, n, batch, device):
        if (n, batch) not in self._edges:
            self._edges[n, batch] = pairs(n, batch, "cpu")  # ok: TL104, TL102
        return self._edges[n, batch].to(device)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    h = torch.randn(2, 3, 3)
    for cls, follows in ((NestedKeys, False), (PlacedKeys, True), (ConvertedKeys, True)):
        m = cls()
        m(h)
        m.to("meta")
        assert (m.edges_for(3, 2, torch.device("meta")).device.type == "meta") is follows, cls
    used, fresh = LargestOnly(), LargestOnly()
    used(h)
    small = torch.randn(1, 4, 3)
    assert fresh.edges_for(4, 1, "cpu").shape == (2, 16)
    assert used.edges_for(4, 1, "cpu").max() != fresh.edges_for(4, 1, "cpu").max(), small.shape
