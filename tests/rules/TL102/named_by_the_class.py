"""setattr() under a name that the class holds is an assignment to that attribute."""
import torch
from torch import nn


class Remembering(nn.Module):
    slot = "last"

    def __init__(self, dim: int = 3):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.last = None

    def keep(self, value):
        setattr(self, self.slot, value)  # expect: TL102

    def forward(self, x):
        x = self.layer(x if self.last is None else x + self.last)
        self.keep(x)
        return x


class Detaching(Remembering):
    def keep(self, value):
        setattr(self, self.slot, value.detach())  # ok: TL102


def demonstrate():
    for make, works in ((Remembering, False), (Detaching, True)):
        module = make()
        try:
            for _ in range(2):
                module(torch.ones(1, 3)).sum().backward()
            ok = True
        except RuntimeError:
            ok = False
        assert ok is works, make
