"""What may lie on the CPU beside tensors of a device: the lengths of a CTC loss, a number made of two numbers."""
import torch
import torch.nn.functional as F
from torch import nn


class Alignment(nn.Module):
    def forward(self, log_probs, targets):
        lengths = torch.full((log_probs.shape[1],), log_probs.shape[0])  # ok: TL204  ctc_loss reads them on the CPU
        wanted = torch.full((targets.shape[0],), targets.shape[1])  # ok: TL204
        return F.ctc_loss(log_probs, targets, lengths, wanted)


class Rotation(nn.Module):
    def forward(self, x):
        unit = torch.complex(torch.tensor(0.0), torch.tensor(1.0))  # ok: TL204  a single number
        return torch.exp(unit * x)


class Shifted(nn.Module):
    def forward(self, x):
        shift = torch.complex(torch.zeros(4), torch.ones(4))  # expect: TL204
        return x + shift


def demonstrate():
    there = torch.device("cuda" if torch.cuda.is_available() else "meta")
    x = torch.ones(2, 4, dtype=torch.complex64, device=there)
    assert Rotation()(x).device == x.device
    try:
        Shifted()(x)
        raise AssertionError("tensors of two devices were combined")
    except RuntimeError as error:
        assert "device" in str(error)
