"""A federated server averages every state_dict value in place; batch norm's int64 counter cannot hold the weighted sum.

source: FedAvg implementations, issues "result type Float can't be cast to the desired output type Long"
rules: [TL301]
"""
import copy

import torch
from torch import nn


def federated_average(clients, sizes):
    total = sum(sizes)
    avg = {key: torch.zeros_like(value) for key, value in clients[0].state_dict().items()}
    for client, size in zip(clients, sizes):
        for key, value in client.state_dict().items():
            avg[key] += value * (size / total)  # expect: TL301
    return avg


@torch.no_grad()
def damp(server, client, mu=0.1):
    local = client.state_dict()
    for name, value in server.state_dict().items():
        value.mul_(1 - mu).add_(local[name], alpha=mu)  # expect: TL301
    return server


def federated_average_fixed(clients, sizes):
    total = sum(sizes)
    avg = copy.deepcopy(clients[0].state_dict())
    for key in avg:
        if not avg[key].is_floating_point():
            continue
        avg[key] = sum(c.state_dict()[key] * (n / total) for c, n in zip(clients, sizes))  # ok: TL301
    return avg


@torch.no_grad()
def damp_fixed(server, client, mu=0.1):
    local = client.state_dict()
    for name, value in server.state_dict().items():
        if value.dtype == torch.int64:
            value.copy_(local[name])
        else:
            value.mul_(1 - mu).add_(local[name], alpha=mu)  # ok: TL301
    return server


@torch.no_grad()
def pull_towards(server: nn.Module, client: nn.Module, mu=0.1):
    for mine, theirs in zip(client.parameters(), server.parameters()):
        mine.mul_(1 - mu).add_(theirs, alpha=mu)  # ok: TL301


def drift(server, client):
    theirs = dict(client.named_parameters())
    return sum((p.detach() - theirs[name].detach()).norm() for name, p in server.named_parameters())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    def client(seed):
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
        net(torch.randn(6, 3))
        return net

    a, b = client(0), client(1)
    for broken in (lambda: federated_average([a, b], [1, 3]), lambda: damp(client(0), b)):
        try:
            broken()
            raise AssertionError("a float result was stored in an int64 counter")
        except RuntimeError as err:
            assert "can't be cast" in str(err), err
    good = federated_average_fixed([a, b], [1, 3])
    assert torch.allclose(good["0.weight"], a[0].weight * 0.25 + b[0].weight * 0.75)
    assert good["1.num_batches_tracked"].dtype is torch.int64
    assert damp_fixed(client(0), b)[1].num_batches_tracked.item() == 1
    before = drift(a, b)
    pull_towards(a, b)
    assert drift(a, b) < before
