"""Running statistics lie in a dict of tensors on the object, each renewed from its own last value."""
import torch
from torch import nn


class Running(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.moments = {"mean": torch.zeros(dim), "var": torch.ones(dim)}  # expect: TL122

    def forward(self, x):
        if self.training:
            for key, now in (("mean", x.mean(0)), ("var", x.var(0))):
                self.moments[key] = torch.lerp(self.moments[key], now.detach(), 0.1)
        return (x - self.moments["mean"]) / self.moments["var"].sqrt()


class Window(nn.Module):
    """What was seen last is joined and cut: a stream, and no statistic."""

    def __init__(self, dim: int = 2):
        super().__init__()
        self.seen = {"x": torch.zeros(1, dim)}  # ok: TL122
        self.layer = nn.Linear(dim, dim)

    def forward(self, x):
        self.seen["x"] = torch.cat([self.seen["x"], x.detach()])[-4:]
        return self.layer(self.seen["x"])


class Shown(nn.Module):
    """The numbers are for the log."""

    def __init__(self, dim: int = 2):
        super().__init__()
        self.figures = {"mean": torch.zeros(dim)}  # ok: TL122
        self.layer = nn.Linear(dim, dim)

    def forward(self, x):
        self.figures["mean"] = 0.9 * self.figures["mean"] + 0.1 * x.detach().mean(0)
        return self.layer(x)


def demonstrate():
    module = Running()
    for _ in range(3):
        module(torch.randn(8, 2) + 5)
    again = Running()
    again.load_state_dict(module.state_dict())
    x = torch.randn(4, 2)
    assert not torch.allclose(module.eval()(x), again.eval()(x))
    assert Window()(torch.ones(2, 2)).shape == (3, 2)
    assert Shown()(torch.ones(2, 2)).shape == (2, 2)
