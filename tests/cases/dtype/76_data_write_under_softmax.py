"""Attention weights are clipped through .data after softmax, whose backward needs the original output: wrong gradients, no error.

source: forum threads on .data edits of outputs; attention dropout and "renormalise" helpers of research code
rules: [TL305]
"""
import torch
from torch import nn


def floor_weights(weights, low):
    weights.data.clamp_(min=low)  # expect: TL305
    return weights


def floor_weights_out_of_place(weights, low):
    return weights.clamp(min=low)  # ok: TL305


class Attend(nn.Module):
    limit = 0.2

    def __init__(self, dim=4, floor=floor_weights):
        super().__init__()
        self.q, self.v, self.floor = nn.Linear(dim, dim), nn.Linear(dim, dim), floor

    def forward(self, x):
        w = (self.q(x) @ x.transpose(-1, -2)).softmax(-1)
        w = self.floor(w, self.limit)
        return w @ self.v(x)


class Clipped(Attend):
    """Writes through .data of a leaf after the step: nothing saved it."""

    def __init__(self, dim=4):
        super().__init__(dim, floor_weights_out_of_place)

    def clip(self, bound=0.5):
        for p in self.parameters():
            p.data.clamp_(-bound, bound)  # ok: TL305


# ---- demonstration ----
def demonstrate():
    def grad(make):
        torch.manual_seed(0)
        net = make()
        net(torch.randn(3, 4)).pow(2).sum().backward()
        return net.q.weight.grad

    bad, good = grad(Attend), grad(Clipped)
    assert not torch.allclose(bad, good, atol=1e-4), (bad - good).abs().max()
    # what autograd says when the same write is honest
    w = torch.randn(3, requires_grad=True).softmax(0)
    with torch.no_grad():
        w.clamp_(min=0.2)
    try:
        w.pow(2).sum().backward()
        raise AssertionError("the write went unnoticed")
    except RuntimeError as err:
        assert "modified by an inplace operation" in str(err)
    net = Clipped()
    net.clip()
    assert net.q.weight.abs().max() <= 0.5
