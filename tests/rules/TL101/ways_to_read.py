"""Handed to a function, returned, iterated over, asked for by name: a read is a read. Looking is none."""
import torch
import torch.nn.functional as F
from torch import nn


class Read(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.kernel = torch.ones(1, 1, dim)  # expect: TL101
        self.returned = torch.ones(dim)  # expect: TL101
        self.low = torch.ones(dim)  # expect: TL101
        self.high = torch.ones(dim)  # expect: TL101
        self.by_name = torch.ones(dim)  # expect: TL101
        self.chosen = torch.arange(dim)  # expect: TL101
        self.written = torch.ones(dim)  # expect: TL101
        self.tested = torch.ones(dim)  # ok: TL101  only whether there is one
        self.sized = torch.ones(dim)  # ok: TL101
        self.listed = torch.ones(dim)  # ok: TL101
        self.arrayed = torch.ones(dim)  # ok: TL101
        self.moved = torch.ones(1, 1, dim)  # note: TL101
        self.repeated = torch.ones(dim)  # note: TL101
        self.masking = torch.ones(dim, dtype=torch.bool)  # note: TL101

    def start(self):
        return self.returned

    def bounds(self, x):
        for bound in (self.low, self.high):
            x = torch.maximum(x, bound)
        return x

    def forward(self, x):
        if self.tested is not None and len(self.sized) == x.shape[-1]:
            x = x + self.listed.tolist()[0] + float(self.arrayed.numpy()[0])
        x = F.conv1d(x, self.kernel, padding="same") + F.conv1d(x, self.moved.to(x), padding="same")
        x = x + self.repeated.repeat(1, 1).to(x.device) + getattr(self, "by_name")
        x[..., :] += self.written
        return self.bounds(x).index_select(-1, self.chosen)[..., self.masking]


def demonstrate():
    module = Read().to("meta")
    x = torch.ones(1, 1, 3, device="meta")
    for call in (
        lambda: x + module.kernel, lambda: module.bounds(x), lambda: x + module.start(),
        lambda: x + module.by_name,
    ):
        try:
            call()
            raise AssertionError("a plain tensor was left on the CPU")
        except RuntimeError:
            pass
    assert Read()(torch.ones(1, 1, 3)).shape == (1, 1, 3)
