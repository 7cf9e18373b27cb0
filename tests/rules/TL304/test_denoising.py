"""A script that evaluates is called test_* as well; it is no test."""
import torch
from torch import nn


def evaluate(net, batches):
    net.eval()  # expect: TL304
    return [net(batch) for batch in batches]


def evaluate_quietly(net, batches):
    net.eval()  # ok: TL304
    with torch.no_grad():
        return [net(batch) for batch in batches]


def demonstrate():
    net, batches = nn.Linear(2, 2), [torch.ones(1, 2)]
    assert evaluate(net, batches)[0].requires_grad
    assert not evaluate_quietly(net, batches)[0].requires_grad
