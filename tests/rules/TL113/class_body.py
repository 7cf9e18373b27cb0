"""A tensor in the body of a class is one for all instances and follows none of them."""

import torch
from torch import nn


class Constants:
    shift = torch.ones(3)  # expect: TL113
    unread = torch.ones(3)  # ok: TL113
    number = 1.0  # ok: TL113


class Normalize(nn.Module):
    mean = torch.tensor([0.5, 0.4, 0.3])  # expect: TL113
    deviation = torch.ones(3)  # expect: TL113
    weight = nn.Parameter(torch.ones(3))  # expect: TL113
    numbers = (0.5, 0.4, 0.3)  # ok: TL113
    epsilon = torch.finfo(torch.float32).eps  # ok: TL113
    unread = torch.zeros(3)  # ok: TL113
    sized = torch.zeros(3)  # ok: TL113  only its shape is read

    def forward(self, x):
        scale = type(self).deviation + self.epsilon + Constants.shift * Constants.number
        return (x - self.mean) / scale * Normalize.weight + sum(self.numbers) * len(self.sized)


class Child(Normalize):
    def forward(self, x):
        return super().forward(x) - self.mean


def demonstrate():
    module = Child()
    assert not list(module.parameters())
    assert module.double().mean.dtype == torch.float32
    module(torch.ones(2, 3))
