"""A forward pass returns a loss of what was cut before: nothing in that term learns."""
import torch
from torch import nn
from torch.nn import functional as F


class Codes(nn.Module):
    def __init__(self, count: int = 4, dim: int = 3):
        super().__init__()
        self.table = nn.Embedding(count, dim)

    def nearest(self, z):
        return torch.cdist(z, self.table.weight).argmin(-1)

    def forward(self, z):
        z = z.detach()  # expect: TL305
        picked = self.table(self.nearest(z))
        loss = F.mse_loss(picked, z.detach()) + 0.25 * F.mse_loss(z, picked.detach())
        return z + (picked - z).detach(), loss


class TwoNames(Codes):
    def forward(self, z):
        still = z.detach()  # ok: TL305
        picked = self.table(self.nearest(still))
        loss = F.mse_loss(picked, still) + 0.25 * F.mse_loss(z, picked.detach())  # ok: TL305
        return z + (picked - z).detach(), loss


class Looked(Codes):
    def forward(self, z):
        still = z.detach()  # ok: TL305
        self.gap = torch.cdist(still, self.table.weight.detach()).amin(-1).mean().item()
        return z, 0.0


def as_levels(image):
    return (image.clamp(0, 1) * 15).to(torch.uint8)  # expect: TL305


class Counts(nn.Module):
    def spread(self, image):
        levels = as_levels(image).flatten(1).float() / 15
        return torch.stack([levels.mean(1), levels.std(1)], -1)

    def forward(self, out, want):
        return F.l1_loss(self.spread(out), self.spread(want))


class StraightCounts(Counts):
    def spread(self, image):
        hard = (image.clamp(0, 1) * 15).to(torch.uint8).float() / 15  # ok: TL305
        levels = (image + (hard - image).detach()).flatten(1)
        return torch.stack([levels.mean(1), levels.std(1)], -1)


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 3)

    def forward(self, rows, want):
        terms = [F.mse_loss(self.head(row), want) for row in rows]
        return torch.tensor(terms).mean()  # expect: TL305


def demonstrate():
    z = torch.randn(5, 3)
    for kind, learns in ((Codes, False), (TwoNames, True), (Looked, True)):
        enter = nn.Linear(3, 3)
        coded, loss = kind()(enter(z))
        (coded.mean() + loss).backward()
        assert (enter.weight.grad is not None) is learns, kind
    out = torch.rand(2, 3, 4, requires_grad=True)
    assert not Counts()(out, out.detach()).requires_grad and StraightCounts()(out, torch.rand(2, 3, 4)).requires_grad
    assert not Parts()(z, z[0]).requires_grad
