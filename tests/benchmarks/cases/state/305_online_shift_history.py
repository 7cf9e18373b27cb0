"""Online temporal shift: every block keeps channels of the previous frame and splices them into the next one.

source: online temporal-shift video models (mit-han-lab/temporal-shift-module's online demo as the harmless form), truncated training
rules: [TL102]
"""
import torch
from torch import nn


class ShiftBlock(nn.Module):
    fold = 2

    def __init__(self, width: int):
        super().__init__()
        self.mix = nn.Conv2d(width, width, 1)
        self.kept = None

    def shift(self, x: torch.Tensor) -> torch.Tensor:
        head, tail = x[:, : self.fold], x[:, self.fold :]
        before = self.kept if self.kept is not None else torch.zeros_like(head)
        self.keep(head)
        return torch.cat((before, tail), 1)

    def forward(self, x):
        return torch.relu(self.mix(self.shift(x)) + x)


class AttachedShift(ShiftBlock):
    def keep(self, part):
        self.kept = part  # expect: TL102


class ClonedShift(ShiftBlock):
    """clone() copies values and keeps the history."""

    def keep(self, part):
        fresh = part.clone()
        self.kept = fresh  # expect: TL102


class DetachedShift(ShiftBlock):
    def keep(self, part):
        self.kept = part.detach()  # ok: TL102

    def new_clip(self) -> None:
        self.kept = None


class FrameNet(nn.Module):
    def __init__(self, block=AttachedShift, width: int = 4, depth: int = 2):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 1)
        self.blocks = nn.Sequential(*(block(width) for _ in range(depth)))

    def forward(self, frame):
        feature = self.stem(frame)
        self.feature_norm = feature.norm().item()  # ok: TL102
        self.grid = tuple(feature.shape[-2:])  # ok: TL102
        return self.blocks(feature).mean()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for block in (AttachedShift, ClonedShift, DetachedShift):
        net = FrameNet(block)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        ok = True
        try:
            for frame in torch.randn(3, 1, 3, 4, 4):
                opt.zero_grad()
                net(frame).backward()
                opt.step()
        except RuntimeError as exc:
            assert "second time" in str(exc)
            ok = False
        assert ok is (block is DetachedShift), block
