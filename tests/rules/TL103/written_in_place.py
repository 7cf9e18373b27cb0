"""eval() copies the folded weight into a tensor that is there already: filled in place, it is a cache all the same."""
import torch
from torch import nn


class Inverse(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.register_buffer("inverse", torch.eye(dim), persistent=False)

    def forward(self, x):
        return x @ (torch.linalg.inv(self.weight) if self.training else self.inverse)


class ByCopy(Inverse):
    @torch.no_grad()
    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.inverse.copy_(torch.linalg.inv(self.weight))  # expect: TL103
        return self


class BySlice(Inverse):
    @torch.no_grad()
    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.inverse[:] = torch.linalg.inv(self.weight)  # expect: TL103
        return self


class Zeroed(Inverse):
    """A number is written, and forward inverts anew."""

    def train(self, mode: bool = True):
        super().train(mode)
        self.inverse.zero_()  # ok: TL103
        self.inverse[0] = 1.0  # ok: TL103
        return self

    def forward(self, x):
        return x @ torch.linalg.inv(self.weight) + self.inverse * 0


def demonstrate():
    for kind, right in ((ByCopy, False), (BySlice, False), (Zeroed, True)):
        module = kind().eval()
        module.load_state_dict({"weight": torch.eye(2) * 2})
        assert torch.equal(module(torch.eye(2)), torch.eye(2) / 2) is right, kind
