"""A network of parts from another file."""

from torch import nn

from .parts import Unit, guarded


class Body(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), Unit())

    def forward(self, x):
        return self.layers(x) * guarded(x.sum(-1, keepdim=True))
