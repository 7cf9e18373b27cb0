"""A network all of whose layers are of a class that freezes itself, as the call that builds them asks."""
import torch
from torch import nn

held = []


class Slices(nn.Module):
    def __init__(self, requires_grad=False):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        if not requires_grad:
            for parameter in self.parameters():
                parameter.requires_grad = False

    def forward(self, x):
        return self.layer(x)


class Metric(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Slices(requires_grad=False)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.net(x))


class Learned(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Slices(requires_grad=False)
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.net(x))


def distances(batches):
    metric = Metric().cpu()
    metric.eval()  # ok: TL304
    for x in batches:
        held.append(metric(x))


def by_default(batches):
    net = Slices()
    net.eval()  # ok: TL304
    for x in batches:
        held.append(net(x))


def as_asked(batches):
    net = Slices(requires_grad=True)
    net.eval()  # expect: TL304
    for x in batches:
        held.append(net(x))


def with_a_head(batches):
    metric = Learned()
    metric.eval()  # expect: TL304  its head is trained
    for x in batches:
        held.append(metric(x))


def demonstrate():
    for records, run in ((False, distances), (False, by_default), (True, as_asked), (True, with_a_head)):
        held.clear()
        run([torch.ones(1, 2)])
        assert held[0].requires_grad is records, run
