"""In a float16 autocast region the scores of a matrix product are half, and -1e9 raises."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4)

    def forward(self, x, pad):
        with torch.autocast("cuda", dtype=torch.float16):
            scores = self.project(x) @ x.mT
            return scores.masked_fill(pad, -1e9).softmax(-1)  # expect: TL302

    def in_bfloat16(self, x, pad):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return (x @ x.mT).masked_fill(pad, -1e9)  # ok: TL302

    def in_island(self, x, pad):
        with torch.autocast("cuda", enabled=False):
            return (x @ x.mT).masked_fill(pad, -1e9)  # ok: TL302

    def upcast(self, x, pad):
        with torch.autocast("cuda", dtype=torch.float16):
            return (x @ x.mT).float().masked_fill(pad, -1e9)  # ok: TL302

    def no_product(self, x, pad):
        with torch.autocast("cuda", dtype=torch.float16):
            return x.masked_fill(pad, -1e9)  # ok: TL302  the input keeps its dtype


def demonstrate():
    with torch.autocast("cpu", dtype=torch.float16):
        x = torch.rand(3, 4)
        assert (x @ x.mT).dtype == torch.float16
        try:
            (x @ x.mT).masked_fill(x[0, :3] > 0, -1e9)
            raise AssertionError("fits")
        except RuntimeError as error:
            assert "overflow" in str(error)
