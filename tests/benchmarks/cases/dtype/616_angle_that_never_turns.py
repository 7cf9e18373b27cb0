"""A layer learns an angle (and a model learns its physical constants) but builds the matrix with torch.tensor from the parts.

source: lululxvi/deepxde#1318 (as_tensor of a tuple of leaves), pytorch/pytorch#61410, Lightning-AI/pytorch-lightning#19664
rules: [TL305]
"""
import torch
from torch import nn


class LearnedRotation(nn.Module):
    def __init__(self):
        super().__init__()
        self.theta = nn.Parameter(torch.tensor(0.3))

    def matrix(self):
        c, s = torch.cos(self.theta), torch.sin(self.theta)
        return torch.tensor([[c, -s], [s, c]])  # expect: TL305

    def forward(self, xy):
        return xy @ self.matrix().to(xy).t()


class LearnedRotationStacked(LearnedRotation):
    def matrix(self):
        c, s = torch.cos(self.theta), torch.sin(self.theta)
        return torch.stack([torch.stack([c, -s]), torch.stack([s, c])])  # ok: TL305


class Decay(nn.Module):
    """x' = A x with A made of two rates."""

    def __init__(self):
        super().__init__()
        self.k1, self.k2 = nn.Parameter(torch.tensor(0.5)), nn.Parameter(torch.tensor(0.1))

    def rates(self):
        return torch.as_tensor((self.k1, self.k2), device=self.k1.device)  # expect: TL305

    def forward(self, x):
        return -self.rates() * x


class DecayStacked(Decay):
    def rates(self):
        return torch.stack((self.k1, self.k2))  # ok: TL305

    def report(self):
        # numbers for a table: nothing is trained through them
        return torch.tensor([self.k1.item(), self.k2.item()])  # ok: TL305


def fit(model, x, target):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = (model(x) - target).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.detach()


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(5, 2), torch.randn(5, 2)
    for cls in (LearnedRotation, Decay):
        try:
            fit(cls(), x, y)
            raise AssertionError("the graph survived torch.tensor")
        except RuntimeError as err:
            assert "does not require grad" in str(err), err
    for cls in (LearnedRotationStacked, DecayStacked):
        model = cls()
        fit(model, x, y)
        assert all(p.grad is not None and p.grad.abs() > 0 for p in model.parameters())
