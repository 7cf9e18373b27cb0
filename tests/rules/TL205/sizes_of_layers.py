"""A layer says how many channels it answers with: a view that divides them merges the rest with their neighbours."""

import torch
from torch import nn


def last(x):
    return x.permute(0, 2, 3, 1)


def rows(x, width):
    return last(x).view(x.shape[0], -1, width)  # expect: TL205


class Boxes(nn.Module):
    def __init__(self, dim, anchors=3, classes=5):
        super().__init__()
        self.anchors, self.classes = anchors, classes
        self.scores = nn.Conv2d(dim, anchors * classes, 1)
        self.places = nn.Conv2d(dim, 4 * anchors, 1)
        self.linear = nn.Linear(dim, out_features=6)

    def by_helper(self, x):
        return rows(self.scores(x), self.classes)

    def by_number(self, x):
        places = self.places(x).permute(0, 2, 3, 1)
        return places.view(places.size(0), -1, 4)  # expect: TL205

    def all_of_them(self, x):
        places = self.places(x).permute(0, 2, 3, 1)
        return places.view(places.size(0), -1, 4 * self.anchors)  # ok: TL205  height and width are neighbours

    def split_before(self, x):
        batch, _, height, width = x.shape
        found = self.scores(x).view(batch, self.anchors, self.classes, height, width)  # ok: TL205
        found = found.permute(0, 1, 3, 4, 2)
        return found.view(batch, self.anchors, -1, self.classes)  # ok: TL205  height and width are neighbours

    def split_in_another_order(self, x):
        batch, _, height, width = x.shape
        found = self.scores(x).view(batch, self.anchors, self.classes, height, width)
        found = found.permute(0, 3, 4, 1, 2)
        return found.view(batch, -1, self.classes)  # expect: TL205

    def of_linear(self, x):
        batch, height, width, _ = x.shape
        turned = self.linear(x).transpose(1, 2)
        return turned.view(batch, -1, 3)  # expect: TL205

    def divided(self, x):
        batch, height, width, _ = x.shape
        return self.linear(x).transpose(1, 2).view(batch, width, height, 3, 2)  # ok: TL205


def demonstrate():
    boxes, x = Boxes(7), torch.rand(2, 7, 4, 4)
    last_of_x = x.permute(0, 2, 3, 1).contiguous()
    refused = [
        lambda: boxes.by_helper(x),
        lambda: boxes.by_number(x),
        lambda: boxes.split_in_another_order(x),
        lambda: boxes.of_linear(last_of_x),
    ]
    for call in refused:
        try:
            call()
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    boxes.all_of_them(x), boxes.split_before(x), boxes.divided(last_of_x)
