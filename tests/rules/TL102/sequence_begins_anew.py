"""The graph of a whole sequence is wanted; a method that construction does not run says where the next one begins."""
import torch
from torch import nn


class Recurrent(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.cell = nn.GRUCell(dim, dim)
        self.state = None


class Endless(Recurrent):
    def forward(self, x):
        self.state = self.cell(x, self.state)  # expect: TL102
        return self.state


class Episodes(Recurrent):
    def forward(self, x):
        self.state = self.cell(x, self.state)  # ok: TL102  begin() starts a sequence
        return self.state

    def begin(self) -> None:
        self.state = None


class EpisodesOfZeros(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.cell = nn.GRUCell(dim, dim)
        self.begin(1)

    def begin(self, batch: int) -> None:
        self.state = torch.zeros(batch, 4)

    def forward(self, x):
        self.state = self.cell(x, self.state)  # ok: TL102  demonstrate() begins each sequence
        return self.state


class OnlyStarted(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.cell = nn.GRUCell(dim, dim)
        self.start_state(1)

    def start_state(self, batch: int) -> None:
        self.state = torch.zeros(batch, 4)

    def forward(self, x):
        self.state = self.cell(x, self.state)  # expect: TL102  construction alone starts one
        return self.state


class Updated(Recurrent):
    def forward(self, x):
        self.state = self.cell(x, self.state)  # expect: TL102  update() begins nothing
        return self.state

    def update(self, x):
        self.state = self.cell(x, self.state)


def trains(module: nn.Module) -> bool:
    for _ in range(2):
        if isinstance(module, Episodes):
            module.begin()
        if isinstance(module, EpisodesOfZeros):
            module.begin(2)
        try:
            module(torch.ones(2, 4) if not isinstance(module, OnlyStarted) else torch.ones(1, 4)).sum().backward()
        except RuntimeError as error:
            assert "second time" in str(error)
            return False
    return True


def demonstrate():
    for kind, works in (
        (Endless, False), (Episodes, True), (EpisodesOfZeros, True), (OnlyStarted, False), (Updated, False),
    ):
        assert trains(kind()) is works, kind
