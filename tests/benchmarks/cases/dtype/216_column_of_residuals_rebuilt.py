"""Parameter fitting: residuals of single points pass through a helper that makes a column of them, and the graph ends there.

source: lululxvi/deepxde#1318 (as_tensor of a list loses the gradient), laekov/fastmoe#49
rules: [TL305]
"""
import torch
from torch import nn


def column(values, learn=False):
    out = torch.as_tensor(list(values))  # expect: TL305
    return out.requires_grad_() if learn else out


def column_kept(values):
    return torch.stack(list(values))  # ok: TL305


class Decay(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = nn.Parameter(torch.tensor(0.5))
        self.start = nn.Parameter(torch.tensor(1.5))

    def at(self, t):
        return self.start * torch.exp(-self.rate * t)

    def residuals(self, samples):
        for t, y in samples:
            yield (self.at(t) - y).square()


class Fit:
    def __init__(self, net, gather=column, **options):
        self.net, self.gather, self.options = net, gather, options
        self.opt = torch.optim.SGD(net.parameters(), lr=0.2)

    def objective(self, samples):
        return self.gather(self.net.residuals(samples), **self.options).mean()

    def step(self, samples):
        self.opt.zero_grad()
        loss = self.objective(samples)
        loss.backward()
        self.opt.step()
        return loss.item()


class Report(Fit):
    """Numbers for a table: nobody differentiates them."""

    def table(self, samples):
        with torch.no_grad():
            worst = torch.as_tensor([r.item() for r in self.net.residuals(samples)])  # ok: TL305
        return worst.topk(1).values


def main(samples, fixed=False):
    fit = Report(Decay(), column_kept) if fixed else Fit(Decay(), column, learn=True)
    for _ in range(3):
        fit.step(samples)
    return fit


def demonstrate():
    samples = [(0.0, 1.0), (1.0, 0.3), (2.0, 0.1)]
    stuck = main(samples)
    assert stuck.net.rate.grad is None and stuck.net.rate.item() == 0.5, "backward ran, nothing learned"
    fit = main(samples, fixed=True)
    assert fit.net.rate.item() != 0.5 and fit.table(samples).shape == (1,)
