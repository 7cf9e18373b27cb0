"""A Parameter of float64 that every method converts harms nobody; converted in one place only, it meets float32."""
import numpy as np
import torch
from torch import nn


def marks(count):
    return np.linspace(1.0, 2.0, count)


class Bands(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.low = nn.Parameter(torch.from_numpy(marks(count)))  # ok: TL203  read in float32 alone
        self.width = nn.Parameter(torch.from_numpy(marks(count) / count))  # ok: TL203
        self.count = count

    def forward(self, x):
        low = torch.abs(self.low) + 0.5
        high = low + (torch.abs(self.width) + 0.5) / self.count
        bands = [x * low[at].float() - x * high[at].to(torch.float32) for at in range(self.count)]
        return torch.stack(bands)


class PartlyConverted(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.low = nn.Parameter(torch.from_numpy(marks(count)))  # expect: TL203
        self.width = nn.Parameter(torch.from_numpy(marks(count)).float())  # ok: TL203
        self.mixing = nn.Parameter(torch.from_numpy(marks(count)[:, None]))  # expect: TL203

    def forward(self, x):
        shifted = x * (self.low + 0.5).float() + self.width
        return shifted * self.low

    def mixed(self, x):
        return (x @ self.mixing).float()

    def moved(self, x):
        return x * self.width


class OnlyMoved(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.low = nn.Parameter(torch.from_numpy(marks(count)))  # expect: TL203

    def forward(self, x):
        return x * (self.low + 0.5).to("cpu")


def demonstrate():
    x = torch.ones(3)
    assert Bands(3)(x).dtype is torch.float32
    assert PartlyConverted(3)(x).dtype is OnlyMoved(3)(x).dtype is torch.float64
    try:
        PartlyConverted(3).mixed(x)
        raise AssertionError("float32 met float64")
    except RuntimeError as error:
        assert "dtype" in str(error)
