"""Each layer keeps its state of the last call under its own number, in a dict or a list of the object."""

import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.mix = nn.Linear(2 * dim, dim)

    def forward(self, x, state):
        return torch.tanh(self.mix(torch.cat([x, state], -1)))


class Recurrent(nn.Module):
    def __init__(self, dim: int = 4, depth: int = 2):
        super().__init__()
        self.cells = nn.ModuleList(Cell(dim) for _ in range(depth))
        self.states = {}

    def keep(self, layer, state):
        raise NotImplementedError

    def forward(self, x):
        for layer, cell in enumerate(self.cells):
            x = cell(x, self.states.get(layer, torch.zeros_like(x)))
            self.keep(layer, x)
        return x


class ByAMethod(Recurrent):
    def keep(self, layer, state):
        self.states[layer] = state  # expect: TL102


class AtOnce(Recurrent):
    def forward(self, x):
        for layer, cell in enumerate(self.cells):
            if layer in self.states:
                x = x + self.states[layer]
            x = self.states[layer] = cell(x, x)  # expect: TL102
        return x


class Detached(Recurrent):
    def keep(self, layer, state):
        self.states[layer] = state.detach()  # ok: TL102


class StartedAnew(Recurrent):
    def start(self):
        self.states = {}

    def keep(self, layer, state):
        self.states[layer] = state  # ok: TL102  the caller says when a sequence begins


class WithinOneCall(Recurrent):
    def forward(self, x):
        for layer, cell in enumerate(self.cells):
            self.states[layer] = cell(x, x)  # ok: TL102  each call fills it before it reads
        return sum(self.states[layer] for layer in range(len(self.cells)))


class JoinedPieces(Recurrent):
    def forward(self, x):
        for layer, cell in enumerate(self.cells):
            made = cell(x, x)
            if layer in self.states:
                made = torch.cat([self.states[layer], made])
            self.states[layer] = made  # ok: TL102  as key-value caches are joined
        return x


class KeptOnce(Recurrent):
    def forward(self, x):
        for layer, cell in enumerate(self.cells):
            if layer not in self.states:
                self.states[layer] = cell(x, x)  # ok: TL102 # expect: TL104
            x = x + self.states[layer]
        return x
