"""The state of a recurrent layer, kept from call to call: alone, as a pair, detached or reset."""
import torch
from torch import nn


class Single(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 4)
        self.state = None

    def forward(self, x):
        out, self.state = self.rnn(x, self.state)  # expect: TL102
        return out


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 4)
        self.state = None

    def forward(self, x):
        out, state = self.rnn(x, self.state)
        self.state = state  # expect: TL102
        return out


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(8, 4)
        self.state = torch.zeros(2, 4)

    def forward(self, x):
        self.state = self.cell(torch.cat([x, self.state], dim=-1)).tanh()  # expect: TL102
        return self.state


class DetachedPair(Pair):
    def forward(self, x):
        out, (hidden, cell) = self.rnn(x, self.state)
        self.state = (hidden.detach(), cell.detach())  # ok: TL102
        return out


class DetachedCell(Cell):
    def forward(self, x):
        state = self.cell(torch.cat([x, self.state], dim=-1)).tanh()
        self.state = state.detach()  # ok: TL102
        return state


class Fresh(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 4)

    def forward(self, x, state=None):
        out, state = self.rnn(x, state)  # ok: TL102  the caller owns it
        return out, state


def trains_twice(module: nn.Module) -> bool:
    for _ in range(2):
        try:
            module(torch.ones(2, 4)).sum().backward()
        except RuntimeError as error:
            assert "second time" in str(error)
            return False
    return True


def demonstrate():
    for kind, works in ((Single, False), (Pair, False), (Cell, False), (DetachedPair, True), (DetachedCell, True)):
        assert trains_twice(kind()) is works, kind
