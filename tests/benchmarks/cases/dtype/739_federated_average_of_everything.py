"""Federated averaging takes the weighted mean of every state_dict value; integer tables come back truncated.

source: YU1ut/MixMatch-pytorch#27 (integer counters under a weighted mean); typical FedAvg servers
rules: [TL301]
"""
import copy

import torch
from torch import nn


class WindowClient(nn.Module):
    def __init__(self, window=4, dim=4):
        super().__init__()
        self.bias_table = nn.Parameter(torch.randn(2 * window - 1))
        coords = torch.arange(window)
        self.register_buffer("relative", coords[:, None] - coords[None, :] + window - 1)
        self.norm, self.proj = nn.BatchNorm1d(dim), nn.Linear(dim, window)

    def forward(self, x):
        return self.proj(self.norm(x)) @ self.bias_table[self.relative]


def aggregate(states, sizes):
    shares = [n / sum(sizes) for n in sizes]
    merged = {}
    for key in states[0]:
        merged[key] = sum(share * state[key] for share, state in zip(shares, states))  # expect: TL301
    return merged


def aggregate_fixed(states, sizes):
    shares = [n / sum(sizes) for n in sizes]
    merged = copy.deepcopy(states[0])
    for key, first in merged.items():
        if not first.is_floating_point():
            continue
        merged[key] = sum(share * state[key] for share, state in zip(shares, states))  # ok: TL301
    return merged


def aggregate_parameters(models, sizes):
    shares = [n / sum(sizes) for n in sizes]
    columns = zip(*(dict(m.named_parameters()).items() for m in models))
    with torch.no_grad():
        return {row[0][0]: sum(s * value for s, (_, value) in zip(shares, row)) for row in columns}  # ok: TL301


def broadcast(server, clients):
    for client in clients:
        client.load_state_dict(server.state_dict())  # ok: TL301


def demonstrate():
    torch.manual_seed(0)
    clients = [WindowClient() for _ in range(3)]
    for i, client in enumerate(clients):
        for _ in range(i + 1):
            client(torch.randn(8, 4))
    sizes, states = [118, 127, 30], [c.state_dict() for c in clients]
    bad, good = aggregate(states, sizes), aggregate_fixed(states, sizes)
    assert bad["relative"].dtype is torch.float32 and good["relative"].dtype is torch.int64
    server = WindowClient()
    table = server.relative.clone()
    server.load_state_dict(bad)  # truncates without a word
    assert not torch.equal(server.relative, table), "equal tables, yet their mean is not the same table"
    server = WindowClient()
    server.load_state_dict(good)
    assert torch.equal(server.relative, table)
    params = aggregate_parameters(clients, sizes)
    assert torch.allclose(params["bias_table"], good["bias_table"])
    broadcast(server, clients)
    assert torch.equal(clients[0].bias_table, server.bias_table)
