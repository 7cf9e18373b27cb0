"""An owner that moves an attribute of its parts, and a second class called Head."""

from torch import nn

from .layers import Scale


class Head(nn.Module):
    pass


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(3)

    def _apply(self, fn, recurse=True):
        self.scale.anchors = fn(self.scale.anchors)
        return super()._apply(fn, recurse)
