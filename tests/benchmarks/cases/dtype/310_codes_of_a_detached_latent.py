"""A vector quantiser detaches its latent for the search under its own name; the commitment term and the pass-through then train nobody.

source: zalandoresearch style VQ-VAE re-implementations; alexhernandezgarcia/gflownet#251 (a clone that was detached stopped training)
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Codes(nn.Module):
    def __init__(self, count=8, dim=3, weight=0.25):
        super().__init__()
        self.table = nn.Embedding(count, dim)
        self.weight = weight

    def nearest(self, z):
        return torch.cdist(z, self.table.weight).argmin(-1)

    def forward(self, z):
        z = z.detach()  # expect: TL305
        picked = self.table(self.nearest(z))
        loss = F.mse_loss(picked, z.detach()) + self.weight * F.mse_loss(z, picked.detach())
        return z + (picked - z).detach(), loss


class CodesFixed(Codes):
    def forward(self, z):
        frozen = z.detach()  # ok: TL305
        picked = self.table(self.nearest(frozen))
        loss = F.mse_loss(picked, frozen) + self.weight * F.mse_loss(z, picked.detach())  # ok: TL305
        return z + (picked - z).detach(), loss  # ok: TL305


class Soft(Codes):
    """No codes are learned; the latent is only compared with a frozen table for a report."""

    def forward(self, z):
        kept = z
        z = z.detach()  # ok: TL305
        self.gap = torch.cdist(z, self.table.weight.detach()).amin(-1).mean().item()
        return kept, 0.0


class Compressor(nn.Module):
    def __init__(self, codes):
        super().__init__()
        self.enter, self.leave = nn.Linear(4, 3), nn.Linear(3, 4)
        self.codes = codes

    def objective(self, x):
        coded, extra = self.codes(self.enter(x))
        return F.l1_loss(self.leave(coded), x) + extra


def fit(codes, steps=2):
    torch.manual_seed(0)
    model = Compressor(codes())
    solver = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        loss = model.objective(torch.randn(5, 4))
        loss.backward()
        solver.step()
    return model


def demonstrate():
    assert fit(Codes).enter.weight.grad is None
    assert fit(Codes).leave.weight.grad is not None
    for codes in (CodesFixed, Soft):
        assert fit(codes).enter.weight.grad.abs().sum() > 0
