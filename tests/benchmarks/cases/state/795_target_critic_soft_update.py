"""The target critic of an off-policy agent is blended over parameters only, and its normalisation layers are evaluated.

source: facebookresearch/moco#70, pytorch/ignite#2590 (buffers left out of the average); agent written from scratch
rules: [TL117]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn


def make_critic(obs: int = 3, acts: int = 2) -> nn.Sequential:
    return nn.Sequential(nn.BatchNorm1d(obs + acts), nn.Linear(obs + acts, 8), nn.ReLU(), nn.Linear(8, 1))


class AgentBase:
    def __init__(self, tau: float = 0.2, gamma: float = 0.9):
        self.tau, self.gamma = tau, gamma
        self.critic = make_critic()
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.target.eval()
        self.opt = torch.optim.SGD(self.critic.parameters(), lr=1e-2)

    def blend(self) -> None:
        raise NotImplementedError

    def learn(self, sa, reward, next_sa) -> float:
        with torch.no_grad():
            goal = reward + self.gamma * self.target(next_sa)
        loss = F.mse_loss(self.critic(sa), goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.blend()
        return loss.item()


class WeightsOnlyAgent(AgentBase):
    @torch.no_grad()
    def blend(self):
        for slow, fast in zip(self.target.parameters(), self.critic.parameters()):  # expect: TL117
            slow.mul_(1 - self.tau).add_(fast, alpha=self.tau)


class WholeStateAgent(AgentBase):
    @torch.no_grad()
    def blend(self):
        for slow, fast in zip(self.target.parameters(), self.critic.parameters()):  # ok: TL117
            slow.lerp_(fast, self.tau)
        for slow, fast in zip(self.target.buffers(), self.critic.buffers()):  # ok: TL117, TL111
            slow.copy_(fast)


class HardSyncAgent(AgentBase):
    """Every few steps the whole state is taken over."""

    period, count = 2, 0

    def blend(self):
        self.count += 1
        if self.count % self.period == 0:
            self.target.load_state_dict(self.critic.state_dict())  # ok: TL116, TL117


def share_gradients(worker: nn.Module, leader: nn.Module) -> None:
    """Hands gradients over, as asynchronous agents do; no average of the two networks is made."""
    for w, l in zip(worker.parameters(), leader.parameters()):  # ok: TL117
        l.grad = None if w.grad is None else w.grad.clone()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, follows in ((WeightsOnlyAgent, False), (WholeStateAgent, True), (HardSyncAgent, True)):
        torch.manual_seed(0)
        agent = cls()
        for _ in range(40):
            sa, next_sa = torch.randn(32, 5) * 3 + 6, torch.randn(32, 5) * 3 + 6
            agent.learn(sa, torch.rand(32, 1), next_sa)
        slow, fast = agent.target[0], agent.critic[0]
        assert torch.allclose(slow.running_mean, fast.running_mean, atol=0.5) is follows, cls
        assert (slow.running_mean.abs().sum() > 0).item() is follows
        assert not agent.target.training
    worker, leader = make_critic(), make_critic()
    worker(torch.randn(4, 5)).sum().backward()
    share_gradients(worker, leader)
    assert torch.equal(worker[1].weight.grad, leader[1].weight.grad)
