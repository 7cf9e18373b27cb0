"""Registered in one branch, plain in the other: the other branch is the hazard."""
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, learned: bool, dim: int = 3):
        super().__init__()
        if learned:
            self.scale = nn.Parameter(torch.ones(dim))  # ok: TL101
        else:
            self.scale = torch.ones(dim)  # todo: TL101  a registration in one branch silences the other

    def forward(self, x):
        return x * self.scale


class RegisteredScale(nn.Module):
    def __init__(self, learned: bool, dim: int = 3):
        super().__init__()
        if learned:
            self.scale = nn.Parameter(torch.ones(dim))  # ok: TL101
        else:
            self.register_buffer("scale", torch.ones(dim))  # ok: TL101

    def forward(self, x):
        return x * self.scale


class FilledLater(nn.Module):
    def __init__(self, table: torch.Tensor | None = None, dim: int = 3):
        super().__init__()
        self.register_buffer("table", None)
        if table is None:
            self.table = torch.ones(dim)  # ok: TL101  both branches find the name registered
        else:
            self.table = table.clone()  # ok: TL101

    def forward(self, x):
        return x * self.table


def demonstrate():
    for module, follows in (
        (Scale(True), True), (Scale(False), False), (RegisteredScale(True), True), (RegisteredScale(False), True),
        (FilledLater(), True), (FilledLater(torch.ones(3)), True),
    ):
        value = getattr(module.to("meta"), "table" if isinstance(module, FilledLater) else "scale")
        assert value.is_meta is follows
