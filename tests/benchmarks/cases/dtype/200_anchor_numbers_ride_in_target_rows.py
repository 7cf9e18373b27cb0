"""Anchor numbers are made floating so that they can be concatenated to the target rows; the column comes out again as an index.

source: WongKinYiu/ScaledYOLOv4#400, AlibabaResearch/efficientteacher#142 (build_targets mixes indices and coordinates in one tensor)
rules: [TL201]
"""
import torch
from torch import nn


class TargetBuilder:
    def __init__(self, anchors, ratio=4.0):
        self.anchors, self.ratio = anchors, ratio

    def tag(self, rows):
        count = len(self.anchors)
        which = torch.arange(count).float().view(count, 1).repeat(1, len(rows))  # expect: TL201
        return torch.cat((rows.repeat(count, 1, 1), which[:, :, None]), dim=2)

    def split(self, tagged):
        image, label, centre, number = tagged[:, 0].long(), tagged[:, 1].long(), tagged[:, 2:4], tagged[:, 6]
        return image, label, centre, number

    def __call__(self, rows):
        tagged = self.tag(rows)
        wh = tagged[..., 4:6] / self.anchors[:, None]
        keep = torch.max(wh, 1 / wh).amax(2) < self.ratio
        image, label, centre, number = self.split(tagged[keep])
        return {"image": image, "label": label, "centre": centre, "prior": self.anchors[number]}  # use: TL201


class TargetBuilderInts(TargetBuilder):
    def tag(self, rows):
        count = len(self.anchors)
        which = torch.arange(count).float().view(count, 1).repeat(1, len(rows))  # ok: TL201
        return torch.cat((rows.repeat(count, 1, 1), which[:, :, None]), dim=2)

    def split(self, tagged):
        image, label, number = tagged[:, [0, 1, 6]].long().unbind(1)
        return image, label, tagged[:, 2:4], number


class Criterion(nn.Module):
    def __init__(self, builder):
        super().__init__()
        self.builder = builder

    def forward(self, pred, rows):
        goal = self.builder(rows)
        return (pred[goal["image"], :2] - goal["centre"]).abs().mean() + goal["prior"].mean()


def demonstrate():
    anchors = torch.tensor([[1.0, 1.0], [3.0, 2.0]])
    rows = torch.tensor([[0.0, 3.0, 0.5, 0.5, 1.2, 1.0], [1.0, 2.0, 0.1, 0.9, 2.0, 2.0]])
    pred = torch.zeros(2, 4)
    try:
        Criterion(TargetBuilder(anchors))(pred, rows)
        raise AssertionError("a floating column was an index")
    except IndexError as err:
        assert "must be long" in str(err)
    assert torch.isfinite(Criterion(TargetBuilderInts(anchors))(pred, rows))
