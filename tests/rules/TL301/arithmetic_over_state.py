"""A running average over every value of a state_dict meets num_batches_tracked, which is an integer."""
import copy

import torch
from torch import nn


class Average:
    def __init__(self, model: nn.Module, decay: float = 0.9):
        self.decay = decay
        self.shadow = copy.deepcopy(model)


class OverEverything(Average):
    @torch.no_grad()
    def update(self, model):
        current = model.state_dict()
        for name, value in self.shadow.state_dict().items():
            value.mul_(self.decay).add_(current[name] * (1 - self.decay))  # expect: TL301


class ByOperator(Average):
    @torch.no_grad()
    def update(self, model):
        for value in self.shadow.state_dict().values():
            value *= self.decay  # expect: TL301


class OverFloats(Average):
    @torch.no_grad()
    def update(self, model):
        current = model.state_dict()
        for name, value in self.shadow.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(self.decay).add_(current[name] * (1 - self.decay))  # ok: TL301
            else:
                value.copy_(current[name])  # ok: TL301


class OverParameters(Average):
    @torch.no_grad()
    def update(self, model):
        for mine, theirs in zip(self.shadow.parameters(), model.parameters()):  # note: TL117
            mine.mul_(self.decay).add_(theirs * (1 - self.decay))  # ok: TL301


class Copied(Average):
    @torch.no_grad()
    def update(self, model):
        for name, value in self.shadow.state_dict().items():
            value.copy_(model.state_dict()[name])  # ok: TL301  a copy keeps integers whole


def demonstrate():
    for kind, works in (
        (OverEverything, False), (ByOperator, False), (OverFloats, True), (OverParameters, True), (Copied, True),
    ):
        average = kind(nn.BatchNorm1d(2))
        try:
            average.update(nn.BatchNorm1d(2))
            worked = True
        except RuntimeError as error:
            assert "can't be cast" in str(error)
            worked = False
        assert worked is works, kind
