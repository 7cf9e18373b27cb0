"""Retrieval evaluation: one helper extracts features for query and gallery; the guard stands around the distances only.

source: leftthomas/SRGAN#43 and hszhao/semseg#60 (memory grows in evaluation), re-identification test scripts
rules: [TL304]
"""
from typing import Dict, Iterable, List, Tuple

import torch
from torch import Tensor, nn

graphs: List[bool] = []


class Embedder(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, dim), nn.BatchNorm1d(dim))

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.normalize(self.net(x), dim=-1)


def extract(net: nn.Module, loader: Iterable[Tensor], flip: bool = True) -> Tensor:
    rows = []
    for x in loader:
        f = net(x)
        if flip:
            f = f + net(x.flip(-1))
        rows.append(f)
    out = torch.cat(rows)
    graphs.append(out.requires_grad)
    return out


def first_hits(q: Tensor, g: Tensor) -> Tensor:
    return torch.cdist(q, g).argmin(1)


class Retrieval:
    def __init__(self, sets: Dict[str, List[Tensor]]):
        self.sets = sets

    def rank1(self, net: Embedder) -> Tensor:
        raise NotImplementedError


class LateGuard(Retrieval):
    def rank1(self, net):
        net.eval()  # expect: TL304
        feats = {name: extract(net, loader) for name, loader in self.sets.items()}
        with torch.no_grad():
            return first_hits(feats["query"], feats["gallery"])


class EarlyGuard(Retrieval):
    def rank1(self, net):
        net.eval()  # ok: TL304
        with torch.no_grad():
            feats = {name: extract(net, loader) for name, loader in self.sets.items()}
        return first_hits(feats["query"], feats["gallery"])


quiet_extract = torch.no_grad()(extract)


class WrappedHelper(Retrieval):
    def rank1(self, net):
        net.eval()  # ok: TL304
        q, g = (quiet_extract(net, self.sets[k], flip=False) for k in ("query", "gallery"))
        return first_hits(q, g)


def adapt(net: Embedder, loader: Iterable[Tensor], lr: float = 0.1) -> Tuple[float, ...]:
    """Test-time adaptation: eval mode keeps the statistics, the gradients are the point."""
    net.eval()  # ok: TL304
    opt = torch.optim.SGD(net.parameters(), lr)
    seen = []
    for x in loader:
        loss = -net(x).std(0).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen.append(loss.item())
    return tuple(seen)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    sets = {k: [torch.randn(4, 3) for _ in range(2)] for k in ("query", "gallery")}
    for cls, records in ((LateGuard, True), (EarlyGuard, False), (WrappedHelper, False)):
        graphs.clear()
        assert cls(sets).rank1(Embedder()).shape == (8,)
        assert graphs == [records, records], cls
    assert len(adapt(Embedder(), sets["query"])) == 2
