"""First-order meta-learning, a learning-rate sweep and a running average all keep a state that is not a copy.

source: pytorch/tutorials#188, SMART-Lab/smartlearner#76 (stash by reference); code written from scratch
rules: [TL116]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn


def inner_loop(model: nn.Module, task, steps: int, lr: float) -> None:
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    x, y = task
    for _ in range(steps):
        opt.zero_grad()
        F.mse_loss(model(x), y).backward()
        opt.step()


def reptile(model: nn.Module, tasks, rate: float = 0.5, steps: int = 3, lr: float = 0.1) -> None:
    for task in tasks:
        start = model.state_dict()  # expect: TL116
        inner_loop(model, task, steps, lr)
        end = model.state_dict()  # ok: TL116
        model.load_state_dict({k: start[k] + rate * (end[k] - start[k]) for k in start})


def reptile_copied(model: nn.Module, tasks, rate: float = 0.5, steps: int = 3, lr: float = 0.1) -> None:
    for task in tasks:
        start = copy.deepcopy(model.state_dict())  # ok: TL116
        inner_loop(model, task, steps, lr)
        end = model.state_dict()  # ok: TL116
        model.load_state_dict({k: start[k] + rate * (end[k] - start[k]) for k in start})


class RateSweep:
    """Tries growing learning rates and puts the first weights back afterwards."""

    def __init__(self, model: nn.Module):
        self.model = model
        self.initial = dict(model.state_dict())  # expect: TL116

    def run(self, task, rates) -> list[float]:
        losses = []
        x, y = task
        for lr in rates:
            inner_loop(self.model, task, 1, lr)
            with torch.no_grad():
                losses.append(float(F.mse_loss(self.model(x), y)))
        self.model.load_state_dict(self.initial)
        return losses


class ClonedRateSweep(RateSweep):
    def __init__(self, model: nn.Module):
        self.model = model
        self.initial = {k: v.detach().clone() for k, v in model.state_dict().items()}  # ok: TL116


class RunningAverage:
    def __init__(self, model: nn.Module, decay: float = 0.9):
        self.decay = decay
        self.shadow = {k: p.data for k, p in model.named_parameters()}  # expect: TL116

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        for k, p in model.named_parameters():
            self.shadow[k].mul_(self.decay).add_(p, alpha=1 - self.decay)


class ClonedAverage(RunningAverage):
    def __init__(self, model: nn.Module, decay: float = 0.9):
        self.decay = decay
        self.shadow = {k: p.data.clone() for k, p in model.named_parameters()}  # ok: TL116


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    task = torch.randn(16, 2), torch.randn(16, 1) + 3
    base = nn.Linear(2, 1)
    plain = copy.deepcopy(base)
    inner_loop(plain, task, 3, 0.1)
    half_way = base.bias + 0.5 * (plain.bias - base.bias)
    for step, right in ((reptile, False), (reptile_copied, True)):
        net = copy.deepcopy(base)
        step(net, [task])
        assert torch.allclose(net.bias, half_way) is right, step
        assert torch.allclose(net.bias, plain.bias) is not right, "the interpolation was from the end to the end"
    for cls, right in ((RateSweep, False), (ClonedRateSweep, True)):
        net = copy.deepcopy(base)
        assert len(cls(net).run(task, [0.01, 0.1])) == 2
        assert torch.equal(net.bias, base.bias) is right, cls
    for cls, right in ((RunningAverage, False), (ClonedAverage, True)):
        net = copy.deepcopy(base)
        avg = cls(net)
        inner_loop(net, task, 1, 0.1)
        after_step = net.bias.detach().clone()
        avg.update(net)
        want = 0.9 * base.bias + 0.1 * after_step
        assert torch.allclose(avg.shadow["bias"], want) is right, cls
        assert torch.equal(net.bias, after_step) is right, "a shared shadow writes into the network"
