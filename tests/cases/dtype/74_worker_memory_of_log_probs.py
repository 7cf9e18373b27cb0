"""An actor-critic worker collects steps as tuples and rebuilds the log probabilities; only the critic learns.

source: Quantum-Cheese/DeepReinforcementLearning_Pytorch#1
rules: [TL305]
"""
import warnings
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical

Step = namedtuple("Step", "logp value reward")


class Net(nn.Module):
    def __init__(self, dim=3, actions=2):
        super().__init__()
        self.actor, self.critic = nn.Linear(dim, actions), nn.Linear(dim, 1)

    def forward(self, s):
        return Categorical(logits=self.actor(s)), self.critic(s).squeeze(-1)


class Worker:
    def __init__(self, net: Net, gamma=0.9):
        self.net, self.gamma, self.memory = net, gamma, []

    def play(self, states):
        self.memory = []
        for s in states:
            pi, value = self.net(s)
            a = pi.sample()
            self.memory.append(Step(pi.log_prob(a), value, 1.0 if a == 0 else -1.0))

    def returns(self):
        out, total = [], 0.0
        for step in reversed(self.memory):
            total = step.reward + self.gamma * total
            out.insert(0, total)
        return torch.tensor(out)  # ok: TL305

    def columns(self):
        logp, value, _ = zip(*self.memory)
        return torch.as_tensor(logp), torch.stack(value)  # expect: TL305

    def loss(self):
        logp, value = self.columns()
        target = self.returns()
        gain = target - value.detach()  # ok: TL305
        return -(logp * gain).mean() + F.mse_loss(value, target)


class StackingWorker(Worker):
    def columns(self):
        logp, value, _ = zip(*self.memory)
        return torch.stack(logp), torch.stack(value)  # ok: TL305


class RatioWorker(StackingWorker):
    """The old log probabilities of PPO are constants, so rebuilding them is right."""

    def loss(self):
        logp, value = self.columns()
        old = torch.tensor([s.logp.item() for s in self.memory])  # ok: TL305
        gain = self.returns() - value.detach()
        return -((logp - old).exp() * gain).mean() + F.mse_loss(value, self.returns())


# ---- demonstration ----
def demonstrate():
    warnings.simplefilter("ignore")

    def actor_grad(cls):
        torch.manual_seed(0)
        worker = cls(Net())
        worker.play(torch.randn(5, 3))
        worker.loss().backward()
        assert worker.net.critic.weight.grad is not None
        return worker.net.actor.weight.grad

    assert actor_grad(Worker) is None
    for cls in (StackingWorker, RatioWorker):
        assert actor_grad(cls).abs().sum() > 0
