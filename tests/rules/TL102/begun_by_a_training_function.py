"""A recurrent network whose state is put back before each sequence by the code that trains it, or by nobody."""
import torch
from torch import nn


class Tracker(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.cell = nn.GRU(dim, dim, batch_first=True)
        self.memory = None

    def blank(self, batch: int) -> torch.Tensor:
        return torch.zeros(1, batch, self.cell.hidden_size)

    def forward(self, x):
        out, self.memory = self.cell(x, self.memory)  # ok: TL102  follow() puts it back
        return out


class Drifter(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.cell = nn.GRU(dim, dim, batch_first=True)
        self.context = None

    def forward(self, x):
        out, self.context = self.cell(x, self.context)  # expect: TL102
        return out


class Cursor:
    """Its context is its own, and no module's."""

    def __init__(self):
        self.context = None

    def move(self, to):
        self.context = to


def follow(tracker, sequences, optimizer):
    for x in sequences:
        tracker.memory = tracker.blank(len(x))
        optimizer.zero_grad()
        tracker(x).pow(2).mean().backward()
        optimizer.step()


def drift(drifter, sequences, optimizer):
    for x in sequences:
        optimizer.zero_grad()
        drifter(x).pow(2).mean().backward()
        optimizer.step()


def demonstrate():
    sequences = [torch.randn(2, 4, 3) for _ in range(2)]
    tracker, drifter = Tracker(), Drifter()
    follow(tracker, sequences, torch.optim.SGD(tracker.parameters(), lr=0.1))
    try:
        drift(drifter, sequences, torch.optim.SGD(drifter.parameters(), lr=0.1))
    except RuntimeError as error:
        assert "second time" in str(error)
    else:
        raise AssertionError("the graph of the first round is gone")
