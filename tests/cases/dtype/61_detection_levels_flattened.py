"""Each pyramid level is permuted in one helper and viewed in another: the merge spans dimensions that are no longer adjacent.

source: open-mmlab/mmdetection#3182, SSD/RetinaNet heads without .contiguous()
rules: [TL205]
"""
import torch
from torch import nn


def channels_last(level):
    return level.permute(0, 2, 3, 1)


def to_rows(level, width):
    return channels_last(level).view(level.shape[0], -1, width)  # expect: TL205


def to_pixels(level):
    """Only height and width are merged: they are still next to each other."""
    b, c, h, w = level.shape
    return channels_last(level).view(b, h * w, c)  # ok: TL205


class Head(nn.Module):
    def __init__(self, dim=4, anchors=3, classes=5):
        super().__init__()
        self.classes = classes
        self.cls = nn.Conv2d(dim, anchors * classes, 3, padding=1)

    def rows(self, level):
        return to_rows(level, self.classes)

    def forward(self, pyramid):
        return torch.cat([self.rows(self.cls(level)) for level in pyramid], dim=1)


class HeadReshaped(Head):
    def rows(self, level):
        return channels_last(level).reshape(level.shape[0], -1, self.classes)  # ok: TL205


class HeadSplitFirst(Head):
    """The channel is split before the permute; contiguous() makes the merge legal."""

    def rows(self, level):
        b, _, h, w = level.shape
        split = level.view(b, -1, self.classes, h, w)  # ok: TL205
        return split.permute(0, 3, 4, 1, 2).contiguous().view(b, -1, self.classes)  # ok: TL205


class PixelHead(Head):
    def rows(self, level):
        return to_pixels(level)


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    pyramid = [torch.randn(2, 4, s, s) for s in (4, 2)]
    try:
        Head()(pyramid)
        raise AssertionError("view merged strided dimensions")
    except RuntimeError as err:
        assert "view size is not compatible" in str(err), err
    state = Head().state_dict()
    outs = []
    for cls in (HeadReshaped, HeadSplitFirst):
        head = cls()
        head.load_state_dict(state)
        outs.append(head(pyramid))
    assert outs[0].shape == (2, 60, 5) and torch.allclose(*outs)
    assert PixelHead()(pyramid).shape == (2, 20, 15)
