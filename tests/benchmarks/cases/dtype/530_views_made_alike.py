"""Redundancy reduction: a criterion module correlates two views 'in float32'; the step calls the criterion inside its region.

source: huggingface/diffusers#13920 kind (a cast before a product is ignored); Barlow-Twins-style losses under autocast
rules: [TL403]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Criterion(nn.Module):
    def __init__(self, dim: int = 4, weight: float = 5e-3):
        super().__init__()
        self.norm, self.weight = nn.BatchNorm1d(dim, affine=False), weight
        self.kind = None

    def correlate(self, a, b):
        raise NotImplementedError

    def forward(self, a, b):
        c = self.correlate(self.norm(a), self.norm(b))
        self.kind = c.dtype
        on = (c.diagonal() - 1).square().sum()
        return on + self.weight * (c.square().sum() - c.diagonal().square().sum())


class CastCriterion(Criterion):
    def correlate(self, a, b):
        return a.float().t() @ b.float() / len(a)  # expect: TL403


class EinsumCriterion(Criterion):
    def correlate(self, a, b):
        a, b = a.to(dtype=torch.float32), b.to(dtype=torch.float32)  # expect: TL403
        return torch.einsum("ni,nj->ij", a, b) / a.shape[0]


class IslandCriterion(Criterion):
    @torch.autocast(KIND, enabled=False)
    def correlate(self, a, b):
        return a.float().t() @ b.float() / len(a)  # ok: TL403


class SummedCriterion(Criterion):
    """Written as arithmetic: sums and products of float32 stay float32."""

    def correlate(self, a, b):
        return (a.float().unsqueeze(2) * b.float().unsqueeze(1)).sum(0) / len(a)  # ok: TL403


class Twins(nn.Module):
    def __init__(self, criterion: Criterion, dim: int = 4):
        super().__init__()
        self.body, self.criterion = nn.Sequential(nn.Linear(3, dim), nn.ReLU(), nn.Linear(dim, dim)), criterion

    def forward(self, one, two):
        return self.criterion(self.body(one), self.body(two))


def step(model: Twins, opt, one, two):
    opt.zero_grad()
    with torch.autocast(KIND, dtype=torch.bfloat16):
        loss = model(one, two)
    loss.backward()
    opt.step()
    return loss.detach()


def spread(feats):
    """Called by the report, outside every region."""
    return (feats.float().t() @ feats.float()).diagonal().mean()  # ok: TL403


def report(model: Twins, one):
    with torch.no_grad():
        return spread(model.body(one)).item()


def demonstrate():
    one, two = torch.randn(8, 3, device=KIND), torch.randn(8, 3, device=KIND)
    for cls, wide in ((CastCriterion, False), (EinsumCriterion, False), (IslandCriterion, True), (SummedCriterion, True)):
        model = Twins(cls()).to(KIND)
        step(model, torch.optim.SGD(model.parameters(), lr=0.01), one, two)
        assert (model.criterion.kind is torch.float32) is wide, cls
        assert report(model, one) >= 0
