"""What gathers the terms of a loss is a default, an entry of a table or an attribute of a class."""

import torch
from torch import nn


class Curve(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = nn.Parameter(torch.tensor(0.5))

    def gaps(self, samples):
        for at, height in samples:
            yield (torch.exp(-self.rate * at) - height).square()

    def spans(self, samples):
        return [at for at, _ in samples]


def rebuilt(values):
    return torch.as_tensor(list(values))  # expect: TL305


def rebuilt_in_a_table(values):
    return torch.tensor(list(values))  # expect: TL305


def rebuilt_in_a_class(values):
    return torch.as_tensor(list(values))  # expect: TL305


def stacked(values):
    return torch.stack(list(values))  # ok: TL305


def of_plain_numbers(values):
    return torch.as_tensor(list(values))  # ok: TL305


def for_a_table(values):
    return torch.as_tensor(list(values))  # ok: TL305


GATHER = {"rebuilt": rebuilt_in_a_table, "stacked": stacked}


class Fit:
    pick = staticmethod(rebuilt_in_a_class)

    def __init__(self, net, gather=rebuilt, measure=of_plain_numbers, show=for_a_table):
        self.net, self.gather, self.measure, self.show = net, gather, measure, show

    def loss_by_default(self, samples):
        return self.gather(self.net.gaps(samples)).mean()

    def loss_by_name(self, samples, name):
        return GATHER[name](self.net.gaps(samples)).mean()

    def loss_by_class(self, samples):
        return self.pick(self.net.gaps(samples)).mean()

    def loss_scaled(self, samples):
        return torch.stack(list(self.net.gaps(samples))).mean() / self.measure(self.net.spans(samples)).mean()

    @torch.no_grad()
    def table(self, samples):
        return self.show(self.net.gaps(samples)).sort().values


def demonstrate():
    samples = [(0.5, 1.0), (1.0, 0.3)]
    fit = Fit(Curve())
    for loss in (fit.loss_by_default(samples), fit.loss_by_class(samples), fit.loss_by_name(samples, "rebuilt")):
        assert not loss.requires_grad
    assert fit.loss_scaled(samples).requires_grad and fit.loss_by_name(samples, "stacked").requires_grad
    assert fit.table(samples).shape == (2,)
