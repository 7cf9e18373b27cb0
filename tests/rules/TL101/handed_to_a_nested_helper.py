"""A nested helper that converts what it is given is followed like any other: a note. One that computes is not."""
import torch
from torch import nn


def nearest(x, levels):
    def chosen(values, among):
        among = among.type_as(values)
        at = (values.unsqueeze(0) - among.unsqueeze(1)).abs().min(dim=0)[1]
        return among[at]

    return chosen(x, levels)


def nearest_raw(x, levels):
    def chosen(values, among):
        at = (values.unsqueeze(0) - among.unsqueeze(1)).abs().min(dim=0)[1]
        return among[at].type_as(values)

    return chosen(x, levels)


class Rounded(nn.Module):
    def __init__(self):
        super().__init__()
        self.levels = torch.linspace(0, 1, 4)  # note: TL101
        self.register_buffer("kept", torch.linspace(0, 1, 4))  # ok: TL101

    def forward(self, x):
        return nearest(x, self.levels) + nearest(x, self.kept)


class RoundedRaw(nn.Module):
    def __init__(self):
        super().__init__()
        self.levels = torch.linspace(0, 1, 4)  # expect: TL101
        self.register_buffer("kept", torch.linspace(0, 1, 4))  # ok: TL101

    def forward(self, x):
        return nearest_raw(x, self.levels) + nearest_raw(x, self.kept)


def demonstrate():
    x = torch.rand(3, device="meta")
    assert Rounded().to("meta")(x).is_meta
    try:
        RoundedRaw().to("meta")(x)
        raise AssertionError("a tensor was left on the CPU")
    except RuntimeError:
        pass
