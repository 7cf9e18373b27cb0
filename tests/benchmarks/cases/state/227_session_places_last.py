"""An inference session switches its networks to eval mode while it opens them and places and casts them afterwards.

source: ultralytics/ultralytics#23780 (eval before half), session objects of demo servers
rules: [TL303, TL103]
"""
from dataclasses import dataclass, field
from typing import Callable, Dict, List

import torch
from torch import nn


class Smoother(nn.Module):
    """A separable kernel whose outer product is prepared when evaluation starts."""

    def __init__(self, n: int = 3):
        super().__init__()
        self.row = nn.Parameter(torch.rand(n))
        self.kernel = None

    def outer(self) -> torch.Tensor:
        return torch.outer(self.row, self.row)[None, None]

    @torch.no_grad()
    def train(self, mode: bool = True):
        self.kernel = None if mode else self.outer()  # expect: TL103
        return super().train(mode)

    def forward(self, x):
        k = self.outer() if self.kernel is None else self.kernel
        return nn.functional.conv2d(x, k)


class Edges(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 3)

    def forward(self, x):
        return self.conv(x).abs()


@dataclass
class Session:
    makers: Dict[str, Callable[[], nn.Module]]
    placement: dict = field(default_factory=dict)
    log: List[str] = field(default_factory=list)

    def open(self, name: str) -> nn.Module:
        self.log.append(name)
        return self.makers[name]()


class SmoothingSession(Session):
    def smoother(self) -> Smoother:
        net = Smoother()
        net.eval()
        self.log.append("smoother")
        if self.placement:
            net.to(**self.placement)  # expect: TL303
        return net

    def edges(self) -> Edges:
        net = Edges()
        net.eval()
        return net.to(**self.placement)  # ok: TL303


class OrderedSession(Session):
    def smoother(self) -> Smoother:
        net = Smoother().to(**self.placement)  # ok: TL303
        net.eval()
        return net

    def again(self, net: Smoother, **placement) -> Smoother:
        """A network that serves already is taken through training mode for the move."""
        net.train()
        net.to(**placement)  # ok: TL303
        return net.eval()


# ---- demonstration: not part of the graded code ----
def _works(net, x) -> bool:
    try:
        return net(x).dtype == x.dtype
    except RuntimeError:
        return False


def demonstrate():
    x = torch.randn(1, 1, 5, 5)
    where = dict(dtype=torch.float64)
    assert not _works(SmoothingSession({}, where).smoother(), x.double())
    assert _works(SmoothingSession({}, {}).smoother(), x)
    assert _works(SmoothingSession({}, where).edges(), x.double())
    ordered = OrderedSession({}, where)
    assert _works(ordered.smoother(), x.double())
    assert _works(ordered.again(ordered.smoother(), dtype=torch.float32), x)
    assert isinstance(Session({"edges": Edges}).open("edges"), Edges)
