"""GAN training keeps the best generators: some snapshots share the memory of the network that trains on.

source: sicara/easy-few-shot-learning#129, WenjieDu/PyPOTS#667, dvgodoy/PyTorchStepByStep#28
rules: [TL116]
"""
import copy
from collections import OrderedDict, deque
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Hall:
    size: int = 3
    entries: deque = field(default_factory=deque)

    def add(self, score: float, state) -> None:
        self.entries.append((score, state))
        while len(self.entries) > self.size:
            self.entries.popleft()


def one_step(net, opt, z) -> float:
    loss = net(z).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def train_sharing(net, steps: int = 4) -> Hall:
    hall, opt = Hall(), torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        score = one_step(net, opt, torch.randn(8, 2))
        hall.add(score, net.state_dict())  # expect: TL116
    return hall


def train_shallow(net, steps: int = 4) -> Hall:
    hall, opt = Hall(), torch.optim.SGD(net.parameters(), lr=0.1)
    best = None
    for i in range(steps):
        score = one_step(net, opt, torch.randn(8, 2))
        if best is None or score < best[0]:
            best = (score, OrderedDict(net.state_dict()))  # expect: TL116
    hall.add(*best)
    return hall


def train_cloned(net, steps: int = 4) -> Hall:
    hall, opt = Hall(), torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        score = one_step(net, opt, torch.randn(8, 2))
        hall.add(score, OrderedDict((k, v.clone()) for k, v in net.state_dict().items()))  # ok: TL116
    return hall


def train_twin(net, steps: int = 4) -> Hall:
    """A second network holds the best weights; load_state_dict() copies."""
    hall, opt = Hall(), torch.optim.SGD(net.parameters(), lr=0.1)
    twin = copy.deepcopy(net)
    low = float("inf")
    for _ in range(steps):
        score = one_step(net, opt, torch.randn(8, 2))
        if score < low:
            low = score
            twin.load_state_dict(net.state_dict())  # ok: TL116
    hall.add(low, twin.state_dict())  # ok: TL116
    return hall


def train_final(net, steps: int = 4) -> Hall:
    hall, opt = Hall(), torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        score = one_step(net, opt, torch.randn(8, 2))
    hall.add(score, net.state_dict())  # ok: TL116
    return hall


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for train, shares in ((train_sharing, True), (train_shallow, True), (train_cloned, False), (train_twin, False)):
        torch.manual_seed(0)
        net = nn.Linear(2, 2)
        hall = train(net)
        assert (hall.entries[0][1]["weight"].data_ptr() == net.weight.data_ptr()) is shares, train
    hall = train_sharing(nn.Linear(2, 2))
    assert torch.equal(hall.entries[0][1]["weight"], hall.entries[2][1]["weight"]), "three equal snapshots"
    train_final(nn.Linear(2, 2))
