"""A class gives a function of the file another name with staticmethod; a subclass puts another function in its place."""

import torch
from torch import nn


def swap(x, groups):
    b, c, n = x.shape
    return x.view(b, groups, c // groups, n).transpose(1, 2).view(b, c, n)  # expect: TL205


def rows(x):
    return x.view(-1, x.size(-1))  # expect: TL205


def copied_rows(x):
    return x.reshape(-1, x.size(-1))  # ok: TL205


class Mixer(nn.Module):
    flat = staticmethod(rows)

    def __init__(self, dim=4):
        super().__init__()
        self.head = nn.Linear(dim, dim)

    def forward(self, x):
        _, time, _ = x.shape
        return self.head(self.flat(x.transpose(0, 1))), time


class CopyingMixer(Mixer):
    flat = staticmethod(copied_rows)


class KeepingMixer(nn.Module):
    flat = staticmethod(copied_rows)

    def forward(self, x):
        flat = self.flat
        return flat(x.transpose(0, 1))


def demo():
    x = torch.zeros(2, 3, 4)
    assert CopyingMixer()(x)[0].shape == (6, 4)
    assert KeepingMixer()(x).shape == (6, 4)
    for refused in (lambda: Mixer()(x), lambda: swap(torch.zeros(2, 4, 3), 2)):
        try:
            refused()
            raise AssertionError("view() merged dimensions that are apart")
        except RuntimeError as error:
            assert "view size" in str(error)
