"""Quantisation-aware training imitates 8-bit weights by really casting to int8; the layer runs, its weight gets no gradient.

source: fake-quantisation layers written from scratch; forum thread "Torch.round() gradient" (28628) kind
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


def limits(bits):
    top = 2 ** (bits - 1) - 1
    return -top - 1, top


class Imitation(nn.Module):
    bits = 8

    def step(self, w):
        return w.detach().abs().max() / limits(self.bits)[1]

    def forward(self, w):
        s = self.step(w)
        q = torch.clamp(w / s, *limits(self.bits)).to(torch.int8)  # expect: TL305
        return q.float() * s


class ImitationThrough(Imitation):
    def forward(self, w):
        s = self.step(w)
        q = torch.clamp(w / s, *limits(self.bits)).round().to(torch.int8)  # ok: TL305
        seen = q.float() * s
        return w + (seen - w).detach()


class ImitationFloat(Imitation):
    """Narrows the type, not to integers: a floating cast keeps the history."""

    def forward(self, w):
        return w.to(torch.bfloat16).type(torch.float32)  # ok: TL305


class Layer(nn.Linear):
    def __init__(self, a, b, imitation=Imitation):
        super().__init__(a, b)
        self.imitation = imitation()

    def forward(self, x):
        return F.linear(x, self.imitation(self.weight), self.bias)

    @torch.no_grad()
    def export(self):
        s = self.imitation.step(self.weight)
        return (self.weight / s).round().to(torch.int8), s  # ok: TL305


def train(imitation=Imitation, steps=3):
    torch.manual_seed(0)
    net = nn.Sequential(Layer(4, 8, imitation), nn.ReLU(), Layer(8, 1, imitation))
    opt = torch.optim.Adam(net.parameters(), lr=0.05)
    x = torch.randn(16, 4)
    start = net[0].weight.detach().clone()
    for _ in range(steps):
        loss = F.mse_loss(net(x), x.sum(1, keepdim=True))
        opt.zero_grad()
        loss.backward()
        opt.step()
    return not torch.equal(start, net[0].weight), net


def demonstrate():
    moved, net = train(Imitation)
    assert not moved and net[0].bias.grad is not None  # only the biases learn
    for imitation in (ImitationThrough, ImitationFloat):
        moved, net = train(imitation)
        assert moved and net[0].export()[0].dtype is torch.int8
