"""Graph convolution with a "cached" switch: the normalised adjacency of the first graph answers for every later one.

source: pyg-team/pytorch_geometric#3762, #1173 and #619 (cached=True with a second graph), VITA-Group/Deep_GCN_Benchmarking#2
rules: [TL104]
"""
from typing import Optional, Tuple

import torch
from torch import Tensor, nn


def sym_norm(edges: Tensor, nodes: int, dtype: torch.dtype) -> Tuple[Tensor, Tensor]:
    loops = torch.arange(nodes, device=edges.device).expand(2, -1)
    full = torch.cat([edges, loops], dim=1)
    deg = torch.zeros(nodes, dtype=dtype, device=edges.device)
    deg.index_add_(0, full[1], torch.ones(full.shape[1], dtype=dtype, device=edges.device))
    inv = deg.rsqrt()
    return full, inv[full[0]] * inv[full[1]]


class Propagate(nn.Module):
    def __init__(self, n_in: int, n_out: int, cached: bool = False):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out, bias=False)
        self.cached = cached
        self._norm: Optional[Tuple[Tensor, Tensor]] = None

    def normalised(self, x: Tensor, edges: Tensor) -> Tuple[Tensor, Tensor]:
        kept = self._norm
        if kept is None:
            kept = sym_norm(edges, x.shape[0], x.dtype)
            if self.cached:
                self._norm = kept  # expect: TL104
        return kept

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        (src, dst), w = self.normalised(x, edges)
        h = self.lin(x)
        return torch.zeros_like(h).index_add_(0, dst, w[:, None] * h[src])


class GridPropagate(nn.Module):
    """The graph is the 4-neighbourhood of an image: its size determines it, and the weights are converted where they are read."""

    def __init__(self, n_in: int, n_out: int):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out, bias=False)
        self._graphs: dict = {}

    @staticmethod
    def edges(h: int, w: int) -> Tensor:
        ids = torch.arange(h * w).view(h, w)
        right = torch.stack([ids[:, :-1].flatten(), ids[:, 1:].flatten()])
        down = torch.stack([ids[:-1].flatten(), ids[1:].flatten()])
        return torch.cat([right, down, right.flip(0), down.flip(0)], dim=1)

    def forward(self, image: Tensor) -> Tensor:
        h, w = image.shape[:2]
        if (h, w) not in self._graphs:
            self._graphs[h, w] = sym_norm(self.edges(h, w), h * w, torch.float32)  # ok: TL104, TL102
        ends, weight = self._graphs[h, w]
        src, dst = ends.to(image.device)
        z = self.lin(image.flatten(0, 1))
        return torch.zeros_like(z).index_add_(0, dst, weight.to(z)[:, None] * z[src]).view(h, w, -1)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    ring = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    star = torch.tensor([[0, 0, 0, 1], [1, 2, 3, 0]])
    x = torch.randn(4, 3)
    plain, quick = Propagate(3, 2), Propagate(3, 2, cached=True)
    quick.load_state_dict(plain.state_dict())
    assert torch.allclose(plain(x, ring), quick(x, ring))
    assert not torch.allclose(plain(x, star), quick(x, star)), "the ring answers for the star"
    quick.double(), plain.double()
    assert plain.normalised(x.double(), ring)[1].dtype == torch.float64
    assert quick.normalised(x.double(), ring)[1].dtype == torch.float32
    quick.to("meta"), plain.to("meta")
    moved = x.double().to("meta"), ring.to("meta")
    assert plain(*moved).is_meta and quick.normalised(*moved)[1].device.type == "cpu"
    g = GridPropagate(3, 2)
    small, large = torch.randn(2, 3, 3), torch.randn(3, 2, 3)
    g(small)
    assert g(large).shape == (3, 2, 2) and g.double()(small.double()).dtype == torch.float64
    assert g.to("meta")(small.double().to("meta")).is_meta
