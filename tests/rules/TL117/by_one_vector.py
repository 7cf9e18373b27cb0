"""Both models are flattened to vectors, and the average is written back as one vector: it knows parameters only."""
import copy

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector as flat
from torch.nn.utils import vector_to_parameters


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))

    def forward(self, x):
        return self.body(x)


class Averager:
    def __init__(self, live: Net):
        self.live = live
        self.shadow = copy.deepcopy(live).eval()

    @torch.no_grad()
    def update(self):
        raise NotImplementedError


class OverVectors(Averager):
    @torch.no_grad()
    def update(self):
        mean = torch.lerp(flat(self.shadow.parameters()), flat(self.live.parameters()), 0.5)
        vector_to_parameters(mean, self.shadow.parameters())  # expect: TL117


class WithBuffers(Averager):
    @torch.no_grad()
    def update(self):
        mean = torch.lerp(flat(self.shadow.parameters()), flat(self.live.parameters()), 0.5)
        vector_to_parameters(mean, self.shadow.parameters())  # ok: TL117
        for mine, other in zip(self.shadow.buffers(), self.live.buffers()):
            mine.copy_(other)


class Copied(Averager):
    """No average: the newest weights."""

    @torch.no_grad()
    def update(self):
        vector_to_parameters(flat(self.live.parameters()), self.shadow.parameters())  # ok: TL117


def stepped(net: nn.Module, direction: torch.Tensor) -> nn.Module:
    vector_to_parameters(flat(net.parameters()) + direction, net.parameters())  # ok: TL117
    return net.eval()


def demonstrate():
    for kind, is_followed in ((OverVectors, False), (WithBuffers, True), (Copied, False)):
        averager = kind(Net())
        averager.live(torch.ones(4, 2))
        averager.update()
        assert bool(averager.shadow.body[1].num_batches_tracked) is is_followed
    stepped(Net(), torch.zeros(10))
