"""setattr() with a name from a list, a tuple on the left and a helper that gets self all assign plainly."""
import torch
from torch import nn


def bounds(dim: int) -> tuple[torch.Tensor, int]:
    return torch.linspace(-1, 1, dim), dim


class ByName(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        setattr(self, "single", torch.full((dim,), 2.0))  # expect: TL101
        for name in ("red", "green"):
            setattr(self, name, torch.full((dim,), 0.5))  # expect: TL101
        for name in ("blue", "alpha"):
            self.register_buffer(name, torch.ones(dim))  # ok: TL101
        setattr(self, "rate", 0.5)  # ok: TL101
        self.low, self.width = bounds(dim)  # expect: TL101

    def forward(self, x):
        return (x * self.red + self.green * self.rate) * self.blue * self.alpha + self.low[: self.width] + self.single


def demonstrate():
    module = ByName().to("meta")
    assert not any(getattr(module, name).is_meta for name in ("single", "red", "green", "low"))
    assert module.blue.is_meta
    assert module.alpha.is_meta
