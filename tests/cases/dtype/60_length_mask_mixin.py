"""A mixin builds the padding mask with arange on the CPU and compares it with lengths that live on the accelerator.

source: sequence models with a padding-mask helper ("Expected all tensors to be on the same device"); own construction
rules: [TL204]
"""
import torch
from torch import nn


class Lengths:
    """Mixin: everything that has to do with padding."""

    def valid(self, lengths, width):
        slots = torch.arange(width)  # expect: TL204
        return slots[None, :] < lengths[:, None]

    def masked_mean(self, x, lengths):
        keep = self.valid(lengths, x.shape[1]).unsqueeze(-1)
        return (x * keep).sum(1) / lengths[:, None]


class LengthsOnDevice(Lengths):
    def valid(self, lengths, width):
        slots = torch.arange(width, device=lengths.device)  # ok: TL204
        return slots[None, :] < lengths[:, None]


class Pooler(Lengths, nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x, lengths):
        return self.masked_mean(self.lin(x), lengths)


class PoolerOnDevice(LengthsOnDevice, nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x, lengths):
        return self.masked_mean(self.lin(x), lengths)


class PairTerms(nn.Module):
    """A loss that only gathers: index tensors may stay on the CPU, and the accumulator is re-bound."""

    def forward(self, feats):
        rows = torch.arange(feats.shape[0] - 1)  # ok: TL204
        total = torch.tensor(0.0)  # ok: TL204
        total = total + (feats[rows] - feats[rows + 1]).pow(2).mean()
        return total


class PairTermsInPlace(nn.Module):
    def forward(self, feats):
        total = torch.zeros(1)  # expect: TL204
        for a, b in zip(feats[:-1], feats[1:]):
            total = total + (a - b).pow(2).sum(0, keepdim=True)
        return total


# ---- demonstration ----
def demonstrate():
    assert Pooler()(torch.randn(2, 5, 4), torch.tensor([2, 5])).shape == (2, 4)
    bad, good = Pooler().to("meta"), PoolerOnDevice().to("meta")
    x, lengths = torch.randn(2, 5, 4, device="meta"), torch.ones(2, dtype=torch.long, device="meta")
    for call in (lambda: bad(x, lengths), lambda: PairTermsInPlace()(x[0])):
        try:
            call()
            raise AssertionError("devices were mixed")
        except RuntimeError as err:
            assert "device" in str(err), err
    assert good(x, lengths).device.type == "meta"
    assert PairTerms()(x[0]).device.type == "meta"
