"""A feature pyramid is grown level by level; what a level adds ends up in lists, some of them only in lists.

source: pytorch/pytorch#8017 (modules in a list), feature pyramid code that grows with +=; rebuilt from scratch
rules: [TL105]
"""
from itertools import chain

import torch
import torch.nn.functional as F
from torch import nn


class Pyramid(nn.Module):
    def __init__(self, widths=(2, 4, 8), out: int = 3):
        super().__init__()
        self.widths, self.out = tuple(widths), out
        self.open_lists()
        for i, w in enumerate(widths):
            self.grow(i, w)

    def open_lists(self) -> None:
        raise NotImplementedError

    def grow(self, i: int, w: int) -> None:
        raise NotImplementedError

    def forward(self, maps):
        up, outs = None, []
        for m, (side, post) in zip(reversed(maps), reversed(list(self.levels()))):
            h = side(m)
            if up is not None:
                h = h + F.interpolate(up, size=h.shape[-2:])
            up = h
            outs.append(post(h))
        return outs

    def levels(self):
        return zip(self.sides, self.posts)


class ListedPyramid(Pyramid):
    def open_lists(self):
        self.sides = []  # expect: TL105
        self.posts = nn.ModuleList()  # ok: TL105

    def grow(self, i, w):
        self.sides += [nn.Conv2d(w, self.out, 1)]
        self.posts.append(nn.Conv2d(self.out, self.out, 3, padding=1))


class BiasedPyramid(Pyramid):
    """The convolutions are registered; one learned offset per level is not."""

    def open_lists(self):
        self.sides, self.posts = nn.ModuleList(), nn.ModuleList()  # ok: TL105
        self.shifts: dict[int, nn.Parameter] = {}  # expect: TL105

    def grow(self, i, w):
        self.sides.append(nn.Conv2d(w, self.out, 1))
        self.posts.append(nn.Identity())
        self.shifts.update({i: nn.Parameter(torch.zeros(1, self.out, 1, 1))})

    def forward(self, maps):
        outs = super().forward(maps)
        return [o + self.shifts[i] for i, o in enumerate(reversed(outs))]


class NamedPyramid(Pyramid):
    """The list is only an index into modules that are registered by name in the same breath."""

    def open_lists(self):
        self.sides, self.posts = [], []  # ok: TL105

    def grow(self, i, w):
        for kind, mod in (("side", nn.Conv2d(w, self.out, 1)), ("post", nn.Conv2d(self.out, self.out, 1))):
            self.add_module(f"{kind}{i}", mod)
            getattr(self, kind + "s").append(mod)


class WrappedLaterPyramid(Pyramid):
    def open_lists(self):
        self.sides, self.posts = [], []  # ok: TL105

    def grow(self, i, w):
        self.sides.append(nn.Conv2d(w, self.out, 1))
        self.posts.append(nn.Identity())
        if i == len(self.widths) - 1:
            self.sides, self.posts = nn.ModuleList(self.sides), nn.ModuleList(self.posts)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    maps = [torch.randn(1, w, s, s) for w, s in ((2, 8), (4, 4), (8, 2))]
    for cls, missing in ((ListedPyramid, True), (BiasedPyramid, True), (NamedPyramid, False), (WrappedLaterPyramid, False)):
        m = cls()
        sum(o.sum() for o in m(maps)).backward()
        known = {id(p) for p in m.parameters()}
        held = chain((p for s in m.sides for p in s.parameters()), getattr(m, "shifts", {}).values())
        assert any(id(p) not in known for p in held) is missing, cls
