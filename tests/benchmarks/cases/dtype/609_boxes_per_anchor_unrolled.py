"""A one-stage detector turns its map into rows per box: the attribute goes last by permute, and view joins anchors, rows and columns.

source: the head of many YOLO reimplementations that lost `.contiguous()`; gluon-cv and mmcls fixes from view to reshape
rules: [TL205]
"""
import torch
from torch import nn


class YoloHead(nn.Module):
    def __init__(self, width=4, anchors=3, classes=2):
        super().__init__()
        self.anchors, self.attrs = anchors, 5 + classes
        self.out = nn.Conv2d(width, anchors * self.attrs, 1)

    def rows(self, pred):
        b, _, h, w = pred.shape
        pred = pred.view(b, self.anchors, self.attrs, h, w)  # ok: TL205
        return pred.permute(0, 1, 3, 4, 2)

    def forward(self, x):
        pred = self.rows(self.out(x))
        xy = pred[..., :2].sigmoid()
        rest = pred[..., 2:]
        return xy.view(x.size(0), -1, 2), rest.view(x.size(0), -1, self.attrs - 2)  # expect: TL205


class YoloHeadContiguous(YoloHead):
    def forward(self, x):
        pred = self.rows(self.out(x)).contiguous()
        return pred.view(x.size(0), -1, self.attrs), None  # ok: TL205


class YoloHeadCat(YoloHead):
    """cat writes new memory in order, whatever the strides of its parts were."""

    def rows(self, pred):
        b, _, h, w = pred.shape
        pred = pred.view(b, self.anchors, self.attrs, h, w).permute(0, 1, 3, 4, 2)
        return torch.cat([pred[..., :2].sigmoid(), pred[..., 2:]], dim=-1).view(b, -1, self.attrs)  # ok: TL205

    def forward(self, x):
        return self.rows(self.out(x)), None


class YoloHeadFirst(YoloHead):
    """Attributes stay where they are; joining rows and columns is fine."""

    def forward(self, x):
        pred = self.out(x)
        b, _, h, w = pred.shape
        return pred.view(b, self.anchors, self.attrs, h * w).permute(0, 1, 3, 2), None  # ok: TL205


def demonstrate():
    x = torch.randn(2, 4, 5, 6)
    try:
        YoloHead()(x)
        raise AssertionError("view merged dimensions that are not adjacent")
    except RuntimeError as err:
        assert "view size" in str(err), err
    assert YoloHeadContiguous()(x)[0].shape == YoloHeadCat()(x)[0].shape == (2, 90, 7)
    assert YoloHeadFirst()(x)[0].shape == (2, 3, 30, 7)
