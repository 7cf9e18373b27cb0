"""A base class opens the region and calls what its subclasses fill in; a default class decides what is run in one."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.lift, self.mix = nn.Linear(width, width), nn.Linear(width, width)

    def blend(self, hidden):
        raise NotImplementedError

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.blend(self.lift(x))


class Careless(Block):
    def blend(self, hidden):
        with torch.autocast("cpu", enabled=False):
            return self.mix(hidden)  # expect: TL409


class Careful(Block):
    def blend(self, hidden):
        with torch.autocast("cpu", enabled=False):
            return self.mix(hidden.float())  # ok: TL409  cast at the entrance


class Unlowered(Block):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.blend(x)

    def blend(self, hidden):
        with torch.autocast("cpu", enabled=False):
            return self.mix(hidden)  # ok: TL409  its forward() hands on the input as it is


class Score(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fold, self.rate = nn.Linear(width, width), nn.Linear(width, 1)

    def forward(self, x):
        hidden = self.fold(x)
        with torch.autocast("cpu", enabled=False):
            return self.rate(hidden)  # expect: TL409


class OtherScore(Score):
    def forward(self, x):
        hidden = self.fold(x)
        with torch.autocast("cpu", enabled=False):
            return self.rate(hidden)  # ok: TL409  nobody in sight runs it in a region


class Judge(nn.Module):
    def __init__(self, score=Score):
        super().__init__()
        self.score = score(4)

    def grade(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.score(x)
