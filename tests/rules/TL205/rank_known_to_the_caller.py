"""One method changes the order, the next one views: how many dimensions there are is known where both are called."""

import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self, groups=2):
        super().__init__()
        self.groups = groups

    def apart(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.groups, width // self.groups).transpose(1, 2)

    def back(self, x):
        x = x.transpose(1, 2)
        return self.flat(x)

    def flat(self, x):
        return x.view(*x.shape[:2], -1)  # expect: TL205

    def forward(self, x):
        first, second = (self.apart(part) for part in x.chunk(2, dim=-1))
        return self.back(first @ second.transpose(-1, -2) @ second)


class CopiedBefore(Mixer):
    def flat(self, x):
        x = x.contiguous()
        return x.view(*x.shape[:2], -1)  # ok: TL205


class TurnedBackBefore(Mixer):
    def flat(self, x):
        x = x.transpose(1, 2)
        return x.view(*x.shape[:3], -1)  # ok: TL205  in order again


class ThreeDimensions(nn.Module):
    def back(self, x):
        x = x.transpose(1, 2)
        return self.rows(x)

    def rows(self, x):
        return x.view(*x.shape[:2], -1)  # ok: TL205  nothing is merged

    def forward(self, x):
        batch, length, width = x.shape
        return self.back(x)


def demonstrate():
    x = torch.rand(2, 3, 8)
    try:
        Mixer()(x)
        raise AssertionError("merged")
    except RuntimeError as error:
        assert "view size is not compatible" in str(error)
    for module in (CopiedBefore(), ThreeDimensions(), TurnedBackBefore()):
        module(x)
