"""Reptile: the weights before the inner loop are remembered as a state_dict and are the weights after it.

source: learnables/learn2learn#293 (why the example deep-copies), dvgodoy/PyTorchStepByStep#28 (starting weights kept as an alias)
rules: [TL116]
"""
from copy import deepcopy

import torch
import torch.nn.functional as F
from torch import nn


class Meta:
    def __init__(self, net: nn.Module, inner: float = 0.1, outer: float = 0.5, steps: int = 3):
        self.net, self.inner, self.outer, self.steps = net, inner, outer, steps

    def adapt(self, x, y) -> None:
        opt = torch.optim.SGD(self.net.parameters(), lr=self.inner)
        for _ in range(self.steps):
            opt.zero_grad()
            F.mse_loss(self.net(x), y).backward()
            opt.step()

    def meta_step(self, tasks) -> None:
        for x, y in tasks:
            start = self.net.state_dict()  # expect: TL116
            self.adapt(x, y)
            end = self.net.state_dict()
            self.net.load_state_dict({k: w + self.outer * (end[k] - w) for k, w in start.items()})


class CopyingMeta(Meta):
    def meta_step(self, tasks):
        for x, y in tasks:
            start = deepcopy(self.net.state_dict())  # ok: TL116
            self.adapt(x, y)
            end = self.net.state_dict()  # ok: TL116
            self.net.load_state_dict({k: torch.lerp(w, end[k], self.outer) for k, w in start.items()})


class CloneNetMeta(Meta):
    """The inner loop runs on another object, so the dict of the original stays what it was."""

    def meta_step(self, tasks):
        for x, y in tasks:
            worker = CloneNetMeta(deepcopy(self.net), self.inner, self.outer, self.steps)
            start = self.net.state_dict()  # ok: TL116
            worker.adapt(x, y)
            end = worker.net.state_dict()
            self.net.load_state_dict({k: torch.lerp(w, end[k], self.outer) for k, w in start.items()})


def same_start(make, state) -> nn.Module:
    net = make()
    net.load_state_dict(state)
    return net


def fork(net: nn.Module, make, count: int) -> list[nn.Module]:
    """Loading copies values at once; nothing is kept."""
    state = net.state_dict()  # ok: TL116
    return [same_start(make, state) for _ in range(count)]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    make = lambda: nn.Linear(2, 1)
    tasks = [(torch.randn(8, 2), torch.randn(8, 1))]
    first = make()
    adapted = deepcopy(first)
    Meta(adapted).adapt(*tasks[0])
    half_way = torch.lerp(first.weight, adapted.weight, 0.5)
    for cls, right in ((Meta, False), (CopyingMeta, True), (CloneNetMeta, True)):
        net = deepcopy(first)
        cls(net).meta_step(tasks)
        assert torch.allclose(net.weight, half_way, atol=1e-6) is right, cls
    twins = fork(first, make, 2)
    assert torch.equal(twins[0].weight, twins[1].weight)
