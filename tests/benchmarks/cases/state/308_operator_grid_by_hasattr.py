"""A neural operator appends coordinates to its input; whether the grid fits is asked with hasattr() and the shape alone.

source: Fourier-operator code that keeps its grid on the module, sniklaus/pytorch-pwc-like grids in half inference
rules: [TL104]
"""
import torch
from torch import nn


def coordinates(shape, device=None, dtype=None) -> torch.Tensor:
    axes = [torch.linspace(0, 1, n, device=device, dtype=dtype) for n in shape[2:]]
    return torch.stack(torch.meshgrid(*axes, indexing="ij")).expand(shape[0], -1, -1, -1)


class Operator(nn.Module):
    periodic = False

    def __init__(self, channels: int = 1, hidden: int = 4):
        super().__init__()
        self.lift = nn.Conv2d(channels + 2, hidden, 1)
        self.out = nn.Conv2d(hidden, channels, 1)

    def with_grid(self, u):
        raise NotImplementedError

    def forward(self, u):
        return self.out(torch.tanh(self.lift(self.with_grid(u))))


class ShapeOnly(Operator):
    def with_grid(self, u):
        if not hasattr(self, "_xy") or self._xy.shape[2:] != u.shape[2:] or len(self._xy) != len(u):
            self._xy = coordinates(u.shape, u.device, u.dtype)  # expect: TL104
        return torch.cat((u, self._xy), 1)


class ResolutionOnly(Operator):
    """One grid for all batches, but a change of the batch size is not part of the question."""

    def with_grid(self, u):
        res = tuple(u.shape[2:])
        if res != getattr(self, "_res", None):
            self._res, self._xy = res, coordinates(u.shape, u.device, u.dtype)  # expect: TL104
        return torch.cat((u, self._xy.to(u)), 1)


class LikeInput(Operator):
    """Rebuilt whenever anything that it depends on differs."""

    def with_grid(self, u):
        xy = getattr(self, "_xy", None)
        if xy is None or (xy.shape[0], *xy.shape[2:]) != (u.shape[0], *u.shape[2:]) or xy.device != u.device or xy.dtype != u.dtype:
            xy = coordinates(u.shape, u.device, u.dtype)
            self._xy = xy  # ok: TL104, TL102
        return torch.cat((u, xy), 1)


class BroadcastGrid(Operator):
    """Shape of the picture in the key, batch by expand(), place and precision at the read."""

    def with_grid(self, u):
        if not hasattr(self, "_xy") or self._xy.shape[2:] != u.shape[2:]:
            self._xy = coordinates((1, 1, *u.shape[2:]))  # ok: TL104, TL102
        return torch.cat((u, self._xy.to(u).expand(len(u), -1, -1, -1)), 1)


# ---- demonstration: not part of the graded code ----
def _works(net, u) -> bool:
    try:
        return net(u).shape == u.shape
    except RuntimeError:
        return False


def demonstrate():
    u = torch.randn(2, 1, 4, 5)
    for cls, half, batch in ((ShapeOnly, False, True), (ResolutionOnly, True, False), (LikeInput, True, True), (BroadcastGrid, True, True)):
        net = cls()
        assert _works(net, u) and _works(net, u)
        assert _works(net, u[:1]) is batch, cls
        other = cls()
        other(u)
        assert _works(other.half(), u.half()) is half, cls
