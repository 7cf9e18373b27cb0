"""Boxes are spread over pyramid levels by the logarithm of their size; the level number keeps its floating type and picks a stride.

source: reports of "tensors used as indices must be long" in detector ports (level = floor(k0 + log2(size / 224)))
rules: [TL201]
"""
import torch
from torch import nn


class LevelMapper:
    def __init__(self, k_min=2, k_max=5, canonical=224.0):
        self.k_min, self.k_max, self.canonical = k_min, k_max, canonical

    def __call__(self, boxes):
        size = ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])).sqrt()
        level = torch.floor(4 + torch.log2(size / self.canonical + 1e-6))  # expect: TL201
        return level.clamp(self.k_min, self.k_max) - self.k_min


class IntegerLevelMapper(LevelMapper):
    def __call__(self, boxes):
        size = ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])).sqrt()
        level = torch.floor(4 + torch.log2(size / self.canonical + 1e-6))  # ok: TL201
        return (level.clamp(self.k_min, self.k_max) - self.k_min).to(torch.int64)


class ComparedLevelMapper(LevelMapper):
    def __call__(self, boxes):
        size = ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])).sqrt()
        return torch.floor(4 + torch.log2(size / self.canonical + 1e-6)).clamp(self.k_min, self.k_max) - self.k_min  # ok: TL201


class BoxScaler(nn.Module):
    """Brings boxes to the scale of the map they are pooled from."""

    def __init__(self):
        super().__init__()
        self.mapper = LevelMapper()
        self.register_buffer("strides", torch.tensor([4.0, 8.0, 16.0, 32.0]), persistent=False)

    def forward(self, boxes):
        level = self.mapper(boxes)
        return boxes / self.strides[level].unsqueeze(1)  # use: TL201


class IntegerBoxScaler(BoxScaler):
    def __init__(self):
        super().__init__()
        self.int_mapper = IntegerLevelMapper()

    def forward(self, boxes):
        level = self.int_mapper(boxes)
        return boxes / self.strides[level].unsqueeze(1)  # ok: TL201


class MaskedBoxScaler(BoxScaler):
    """Goes through the levels and compares: a floating level number is no harm."""

    def __init__(self):
        super().__init__()
        self.by_mask = ComparedLevelMapper()

    def forward(self, boxes):
        level, out = self.by_mask(boxes), torch.zeros_like(boxes)
        for i in range(len(self.strides)):
            here = level == i
            out[here] = boxes[here] / self.strides[i]  # ok: TL201
        return out


def demonstrate():
    boxes = torch.tensor([[0.0, 0.0, 30.0, 30.0], [0.0, 0.0, 500.0, 400.0]])
    try:
        BoxScaler()(boxes)
        raise AssertionError("floating level accepted")
    except IndexError as err:
        assert "used as indices" in str(err)
    assert torch.equal(IntegerBoxScaler()(boxes), MaskedBoxScaler()(boxes))
