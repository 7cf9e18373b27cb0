"""Registered in one branch, plain in the other: the other branch is the hazard."""
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, learned: bool, dim: int = 3):
        super().__init__()
        if learned:
            self.scale = nn.Parameter(torch.ones(dim))  # ok: TL101
        else:
            self.scale = torch.ones(dim)  # expect: TL101

    def forward(self, x):
        return x * self.scale


class ScaleMadeFirst(nn.Module):
    def __init__(self, learned: bool, dim: int = 3):
        super().__init__()
        self.learned = learned
        self.scale = torch.ones(dim)  # expect: TL101
        if learned:
            self.scale = nn.Parameter(self.scale)  # ok: TL101
        self.shift = torch.ones(dim)  # ok: TL101  only the learned one is read
        if learned:
            self.shift = nn.Parameter(self.shift)  # ok: TL101
        self.bias = torch.ones(dim)  # expect: TL101
        if self.learned:
            self.bias = nn.Parameter(self.bias)  # ok: TL101

    def forward(self, x):
        if self.learned:
            return x * self.scale + self.shift
        return x * self.scale + self.bias


class RegisteredEitherWay(nn.Module):
    def __init__(self, learned: bool, dim: int = 3):
        super().__init__()
        if learned:
            scale = torch.ones(dim)
            self.scale = scale  # ok: TL101  replaced below, wherever this happens
            self.scale = nn.Parameter(scale)  # ok: TL101
        else:
            self.scale = nn.Parameter(torch.ones(dim), requires_grad=False)  # ok: TL101
        self.shift = torch.ones(dim)  # ok: TL101  one of the two follows always
        if learned:
            self.shift = nn.Parameter(self.shift)  # ok: TL101
        else:
            self.shift = nn.Parameter(self.shift, requires_grad=False)  # ok: TL101

    def forward(self, x):
        return x * self.scale + self.shift


class LearnedLater(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.scale = torch.ones(dim)  # ok: TL101  who builds it decides what it becomes

    def learn(self, always: bool):
        if always:
            self.scale = nn.Parameter(self.scale)

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
        (ScaleMadeFirst(True), True), (ScaleMadeFirst(False), False),
        (RegisteredEitherWay(True), True), (RegisteredEitherWay(False), True),
        (FilledLater(), True), (FilledLater(torch.ones(3)), True),
    ):
        value = getattr(module.to("meta"), "table" if isinstance(module, FilledLater) else "scale")
        assert value.is_meta is follows
