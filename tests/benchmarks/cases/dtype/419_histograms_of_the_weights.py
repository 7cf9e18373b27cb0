"""A monitor turns weights, running statistics and slopes into arrays; the weights are Parameters, which numpy refuses.

source: histogram loggers of training scripts ("Can't call numpy() on Tensor that requires grad"); wengong-jin/hgraph2graph#35 kind
rules: [TL306]
"""
from collections import defaultdict

import numpy as np
import torch
from torch import nn


class Monitor:
    def __init__(self, bins=4):
        self.bins, self.seen = bins, defaultdict(list)

    def put(self, name, values):
        self.seen[name].append(np.histogram(values, bins=self.bins)[0])

    def weights(self, model):
        for name, p in model.named_parameters():
            self.put(name, p.cpu().numpy())  # expect: TL306

    def statistics(self, model):
        for name, b in model.named_buffers():
            self.put(name, b.cpu().numpy())  # ok: TL306

    def slopes(self, model):
        for name, p in model.named_parameters():
            if p.grad is not None:
                self.put(name + ".grad", p.grad.cpu().numpy())  # ok: TL306


class MonitorOfData(Monitor):
    def weights(self, model):
        for name, p in model.named_parameters():
            self.put(name, p.data.cpu().numpy())  # ok: TL306


class MonitorOfState(Monitor):
    """state_dict() hands out detached tensors."""

    def weights(self, model):
        for name, value in model.state_dict().items():
            self.put(name, value.cpu().numpy())  # ok: TL306


class MonitorQuiet(Monitor):
    @torch.no_grad()
    def weights(self, model):
        for name, p in model.named_parameters():
            self.put(name, p.cpu().numpy())  # ok: TL306


def epoch(model, opt, batches, monitor):
    for x in batches:
        opt.zero_grad()
        model(x).pow(2).mean().backward()
        opt.step()
    monitor.statistics(model)
    monitor.slopes(model)
    monitor.weights(model)
    return monitor.seen


def demonstrate():
    torch.manual_seed(0)

    def run(kind):
        model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
        return epoch(model, torch.optim.SGD(model.parameters(), lr=0.1), [torch.randn(4, 3)], kind())

    try:
        run(Monitor)
        raise AssertionError("a Parameter became an array")
    except RuntimeError as err:
        assert "requires grad" in str(err), err
    for kind in (MonitorOfData, MonitorOfState, MonitorQuiet):
        assert "0.weight" in run(kind)
