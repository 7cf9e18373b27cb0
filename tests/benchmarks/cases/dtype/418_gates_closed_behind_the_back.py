"""A gated cell closes some gates by writing into .data of the sigmoid's result, which the sigmoid's backward reads again.

source: forum threads on .data edits of outputs; zoneout and skip-cell re-implementations
rules: [TL305]
"""
import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.inner, self.gate = nn.Linear(width, width), nn.Linear(width, width)

    def gates(self, x, off):
        z = torch.sigmoid(self.gate(x))
        z.data[:, off] = 0.5  # expect: TL305
        return z

    def forward(self, x, off):
        z = self.gates(x, off)
        return (z * torch.tanh(self.inner(x)) + (1 - z) * x).pow(2)


class GatedWhere(Gated):
    def gates(self, x, off):
        z = torch.sigmoid(self.gate(x))
        keep = torch.ones_like(z, dtype=torch.bool)
        keep[:, off] = False
        return torch.where(keep, z, 0.5)  # ok: TL305


class GatedFilled(Gated):
    """In place, but in sight of autograd and on a copy."""

    def gates(self, x, off):
        z = torch.sigmoid(self.gate(x)).clone()
        z[:, off] = 0.5  # ok: TL305
        return z


class GatedBias(Gated):
    """Writes into a Parameter before the forward uses it."""

    def open(self, value=1.0):
        self.gate.bias.data.fill_(value)  # ok: TL305
        return self

    def gates(self, x, off):
        return torch.sigmoid(self.gate(x)).index_fill(1, torch.tensor(off, device=x.device), 0.5)


def pull(cell: Gated, x, off):
    loss = cell(x, off).sum()
    loss.backward()
    return cell.gate.bias.grad


def demonstrate():
    def slope(cls):
        torch.manual_seed(0)
        cell = cls(4)
        if cls is GatedBias:
            bias = cell.gate.bias.detach().clone()
            cell.open().gate.bias.data.copy_(bias)
        return pull(cell, torch.randn(3, 4), [1, 2])

    right = slope(GatedWhere)
    assert right[1] == 0 and right[2] == 0  # a closed gate has no slope
    assert slope(Gated)[1] != 0, "the backward saw the written values"
    assert torch.allclose(slope(GatedFilled), right) and torch.allclose(slope(GatedBias), right)
