"""A hook that runs before forward() stores what train() forgets to drop."""
import torch
import torch.nn.functional as F
from torch import nn


def pack(layer: nn.Module, args) -> None:
    if not layer.training and layer.packed is None:
        with torch.no_grad():
            layer.packed = layer.effective()


def count(layer: nn.Module, args) -> None:
    layer.calls = layer.calls + 1  # ok: TL103


class Centred(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(dim, dim))
        self.packed = None
        self.register_forward_pre_hook(pack)

    def effective(self) -> torch.Tensor:
        return self.raw - self.raw.mean(1, keepdim=True)

    def forward(self, x):
        return F.linear(x, self.effective() if self.packed is None else self.packed)


class DroppedForTraining(Centred):
    def train(self, mode: bool = True):  # expect: TL103
        if mode:
            self.packed = None
        return super().train(mode)


class DroppedAlways(Centred):
    def __init__(self, dim: int = 3):
        super().__init__(dim)
        self.register_load_state_dict_pre_hook(lambda module, *_: setattr(module, "packed", None))

    def _apply(self, fn, recurse=True):
        self.packed = None
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):  # ok: TL103
        self.packed = None
        return super().train(mode)


class Counted(nn.Module):
    """The hook leaves a number behind."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.calls = 0
        self.register_forward_pre_hook(count)

    def forward(self, x):
        return self.layer(x)

    def train(self, mode: bool = True):  # ok: TL103
        self.calls = 0
        return super().train(mode)


def demonstrate():
    x = torch.ones(1, 3)
    for kind, is_right in ((DroppedForTraining, False), (DroppedAlways, True)):
        served, other = kind().eval(), kind()
        served(x)
        served.load_state_dict(other.state_dict())
        assert torch.allclose(served(x), other(x)) is is_right
    Counted().eval()(x)
