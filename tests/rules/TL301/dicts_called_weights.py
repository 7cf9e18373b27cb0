"""A dict called weights is a state where a caller gives one or loads what it gets; parameters alone are floats."""
import math

import torch
from torch import nn


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(x)


class Client:
    def __init__(self):
        self.network = Network()

    def get_weights(self):
        return {name: value.data for name, value in dict(self.network.named_parameters()).items()}


def normalized(weights, share):
    return {name: value.mul(share) for name, value in weights.items()}  # ok: TL301  goes into a norm, is never loaded


def norm(weights):
    return math.sqrt(sum(float((value**2).sum()) for value in weights.values()))


def norm_of(client):
    return norm(normalized(client.get_weights(), 0.5))


def halved(weights):
    result = {}
    for name, value in weights.items():
        result[name] = value * 0.5  # ok: TL301  callers give parameters
    return result


def load_halved(network):
    network.load_state_dict(halved(dict(network.named_parameters())), strict=False)


def of_a_state(weights, share):
    return {name: value * share for name, value in weights.items()}  # expect: TL301  a caller gives a state


def state_norm(network):
    return norm(of_a_state(network.state_dict(), 0.5))


def mean_of(local_weights):
    mean = dict(local_weights[0])
    for name in mean:
        mean[name] = torch.stack([weights[name].float() for weights in local_weights]).mean()
    return {name: value * 1.5 for name, value in local_weights[0].items()}  # expect: TL301  the result is loaded


def gathered(network, clients):
    network.load_state_dict(mean_of([client.sent() for client in clients]))


def uncalled(weights, share):
    return {name: value * share for name, value in weights.items()}  # expect: TL301  a state, as far as can be seen


class Sender:
    def __init__(self, network):
        self.network = network

    def sent(self):
        return self.network.state_dict()


def demonstrate():
    network = Network()
    network.norm.num_batches_tracked += 7
    assert all(value.is_floating_point() for value in Client().get_weights().values())
    assert norm_of(Client()) > 0
    load_halved(network)
    assert network.norm.num_batches_tracked == 7 and float(network.norm.weight[0]) == 0.5
    assert of_a_state(network.state_dict(), 0.5)["norm.num_batches_tracked"] == 3.5
    assert uncalled(network.state_dict(), 0.5)["norm.num_batches_tracked"] == 3.5
    assert state_norm(network) > 0
    network.load_state_dict({**network.state_dict(), "norm.weight": torch.ones(2)})
    gathered(network, [Sender(network)])
    assert network.norm.num_batches_tracked == 10
