"""A forecaster returns one prediction per target series; each is cloned, detached and told to require gradients: the body learns nothing.

source: sktime/pytorch-forecasting#2208 (detach().requires_grad_(True) in the multivariate path)
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, history: int = 4, horizon: int = 2, targets: int = 2):
        super().__init__()
        self.body = nn.Linear(history, 8)
        self.heads = nn.ModuleList(nn.Linear(8, horizon) for _ in range(targets))

    def tidy(self, outputs):
        raise NotImplementedError

    def forward(self, x):
        h = self.body(x).relu()
        return self.tidy([head(h) for head in self.heads])


class DetachedForecaster(Forecaster):
    def tidy(self, outputs):
        outputs = [o.clone().detach().requires_grad_(True) for o in outputs]  # expect: TL305
        return outputs


class RebuiltForecaster(Forecaster):
    """A fresh tensor with a flag is still a fresh tensor."""

    def tidy(self, outputs):
        return [torch.tensor(o, requires_grad=True) for o in outputs]  # expect: TL305


class ClonedForecaster(Forecaster):
    def tidy(self, outputs):
        return [o.clone() for o in outputs]  # ok: TL305


class StackedForecaster(Forecaster):
    def tidy(self, outputs):
        return list(torch.stack(outputs).unbind())  # ok: TL305


class Fit:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.seen = []

    def loss(self, x, targets):
        return sum(F.mse_loss(p, t) for p, t in zip(self.net(x), targets))

    def step(self, x, targets):
        self.opt.zero_grad()
        loss = self.loss(x, targets)
        loss.backward()
        self.opt.step()
        self.seen.append(loss.detach().clone())  # ok: TL305

    def sensitivity(self, x):
        """A leaf of its own on purpose: asks how the forecast depends on the history."""
        x = x.detach().clone().requires_grad_(True)  # ok: TL305
        (grad,) = torch.autograd.grad(self.net(x)[0].sum(), x)
        return grad.abs().mean(0)


def demonstrate():
    import warnings

    warnings.simplefilter("ignore")
    x, targets = torch.randn(6, 4), [torch.randn(6, 2), torch.randn(6, 2)]
    for cls, learns in (
        (DetachedForecaster, False), (RebuiltForecaster, False), (ClonedForecaster, True), (StackedForecaster, True),
    ):
        fit = Fit(cls())
        before = fit.net.body.weight.detach().clone()
        fit.step(x, targets)  # nothing complains
        assert (not torch.equal(before, fit.net.body.weight)) is learns, cls
    assert Fit(ClonedForecaster()).sensitivity(x).shape == (4,)
