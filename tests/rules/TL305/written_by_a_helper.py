"""A helper writes through .data into what it is given; what the caller passes was kept for the backward pass."""
import torch
from torch import nn


def bounded(weights, low):
    weights.data.clamp_(min=low)  # expect: TL305
    return weights


def floored(weights, low):
    weights.data[weights < low] = low  # expect: TL305
    return weights


def bounded_in_place_of_a_leaf(parameter, high):
    parameter.data.clamp_(max=high)  # ok: TL305  nothing has kept it
    return parameter


def bounded_scores(scores, low):
    scores.data.clamp_(min=low)  # ok: TL305  a sum keeps nothing
    return scores


def bounded_when_off(weights, low):
    weights.data.clamp_(min=low)  # ok: TL305  gradients are off
    return weights


class Attend(nn.Module):
    def __init__(self, keep=bounded):
        super().__init__()
        self.query, self.keep = nn.Linear(4, 4), keep

    def forward(self, x):
        weights = (self.query(x) @ x.T).softmax(-1)
        return self.keep(weights, 0.2) @ x

    def by_name(self, x):
        weights = torch.sigmoid(self.query(x))
        return floored(weights, 0.2) * x

    def tighten(self):
        for parameter in self.parameters():
            bounded_in_place_of_a_leaf(parameter, 1.0)

    def summed(self, x):
        return bounded_scores(self.query(x) + 1, 0.0)

    @torch.no_grad()
    def shown(self, x):
        return bounded_when_off(self.query(x).softmax(-1), 0.2)


def demonstrate():
    def gradient(keep):
        torch.manual_seed(0)
        attend = Attend(keep)
        attend(torch.randn(3, 4)).square().mean().backward()
        return attend.query.weight.grad

    assert not torch.allclose(gradient(bounded), gradient(lambda w, low: w.clamp(min=low)))
    weights = torch.randn(3, requires_grad=True).softmax(0)
    with torch.no_grad():
        weights.clamp_(min=0.2)
    try:
        weights.square().sum().backward()
        raise AssertionError("the honest write was not noticed")
    except RuntimeError as error:
        assert "inplace" in str(error)
    attend = Attend()
    attend.by_name(torch.randn(3, 4))
    attend.tighten()
    attend.summed(torch.randn(3, 4))
    attend.shown(torch.randn(3, 4))
