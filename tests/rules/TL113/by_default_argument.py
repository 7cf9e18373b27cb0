"""A default argument, a dict of the file or a constant of another class is made once, on the CPU."""

import torch
from torch import nn

KERNELS = {"blur": torch.ones(3, 3) / 9, "edge": torch.eye(3)}  # expect: TL113
NAMES = {"blur": 1, "edge": 2}  # ok: TL113
LOW, HIGH = torch.zeros(3), torch.ones(3)  # expect: TL113


class Filtered(nn.Module):
    def __init__(self, kind: str):
        super().__init__()
        self.kind = kind

    def forward(self, x):
        return (x @ KERNELS[self.kind]).clamp(LOW, HIGH) * NAMES[self.kind]


class Constants:
    WEIGHTS = torch.tensor([0.299, 0.587, 0.114])  # expect: TL113
    COUNT = 3  # ok: TL113


class Gray(nn.Module):
    def forward(self, x):
        return (x * Constants.WEIGHTS[:, None, None]).sum(-3) / Constants.COUNT


class Copied(nn.Module):
    TABLE = torch.ones(3)  # ok: TL113  only construction reads it

    def __init__(self):
        super().__init__()
        self.register_buffer("table", self.TABLE.clone())

    def forward(self, x):
        return x * self.table


def demonstrate():
    for module, shape in ((Filtered("blur"), (2, 3)), (Gray(), (3, 2, 2))):
        module(torch.ones(shape))
        try:
            module(torch.ones(shape, device="meta"))
        except (RuntimeError, NotImplementedError):
            pass
    Copied()(torch.ones(3))
