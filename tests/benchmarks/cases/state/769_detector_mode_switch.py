"""Detector whose train() returns nothing, an image pyramid with an attribute called half, an exporter whose state_dict() takes no arguments.

source: written from scratch after reports of eval() returning None
rules: [TL108]
"""
import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, width, 1), nn.BatchNorm2d(width), nn.ReLU())
        self.neck = nn.Dropout(0.3)
        self.head = nn.Conv2d(width, 5, 1)

    def forward(self, x):
        return self.head(self.neck(self.backbone(x)))


class StatueDetector(Detector):
    def train(self, mode=True):  # expect: TL108
        super().train(mode)
        self.backbone.eval()


class PinnedDetector(Detector):
    def train(self, mode=True):  # ok: TL108
        super().train(mode)
        self.backbone.eval()
        return self


class LoopDetector(Detector):
    """Spells out what the base class would do."""

    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for name, child in self.named_children():
            child.train(mode and name != "backbone")
        return self


def load_detector(state: dict, pinned: bool = True) -> Detector:
    net = PinnedDetector() if pinned else StatueDetector()
    net.load_state_dict(state)
    return net.eval()


class Pyramid(nn.Module):
    def __init__(self, kernel: int = 5, levels: int = 2):
        super().__init__()
        self.half = kernel // 2  # expect: TL108
        self.levels = levels
        self.blur = nn.AvgPool2d(kernel, stride=1, padding=self.half)

    def forward(self, x):
        return [x] + [x := self.blur(x)[..., ::2, ::2] for _ in range(self.levels)]


class RenamedPyramid(nn.Module):
    def __init__(self, kernel: int = 5, levels: int = 2):
        super().__init__()
        self.half_width = kernel // 2  # ok: TL108
        self.levels = levels
        self.blur = nn.AvgPool2d(kernel, stride=1, padding=self.half_width)

    def forward(self, x):
        return [x] + [x := self.blur(x)[..., ::2, ::2] for _ in range(self.levels)]


class ExportedHead(nn.Linear):
    def state_dict(self):  # expect: TL108
        return {"kernel": self.weight.detach().t(), "bias": self.bias.detach()}


class KeptHead(nn.Linear):
    def state_dict(self, *args, **kwargs):  # ok: TL108
        return super().state_dict(*args, **kwargs)

    def export(self) -> dict:
        return {"kernel": self.weight.detach().t(), "bias": self.bias.detach()}


# ---- demonstration: not part of the graded code ----
def demonstrate():
    state = Detector().state_dict()
    assert load_detector(state, pinned=False) is None
    net = load_detector(state)
    assert isinstance(net, PinnedDetector) and not net.neck.training
    net.train()
    assert net.neck.training and not net.backbone[1].training
    loop = LoopDetector().train()
    assert loop.neck.training and not loop.backbone.training and loop.eval() is loop and not loop.head.training
    try:
        Pyramid().half()
        raise AssertionError("an int is not callable")
    except TypeError:
        pass
    assert len(RenamedPyramid().half()(torch.ones(1, 1, 8, 8).half())) == 3
    try:
        nn.Sequential(ExportedHead(2, 2)).state_dict()
        raise AssertionError("a parent passes destination and prefix")
    except TypeError:
        pass
    assert set(nn.Sequential(KeptHead(2, 2)).state_dict()) == {"0.weight", "0.bias"}
