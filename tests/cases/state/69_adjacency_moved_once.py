"""Skeleton graph network: the adjacency is moved in the constructor to the device of that moment and is no buffer.

source: Lightning-AI/pytorch-lightning#3674, graph convolution code of the ST-GCN family (buffers in the original)
rules: [TL101]
"""
from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import nn

EDGES = [(0, 1), (1, 2), (1, 3), (3, 4)]


class Skeleton:
    """Plain holder of numpy arrays."""

    def __init__(self, edges, hops: int = 2):
        self.n = max(max(e) for e in edges) + 1
        base = np.eye(self.n)
        for i, j in edges:
            base[i, j] = base[j, i] = 1
        powers = [np.linalg.matrix_power(base, k) > 0 for k in range(hops + 1)]
        self.A = np.stack([p / p.sum(0) for p in powers])  # ok: TL101


class GraphConv(nn.Module):
    def __init__(self, args: argparse.Namespace, graph: Skeleton):
        super().__init__()
        self.theta = nn.ModuleList(nn.Linear(args.width, args.width) for _ in graph.A)
        self.set_graph(graph.A, args)

    def set_graph(self, A: np.ndarray, args) -> None:
        raise NotImplementedError

    def mix(self, x):
        return torch.einsum("kvw,bwc->kbvc", self.A, x)

    def forward(self, x):
        return sum(t(h) for t, h in zip(self.theta, self.mix(x))).relu()


class PlacedGraphConv(GraphConv):
    def set_graph(self, A, args):
        A = torch.from_numpy(A.astype(np.float32))
        self.A = A.to(args.device, non_blocking=True)  # expect: TL101
        self.degree = A.sum(-1).mean().item()  # ok: TL101


class SparseGraphConv(GraphConv):
    def set_graph(self, A, args):
        dense = torch.as_tensor(A, dtype=torch.float)
        setattr(self, "A_flat", dense.flatten(0, 1).to(args.device))  # expect: TL101

    def mix(self, x):
        return (self.A_flat @ x).unflatten(1, (len(self.theta), -1)).transpose(0, 1)


class BufferGraphConv(GraphConv):
    def set_graph(self, A, args):
        self.A: torch.Tensor
        self.register_buffer("A", torch.from_numpy(A).float().to(args.device))  # ok: TL101


class LearnedGraphConv(GraphConv):
    def set_graph(self, A, args):
        self.register_parameter("A", nn.Parameter(torch.tensor(A, dtype=torch.float32), requires_grad=False))  # ok: TL101


# ---- demonstration: not part of the graded code ----
def demonstrate():
    args = argparse.Namespace(width=3, device="cpu")
    x = torch.randn(2, 5, 3)
    want = None
    for cls, follows in ((PlacedGraphConv, False), (SparseGraphConv, False), (BufferGraphConv, True), (LearnedGraphConv, True)):
        torch.manual_seed(0)
        m = cls(args, Skeleton(EDGES))
        want = m(x) if want is None else want
        assert torch.allclose(m(x), want, atol=1e-5), cls
        m.to("meta")
        assert getattr(m, "A_flat" if cls is SparseGraphConv else "A").is_meta is follows, cls
        m = cls(args, Skeleton(EDGES)).double()
        try:
            ok = m(x.double()).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is follows, cls
