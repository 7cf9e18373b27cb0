"""An object of a plain class makes the tensor; the module keeps it and returns it raw."""
import torch
from torch import nn


class Boxes:
    def __init__(self, size: int):
        self.size = size

    def forward(self) -> torch.Tensor:
        rows = [[i / self.size, j / self.size] for i in range(self.size) for j in range(self.size)]
        return torch.Tensor(rows).clamp_(max=1)  # note: TL202

    def count(self) -> int:
        return self.size**2


class Detector(nn.Module):
    def __init__(self, size: int = 2):
        super().__init__()
        self.boxes = Boxes(size)  # ok: TL101  the object holds no tensor
        self.priors = self.boxes.forward()  # expect: TL101
        self.total = self.boxes.count()  # ok: TL101

    def forward(self, x):
        return x, self.priors, self.total


def demonstrate():
    assert not Detector().to("meta").priors.is_meta
