"""The device alone chooses the dtype of what is kept: .half() changes nothing there, and the key has the device."""
import torch
from torch import nn

NARROW = {"mps": torch.float32}


def widest(wide: torch.dtype, device: torch.device):
    return NARROW.get(device.type, wide)


def rotations(length: int, dtype=torch.float32):
    angles = torch.outer(torch.arange(length), torch.arange(0, 4, 2, dtype=dtype) / 4)
    return torch.polar(torch.ones_like(angles), angles)


class Rotary(nn.Module):
    def __init__(self, length: int = 8):
        super().__init__()
        self.length = length
        self.kept = None

    def table(self, device: torch.device):
        key = (device.type, str(device))
        if self.kept is not None and self.kept[0] == key:
            return self.kept[1]
        found = rotations(self.length, widest(torch.float64, device)).to(device)
        self.kept = (key, found)  # ok: TL104
        return found

    def forward(self, x: torch.Tensor):
        table = self.table(x.device)
        return torch.view_as_real(torch.view_as_complex(x.double().unflatten(-1, (-1, 2))) * table).flatten(-2).to(x)


class OfTheInput(Rotary):
    """The dtype of the input decides, and the key leaves it out."""

    def forward(self, x: torch.Tensor):
        if self.kept is None or self.kept.device != x.device:
            self.kept = torch.arange(self.length, dtype=x.dtype, device=x.device)  # expect: TL104
        return x * self.kept[:, None]


def demonstrate():
    rotary, other = Rotary(), OfTheInput()
    x = torch.ones(8, 4)
    before = rotary(x), other(x)
    assert rotary(x.half()).dtype == torch.half and rotary.kept[1].dtype == torch.complex128
    assert before[1].dtype == torch.float32 == other(x.half()).dtype
