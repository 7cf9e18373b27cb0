"""`device=x.device` puts a value where x is: for an array, and for what was made of one, that is the CPU."""
import numpy as np
import torch
from torch import nn


def warped(spectrum: torch.Tensor, by: int):
    device = spectrum.device
    shift = torch.tensor([float(by)], device=device)
    return spectrum.unsqueeze(0).to(device)[0] + grid(len(spectrum), device) + shift


def grid(length: int, device):
    return torch.linspace(0, 1, length, device=device)


def warp(array: np.ndarray):
    return warped(torch.from_numpy(array), 2).numpy()  # ok: TL306


def normalised(rows: torch.Tensor):
    return rows * torch.arange(len(rows), device=rows.device)


def rows_of(frames, device):
    found = [normalised(torch.from_numpy(np.cumsum(frame))) for frame in frames]
    return np.asarray([row for row in found]), torch.zeros(1, device=device)  # ok: TL306


def table(net: nn.Module, x: torch.Tensor, device: str):
    with torch.no_grad():
        out = net.to(device)(x.to(device))
    return torch.ones(2, device=out.device).numpy()  # expect: TL306


class Lengths(nn.Module):
    """Counts, of what nobody knows, are integers: a network of the project, and nothing that autograd records."""

    def __init__(self, teacher):
        super().__init__()
        self.teacher = teacher

    def forward(self, xs):
        return torch.stack([self.count(weights) for weights in self.teacher.attentions(xs)])

    @staticmethod
    def count(weights):
        return torch.stack([weights.argmax(-1).eq(i).sum() for i in range(2)])


def lengths(teacher, xs):
    return Lengths(teacher)(xs).sum(-1).numpy()  # ok: TL306


class Teacher:
    def attentions(self, xs):
        return [torch.rand(3, 2) for _ in xs]


def demonstrate():
    warp(np.ones(4)), rows_of([np.ones(3)], "cpu"), lengths(Teacher(), [1, 2])
    try:
        table(nn.Linear(2, 2).to_empty(device="meta"), torch.ones(1, 2), "meta")
    except TypeError as error:
        assert "Tensor.cpu()" in str(error)
    else:
        raise AssertionError("numpy took a tensor of another device")
