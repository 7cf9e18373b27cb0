"""What a layer computed last time feeds the next call, by a deque, a helper or a tuple of states."""

from collections import deque

import torch
from torch import nn


class Smoothed(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.last = torch.zeros(1)  # expect: TL101
        self.shape = None

    def _blend(self, out):
        return 0.5 * out + 0.5 * self.last

    def forward(self, x):
        out = self._blend(self.layer(x))
        self.last = out  # expect: TL102
        self.shape = out.shape  # ok: TL102
        return out


class Sliding(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.recent = deque(maxlen=4)
        self.detached = deque(maxlen=4)

    def forward(self, x):
        out = self.layer(x)
        self.recent.append(out)  # expect: TL102
        self.detached.append(out.detach())  # ok: TL102
        return torch.stack(list(self.recent)).mean(0) + torch.stack(list(self.detached)).mean(0)


class Emptied(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.losses = []
        self.keys = []
        self.kept = []

    def forward(self, x):
        out = self.layer(x)
        self.losses.append(out.mean())  # ok: TL102  the trainer takes them out
        self.keys.append(out)  # ok: TL102  joined as a key-value cache is
        self.kept = []
        self.kept.append(out)  # ok: TL102  begun anew in every call
        return torch.cat(self.keys).mean() + sum(self.kept).mean()

    def loss(self):
        total = sum(self.losses)
        self.losses.clear()
        return total


class Recurrent(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.cell = nn.LSTMCell(dim, dim)
        self.state = None

    def forward(self, x):
        if self.state is None:
            self.state = (torch.zeros(len(x), 3), torch.zeros(len(x), 3))
        h, c = self.cell(x, self.state)
        self.state = (h, c)  # expect: TL102
        return h


class Detached(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.cell = nn.LSTMCell(dim, dim)
        self.state = None

    def forward(self, x):
        if self.state is None:
            self.state = (torch.zeros(len(x), 3), torch.zeros(len(x), 3))
        h, c = self.cell(x, self.state)
        self.state = (h.detach(), c.detach())  # ok: TL102
        return h


def demonstrate():
    for module in (Smoothed(3), Sliding(3), Recurrent(3)):
        x = torch.ones(2, 3)
        module(x).sum().backward()
        try:
            module(x).sum().backward()
        except RuntimeError as error:
            assert "second time" in str(error)
        else:
            raise AssertionError(module)
    Emptied(3)(torch.ones(2, 3))
    module = Detached(3)
    module(torch.ones(2, 3)).sum().backward()
    module(torch.ones(2, 3)).sum().backward()
