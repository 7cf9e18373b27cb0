"""A federated client adds Gaussian noise to every entry of its update before it is sent; integer entries have no normal distribution.

source: DP-FedAvg style clients; AI-secure/DBA#1 (integer entries of the state break the arithmetic)
rules: [TL301]
"""
from collections import OrderedDict

import torch
from torch import nn


class Client:
    def __init__(self, net, scale=0.01):
        self.net, self.scale = net, scale

    def protect(self, state):
        sent = OrderedDict()
        for key, value in state.items():
            sent[key] = value + self.scale * torch.randn_like(value)  # expect: TL301
        return sent

    def report(self):
        return self.protect(self.net.state_dict())


class ClientFixed(Client):
    def protect(self, state):
        def noisy(value):
            if not torch.is_floating_point(value):
                return value.clone()
            return value + self.scale * torch.randn_like(value)  # ok: TL301

        return OrderedDict((k, noisy(v)) for k, v in state.items())


class ClientParameters(Client):
    def protect(self, state):
        sent = OrderedDict(state)
        for key, p in self.net.named_parameters():
            sent[key] = p.detach() + self.scale * torch.randn_like(p)  # ok: TL301
        return sent


class Server:
    def __init__(self, make, client, count=2):
        self.make = make
        self.clients = [client(make()) for _ in range(count)]

    def collect(self):
        return [c.report() for c in self.clients]


def net():
    return nn.Sequential(nn.Conv1d(1, 2, 1), nn.BatchNorm1d(2))


def demonstrate():
    try:
        Server(net, Client).collect()
        raise AssertionError("an integer entry got normal noise")
    except (RuntimeError, NotImplementedError) as err:
        assert "Long" in str(err) or "long" in str(err), err
    for kind in (ClientFixed, ClientParameters):
        for report in Server(net, kind).collect():
            assert report["1.num_batches_tracked"].dtype is torch.int64
