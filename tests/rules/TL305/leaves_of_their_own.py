"""A value that is detached and asked for its own gradient is a new leaf: the gradient ends there on purpose."""
import torch
from torch import nn

net = nn.Linear(2, 2)


def gradients_agree(x, weight):
    out = net(x)
    out.pow(2).sum().backward(retain_graph=True)
    expected = out.detach().clone().requires_grad_(True)  # ok: TL305
    loss = expected.pow(2).sum() + expected.sum() * weight
    loss.backward()
    return expected.grad


def attacked(x):
    out = net(x)
    start = out.detach()  # ok: TL305
    start.requires_grad = True
    loss = start.sum() + out.sum()
    loss.backward()
    return start.grad


def cut(x):
    out = net(x)
    loss = out.pow(2).sum() + out.sum().detach()  # expect: TL305
    loss.backward()


def demonstrate():
    x = torch.ones(1, 2)
    assert gradients_agree(x, 2.0) is not None and attacked(x) is not None
    net.zero_grad()
    cut(x)
    with_term = net.bias.grad.clone()
    net.zero_grad()
    net(x).pow(2).sum().backward()
    assert torch.equal(with_term, net.bias.grad)
