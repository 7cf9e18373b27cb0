"""Weights are set aside in a list, changed in place, and put back in the same function: only copies bring them back."""
import torch
from torch import nn


def _climb(net: nn.Module) -> None:
    with torch.no_grad():
        for p in net.parameters():
            p.add_(0.5)


def of_themselves(net: nn.Module, batch: torch.Tensor) -> float:
    old = [p.data for p in net.parameters()]  # expect: TL116
    _climb(net)
    loss = net(batch).sum().item()
    with torch.no_grad():
        for p, before in zip(net.parameters(), old):
            p.copy_(before)
    return loss


def of_copies(net: nn.Module, batch: torch.Tensor) -> float:
    old = [p.detach().clone() for p in net.parameters()]  # ok: TL116
    _climb(net)
    loss = net(batch).sum().item()
    with torch.no_grad():
        for p, before in zip(net.parameters(), old):
            p.copy_(before)
    return loss


def by_name(net: nn.Module, batch: torch.Tensor) -> float:
    old = {name: p.clone() for name, p in net.named_parameters()}  # ok: TL116
    _climb(net)
    loss = net(batch).sum().item()
    with torch.no_grad():
        for name, p in net.named_parameters():
            p.copy_(old[name])
    return loss


def average(net: nn.Module, batches) -> list:
    mean = list(net.parameters())  # expect: TL116
    for _ in batches:
        _climb(net)
        with torch.no_grad():
            for kept, p in zip(mean, net.parameters()):
                kept.lerp_(p, 0.5)
    return mean


def demonstrate():
    for function, comes_back in ((of_themselves, False), (of_copies, True), (by_name, True)):
        net = nn.Linear(1, 1)
        before = net.weight.item()
        function(net, torch.ones(1, 1))
        assert (net.weight.item() == before) is comes_back
    net = nn.Linear(1, 1)
    assert average(net, [0])[0] is net.weight
