"""An argument that the function itself drops on a test of it: what gets through is not known."""
import torch
from torch import nn


def scored(scores, mask):
    if mask is not None and len(mask.shape) == 1:
        mask = None
    if mask is not None:
        scores += mask
    return scores


def shifted(scores, shift):
    if shift is not None:
        scores = scores + shift
    return scores


class WithoutMask(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)

    def forward(self, x):
        kept = shifted(self.mix(x), torch.zeros(4))  # expect: TL204
        return kept, scored(self.mix(x), torch.zeros(4))  # ok: TL204  dropped, as it has one dimension


def demonstrate():
    scored(torch.ones(2, 4, device="meta"), torch.zeros(4))
    try:
        shifted(torch.ones(2, 4, device="meta"), torch.zeros(4))
        raise AssertionError("the meta device takes a tensor of the CPU")
    except RuntimeError as error:
        assert "device" in str(error)
