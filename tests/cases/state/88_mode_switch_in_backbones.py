"""Backbones with their own train()/eval(): no return value, a mode that is dropped, work that only eval() does.

source: open-mmlab/mmpretrain#1383, meta-pytorch/botorch#2702 (train returns None), pytorch/pytorch#52272
rules: [TL108]
"""
import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, width: int = 4, frozen_norm: bool = True):
        super().__init__()
        self.frozen_norm = frozen_norm
        self.conv = nn.Conv2d(3, width, 1)
        self.norm = nn.BatchNorm2d(width)
        self.drop = nn.Dropout(0.5)

    def pin(self) -> None:
        for m in self.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm):
                m.eval()

    def forward(self, x):
        return self.drop(self.norm(self.conv(x)))


class SilentBackbone(Backbone):
    def train(self, mode=True):  # expect: TL108
        super().train(mode)
        if mode and self.frozen_norm:
            self.pin()


class OneWayBackbone(Backbone):
    def train(self, mode: bool = True):  # expect: TL108
        super().train()
        if self.frozen_norm:
            self.pin()
        return self


class EvalOnlyBackbone(Backbone):
    """Frameworks switch the mode with train(False); this work is then skipped."""

    def eval(self):  # expect: TL108
        super().eval()
        self.scale = 0.5
        return self

    def forward(self, x):
        return super().forward(x) * getattr(self, "scale", 1.0)


class PinnedBackbone(Backbone):
    def train(self, mode: bool = True):  # ok: TL108
        result = super().train(mode)
        if mode and self.frozen_norm:
            self.pin()
        return result


class ArgsBackbone(Backbone):
    def train(self, *args, **kwargs):  # ok: TL108
        nn.Module.train(self, *args, **kwargs)
        self.pin()
        return self


class AlwaysEval(Backbone):
    """Frozen on purpose."""

    def train(self, mode: bool = True):  # use: TL108
        return super().train(False)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    assert SilentBackbone().train() is None and SilentBackbone().eval() is None
    m = OneWayBackbone()
    m.eval()
    assert m.training and m.drop.training, "eval() left everything in training mode"
    for good in (PinnedBackbone(), ArgsBackbone()):
        assert good.eval() is good and not good.drop.training
        assert good.train() is good and good.drop.training and not good.norm.training
    assert AlwaysEval().train().drop.training is False
    x = torch.randn(2, 3, 2, 2)
    a, b = EvalOnlyBackbone(), EvalOnlyBackbone()
    b.load_state_dict(a.state_dict())
    a.eval()
    nn.Sequential(b).eval()  # a parent calls train(False) of the child
    assert not torch.allclose(a(x), b(x))
