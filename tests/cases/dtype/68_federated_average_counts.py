"""Federated averaging adds weighted state_dict values in place: the batch counter is an integer and refuses a floating addend.

source: AI-secure/DBA#1 and MixMatch-pytorch#27 ("result type Float can't be cast to the desired output type Long")
rules: [TL301]
"""
import copy

import torch
from torch import nn


class Server:
    def __init__(self, net):
        self.net = net

    def merge(self, clients, shares):
        total = {k: torch.zeros_like(v) for k, v in self.net.state_dict().items()}
        for share, client in zip(shares, clients):
            for key, value in client.state_dict().items():
                total[key] += share * value  # expect: TL301
        return total

    def round(self, clients, shares):
        self.net.load_state_dict(self.merge(clients, shares))
        return self.net


class ServerCopyingCounts(Server):
    def merge(self, clients, shares):
        total = copy.deepcopy(clients[0].state_dict())
        for key, first in total.items():
            if not first.dtype.is_floating_point:
                continue
            total[key] = sum(share * c.state_dict()[key] for share, c in zip(shares, clients))  # ok: TL301
        return total


class ServerOfParameters(Server):
    """Averages the learned values only; counters stay where they are."""

    @torch.no_grad()
    def round(self, clients, shares):
        for mine, *theirs in zip(self.net.parameters(), *[c.parameters() for c in clients]):
            mine.zero_()  # use: TL117
            for share, other in zip(shares, theirs):
                mine.add_(other, alpha=share)  # ok: TL301
        return self.net


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)

    def client():
        net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
        net(torch.randn(8, 3))
        return net

    clients, shares = [client(), client()], [0.25, 0.75]
    try:
        Server(client()).round(clients, shares)
        raise AssertionError("an integer counter took a floating addend")
    except RuntimeError as err:
        assert "can't be cast" in str(err), err
    for cls in (ServerCopyingCounts, ServerOfParameters):
        net = cls(client()).round(clients, shares)
        assert torch.allclose(net[0].bias, 0.25 * clients[0][0].bias + 0.75 * clients[1][0].bias)
        assert net[1].num_batches_tracked.dtype is torch.int64
