"""A mode change stores a tensor in which no weight is: no load can make it wrong, a move can."""
import torch
from torch import nn


def base_grid(size: int, like: torch.Tensor) -> torch.Tensor:
    return torch.linspace(-1, 1, size, device=like.device, dtype=like.dtype)


class Grid(nn.Module):
    def __init__(self, size: int = 4):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.start()

    def start(self) -> None:
        self.grid = None

    def forward(self, x):
        return x * self.weight + (base_grid(self.size, self.weight) if self.grid is None else self.grid)


class Plain(Grid):
    def train(self, mode: bool = True):
        super().train(mode)
        self.grid = None if mode else base_grid(self.size, self.weight)  # expect: TL103
        return self


class ByEval(Grid):
    def eval(self):  # expect: TL108
        self.grid = torch.linspace(-1, 1, self.size)  # expect: TL103
        return super().eval()


class Registered(Grid):
    def start(self):
        self.register_buffer("grid", None, persistent=False)

    def train(self, mode: bool = True):
        super().train(mode)
        self.grid = None if mode else base_grid(self.size, self.weight)  # ok: TL103
        return self


class Dropped(Grid):
    def _apply(self, fn, recurse=True):
        self.grid = None
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):
        super().train(mode)
        self.grid = None if mode else base_grid(self.size, self.weight)  # ok: TL103
        return self


class Measured(Grid):
    def train(self, mode: bool = True):
        super().train(mode)
        grid = base_grid(self.size, self.weight)
        self.cells = grid.shape[0]  # ok: TL103
        self.keep = 0.9 if mode else 1.0  # ok: TL103
        self.bounds = grid.tolist()  # ok: TL103
        return self


class Trainer:
    """train() of a class that is no Module is a loop."""

    def __init__(self, net: nn.Module):
        self.net = net

    def train(self, steps: int = 1):
        self.probe = torch.linspace(-1, 1, steps)  # ok: TL103


def demonstrate():
    x = torch.ones(4, device="meta")
    for kind, follows in ((Plain, False), (ByEval, False), (Registered, True), (Dropped, True), (Measured, True)):
        try:
            moved = kind().eval().to("meta")(x).is_meta
        except RuntimeError:
            moved = False
        assert moved is follows, kind
