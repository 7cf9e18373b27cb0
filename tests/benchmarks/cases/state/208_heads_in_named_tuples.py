"""Detector heads travel in named tuples and nested dicts; only what is also registered is trained and saved.

source: asyml/texar-pytorch#72, kymatio/murenn#42, pytorch/pytorch#715 (layers in lists of lists), detector heads of research code
rules: [TL105]
"""
from collections import namedtuple
from functools import partial
from typing import Any, Dict

import torch
import torch.nn as nn

Pair = namedtuple("Pair", "score box")
conv1 = partial(nn.Conv2d, kernel_size=1)


def make_pair(width: int, classes: int) -> Pair:
    return Pair(score=conv1(width, classes), box=conv1(width, 4))


class Pyramid(nn.Module):
    strides = (8, 16)

    def __init__(self, width: int = 4, classes: int = 3):
        super().__init__()
        self.width, self.classes = width, classes
        self.stem = conv1(3, width)
        self.make_heads()

    def make_heads(self) -> None:
        raise NotImplementedError

    def at(self, stride: int) -> Pair:
        raise NotImplementedError

    def forward(self, image):
        f = self.stem(image)
        return [(h.score(f), h.box(f)) for h in map(self.at, self.strides)]


class TuplePyramid(Pyramid):
    def make_heads(self):
        self.shared = make_pair(self.width, self.classes)  # expect: TL105

    def at(self, stride):
        return self.shared


class NestedPyramid(Pyramid):
    def make_heads(self):
        table: Dict[str, Any] = {"order": list(self.strides), "heads": {}}
        for s in self.strides:
            table["heads"][s] = make_pair(self.width, self.classes)
        self.table = table  # expect: TL105

    def at(self, stride):
        return self.table["heads"][stride]


class AliasPyramid(Pyramid):
    """The pair only groups two layers that the module owns by name."""

    def make_heads(self):
        self.score, self.box = make_pair(self.width, self.classes)
        self.pair = Pair(self.score, self.box)  # ok: TL105

    def at(self, stride):
        return self.pair


class AddedPyramid(Pyramid):
    """A tuple of pairs for the code, add_module for the registry."""

    def make_heads(self):
        made = []
        for s in self.strides:
            made.append(make_pair(self.width, self.classes))
            for part, layer in zip(Pair._fields, made[-1]):
                self.add_module(f"{part}{s}", layer)
        self.made = tuple(made)  # ok: TL105

    def at(self, stride):
        return self.made[self.strides.index(stride)]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    image = torch.randn(1, 3, 2, 2)
    for cls, complete in ((TuplePyramid, False), (NestedPyramid, False), (AliasPyramid, True), (AddedPyramid, True)):
        net = cls()
        sum(t.sum() for pair in net(image) for t in pair).backward()
        known = {id(p) for p in net.parameters()}
        used = {id(p) for s in net.strides for part in net.at(s) for p in part.parameters()}
        assert (used <= known) is complete, cls
        net.double()
        try:
            ok = net(image.double())[0][0].dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is complete, cls
