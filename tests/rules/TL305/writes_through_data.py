"""A write through .data that autograd does not see, into a value that it has kept."""
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(2, 2)

    def forward(self, x):
        gate = torch.sigmoid(self.proj(x))
        gate.data.clamp_(0.2, 0.8)  # expect: TL305
        return gate * x

    def bounded(self):
        self.proj.weight.data.clamp_(-1, 1)  # ok: TL305  a parameter


def masked(model, x, mask):
    weights = model(x).softmax(-1)
    weights.data[mask] = 0  # expect: TL305
    return weights.sum()


def scaled(model, x):
    out = model(x).exp()
    out.data *= 0.5  # expect: TL305
    return out.sum()


def after_the_product(model, x):
    out = model(x)
    product = torch.matmul(out, out.t())
    out.data.zero_()  # expect: TL305
    return product.sum()


def seen_by_autograd(model, x, mask):
    weights = model(x).softmax(-1)
    weights = weights.masked_fill(mask, 0)  # ok: TL305
    return weights.sum()


def of_a_linear_result(model, x):
    out = model(x)
    out.data.clamp_(-1, 1)  # ok: TL305  nothing has kept it
    return out.sum()


def decayed(model, decay):
    for parameter in model.parameters():
        parameter.data.mul_(decay)  # ok: TL305


def of_an_input(x, y):
    x.data.clamp_(0, 1)  # ok: TL305
    return x * y


def demonstrate():
    torch.manual_seed(0)
    model, x, mask = nn.Linear(2, 2), torch.randn(3, 2), torch.tensor([[True, False]] * 3)

    def gradient(run):
        model.zero_grad()
        run().backward()
        return model.weight.grad

    right = gradient(lambda: torch.matmul(model(x), model(x).t()).sum())
    assert torch.equal(gradient(lambda: after_the_product(model, x)), torch.zeros(2, 2)) and right.abs().sum() > 0
    exact = gradient(lambda: model(x).exp().sum()).clone()
    assert torch.allclose(gradient(lambda: scaled(model, x)), 0.5 * exact)
    Gate()(x).sum().backward(), Gate().bounded(), masked(model, x, mask), seen_by_autograd(model, x, mask)
    of_a_linear_result(model, x), decayed(model, 0.9), of_an_input(x, x)
