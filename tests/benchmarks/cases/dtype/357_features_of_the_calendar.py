"""A forecasting data set adds features of the hour, computed in numpy per item; the loader's default collate keeps them double.

source: time-series repositories with sin/cos time features ("mat1 and mat2 must have the same dtype, but got Double and Float")
rules: [TL203]
"""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

PERIODS = {"day": 24, "week": 168}


def turns(hours, names=("day", "week")):
    angles = [2 * np.pi * hours / PERIODS[n] for n in names]
    return np.stack([f(a) for a in angles for f in (np.sin, np.cos)], axis=-1)


class Windows(Dataset):
    def __init__(self, series, width=6):
        self.series, self.width = series, width

    def __len__(self):
        return len(self.series) - self.width

    def marks(self, start):
        hours = np.arange(start, start + self.width)
        return torch.as_tensor(turns(hours))  # expect: TL203

    def __getitem__(self, i):
        return {"past": self.series[i : i + self.width], "marks": self.marks(i), "next": self.series[i + self.width]}


class NarrowWindows(Windows):
    def marks(self, start):
        hours = np.arange(start, start + self.width)
        return torch.as_tensor(turns(hours, names=("day", "week")), dtype=self.series.dtype)  # ok: TL203


class Forecaster(nn.Module):
    def __init__(self, width=6, marks=4):
        super().__init__()
        self.embed, self.out = nn.Linear(marks, 8), nn.Linear(8 + width, 1)

    def forward(self, past, marks):
        when = self.embed(marks).mean(1)
        return self.out(torch.cat([past, when], dim=-1))


def fit(net, data, batch=4):
    for item in DataLoader(data, batch_size=batch):
        guess = net(item["past"], item["marks"]).squeeze(-1)
        (guess - item["next"]).square().mean().backward()
    return guess


class Lags(Dataset):
    """Its only reader converts every field before the network sees it."""

    def __init__(self, series):
        self.series = series.numpy()

    def __len__(self):
        return len(self.series) - 6

    def __getitem__(self, i):
        level = np.linspace(0.0, 1.0, 6)
        return {"past": torch.from_numpy(self.series[i : i + 6] - level), "marks": torch.from_numpy(turns(np.arange(6)))}  # ok: TL203


def peek(net, data):
    for item in DataLoader(data, batch_size=2):
        item = {k: v.to(torch.float32) for k, v in item.items()}
        return net(**item)


def demonstrate():
    torch.manual_seed(0)
    series = torch.randn(16)
    try:
        fit(Forecaster(), Windows(series))
        raise AssertionError("double marks went through a float layer")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    assert fit(Forecaster(), NarrowWindows(series)).dtype is torch.float32
    assert peek(Forecaster(), Lags(series)).shape == (2, 1)
