"""Its base lies in a file that imports this one."""
import encoder
import torch

_WEIGHT = 2.0


class Decoder(getattr(encoder, "Block", torch.nn.Module)):
    """The base is read by getattr under a name that is known."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.shift = torch.ones(dim)  # expect: TL101

    def forward(self, x):
        return x + self.shift * _WEIGHT


def make_late():
    class Late(encoder.Block):
        def build(self, dim):
            self.shift = torch.ones(dim)  # expect: TL101

    return Late()


class Recursive:
    """Its base is itself, as a broken merge would have it."""

    def grow(self):
        self.shift = torch.ones(1)  # ok: TL101
        return self.grow()
