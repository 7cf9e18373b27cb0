"""A base class registers what a method of the subclass makes: of NumPy's default there, of float32 elsewhere."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Smooth(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.size, self.mix = size, nn.Conv1d(1, 1, 1)
        self.register_buffer("taps", self.window()[None, None], persistent=False)

    def window(self):
        raise NotImplementedError

    def forward(self, x):
        return F.conv1d(self.mix(x), self.taps)


class Bell(Smooth):
    def window(self):
        return torch.from_numpy(np.hanning(self.size))  # expect: TL203


class NarrowBell(Smooth):
    def window(self):
        return torch.from_numpy(np.hanning(self.size).astype("float32"))  # ok: TL203


class LateBell(Smooth):
    def __init__(self, size=3, gain=1.0):
        super().__init__(size)
        self.gain = gain

    def window(self):
        return torch.from_numpy(np.hanning(self.size)).float()  # ok: TL203


class LoudBell(Smooth):
    def __init__(self, size=3, gain=1.0):
        super().__init__(size)
        self.gain = gain

    def window(self):
        return torch.as_tensor(np.hanning(self.size))  # expect: TL203


def demonstrate():
    x = torch.rand(1, 1, 5)
    for narrow in (NarrowBell, LateBell):
        assert narrow()(x).shape == (1, 1, 3)
    for wide in (Bell, LoudBell):
        try:
            wide()(x)
        except RuntimeError:
            continue
        raise AssertionError("double taps were taken")
