"""A momentum-contrast queue is registered straight from the legacy constructor; the first batches are compared with raw memory.

source: memory-bank re-implementations that forget randn/normalize; LeiBAI/AGCRN#12 (same constructor)
rules: [TL202]
"""
import torch
import torch.nn.functional as F
from torch import FloatTensor, nn


class Bank(nn.Module):
    slots = 4

    def blank(self, dim):
        return FloatTensor(self.slots, dim)  # expect: TL202

    def __init__(self, dim):
        super().__init__()
        self.register_buffer("rows", self.blank(dim))
        self.register_buffer("at", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def push(self, keys):
        where = (int(self.at) + torch.arange(len(keys))) % self.slots
        self.rows[where] = keys
        self.at.add_(len(keys)).remainder_(self.slots)

    def forward(self, q, k):
        positive = (q * k).sum(1, keepdim=True)
        logits = torch.cat([positive, q @ self.rows.clone().t()], dim=1)
        self.push(k.detach())
        return F.cross_entropy(logits / 0.1, torch.zeros(len(q), dtype=torch.long, device=q.device))


class SeededBank(Bank):
    def blank(self, dim):
        return F.normalize(FloatTensor(self.slots, dim).normal_(), dim=1)  # ok: TL202


class FilledBank(Bank):
    """Allocates, then overwrites every row before anybody reads one."""

    def blank(self, dim):
        room = torch.Tensor(self.slots, dim)  # ok: TL202
        nn.init.orthogonal_(room)
        return room


def demonstrate():
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)  # uninitialised memory becomes NaN, hence visible
    try:
        banks = [cls(3) for cls in (Bank, SeededBank, FilledBank)]
    finally:
        torch.use_deterministic_algorithms(before)
    q, k = F.normalize(torch.randn(2, 3), dim=1), F.normalize(torch.randn(2, 3), dim=1)
    raw, seeded, filled = (bank(q, k) for bank in banks)
    assert raw.isnan() and seeded.isfinite() and filled.isfinite()
