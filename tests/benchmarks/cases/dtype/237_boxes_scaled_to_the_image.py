"""A detector's last module scales boxes with the image size, which it turns into a tensor with the legacy constructor at every call.

source: DETR/SSD style post-processing (`scale = torch.Tensor([w, h, w, h])`); forum threads on torch.Tensor(list)
rules: [TL202]
"""
import torch
from torch import Tensor, nn


class ToImage(nn.Module):
    def scale(self, size, like):
        h, w = size
        return Tensor([w, h, w, h])  # expect: TL202

    def corners(self, boxes):
        centre, half = boxes[..., :2], boxes[..., 2:] / 2
        return torch.cat([centre - half, centre + half], dim=-1)

    def forward(self, out: dict, sizes: list) -> list:
        boxes = self.corners(out["boxes"])
        return [b * self.scale(size, b) for b, size in zip(boxes, sizes)]


class ToImageFollows(ToImage):
    def scale(self, size: tuple, like: Tensor) -> Tensor:
        h, w = size
        return like.new_tensor([w, h, w, h])  # ok: TL202


class ToImageMoved(ToImage):
    def scale(self, size, like):
        return Tensor([*reversed(size)]).repeat(2).to(like)  # ok: TL202


class Detector(nn.Module):
    def __init__(self, last=ToImage):
        super().__init__()
        self.net, self.last = nn.Linear(3, 8), last()

    def forward(self, x, sizes):
        boxes = self.net(x).unflatten(-1, (2, 4)).sigmoid()
        assert isinstance(boxes, Tensor)  # ok: TL202
        return self.last({"boxes": boxes}, sizes)


def demonstrate():
    x, sizes = torch.randn(2, 3), [(10, 20), (30, 40)]
    assert Detector()(x, sizes)[0].shape == (2, 4)
    for last, fine in ((ToImage, False), (ToImageFollows, True), (ToImageMoved, True)):
        try:
            Detector(last).to("meta")(x.to("meta"), sizes)
            ok = True
        except RuntimeError as err:
            assert "device" in str(err)
            ok = False
        assert ok is fine, last
    # it also follows the default dtype
    torch.set_default_dtype(torch.float64)
    try:
        assert ToImage().scale((1, 2), x).dtype is torch.float64
        assert ToImageFollows().scale((1, 2), x).dtype is torch.float32
    finally:
        torch.set_default_dtype(torch.float32)
