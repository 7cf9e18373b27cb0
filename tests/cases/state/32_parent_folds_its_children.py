"""train(False) of the network folds normalisation into the kernels of its blocks and leaves the result on the blocks.

source: conv-bn folding in detectors' eval mode, ultralytics/ultralytics#23780; fold by a parent over modules()
rules: [TL103]
"""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, a: int, b: int):
        super().__init__()
        self.conv = nn.Conv2d(a, b, 1, bias=False)
        self.norm = nn.BatchNorm2d(b)
        self.folded = None

    @torch.no_grad()
    def fold(self):
        gain = self.norm.weight / (self.norm.running_var + self.norm.eps).sqrt()
        return self.conv.weight * gain[:, None, None, None], self.norm.bias - self.norm.running_mean * gain

    def forward(self, x):
        if self.folded is not None:
            return F.conv2d(x, *self.folded).relu()
        return self.norm(self.conv(x)).relu()


class Net(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.blocks = nn.Sequential(Block(3, width), Block(width, width))

    def forward(self, x):
        return self.blocks(x)


class FoldingNet(Net):
    def train(self, mode: bool = True):
        super().train(mode)
        for m in self.modules():
            if isinstance(m, Block):
                m.folded = None if mode else m.fold()  # expect: TL103
        return self


class CarefulNet(Net):
    """Drops what was folded on every event that can make it old."""

    def unfold(self) -> None:
        for b in self.blocks:
            b.folded = None

    def train(self, mode: bool = True):
        super().train(mode)
        for b in self.blocks:
            b.folded = None if mode else b.fold()  # ok: TL103
        return self

    def _apply(self, fn, recurse=True):
        self.unfold()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kw):
        self.unfold()
        return super()._load_from_state_dict(*args, **kw)


class FlaggingNet(Net):
    def train(self, mode: bool = True):  # ok: TL103
        super().train(mode)
        for b in self.blocks:
            b.folding_allowed = not mode
        return self


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.rand(2, 3, 2, 2)
    for cls, faithful in ((FoldingNet, False), (CarefulNet, True), (FlaggingNet, True)):
        src = cls()
        for _ in range(3):
            src(x * 3)
        want = Net()
        want.load_state_dict(src.state_dict())
        want.eval()
        net = nn.ModuleList([cls()]).eval()
        net.load_state_dict({"0." + k: v for k, v in src.state_dict().items()})
        assert torch.allclose(net[0](x), want(x), atol=1e-5) is faithful, cls
        net = cls().eval().double()
        try:
            ok = net(x.double()).dtype == torch.float64
        except RuntimeError as exc:
            assert "type" in str(exc), exc
            ok = False
        assert ok is faithful, cls
