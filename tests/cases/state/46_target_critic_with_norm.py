"""Target critics follow by parameters only, although the critics carry running statistics that are used in eval mode.

source: FlyreelAI/sesemi#36, MixMatch-pytorch#16, CrossQ / SAC variants with batch normalisation
rules: [TL117]
"""
import copy
from itertools import chain

import torch
from torch import nn


def mlp(sizes, norm) -> nn.Sequential:
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [norm(a), nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class TwinCritic(nn.Module):
    def __init__(self, obs: int = 3, norm=nn.BatchNorm1d):
        super().__init__()
        self.q1, self.q2 = mlp((obs, 8, 1), norm), mlp((obs, 8, 1), norm)

    def forward(self, x):
        return torch.minimum(self.q1(x), self.q2(x))


class SacAgent:
    def __init__(self, tau: float = 0.5):
        self.tau = tau
        self.critic = TwinCritic()
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.target.eval()

    def value(self, x):
        with torch.no_grad():
            return self.target(x)

    def sync(self) -> None:
        raise NotImplementedError


class PartialAgent(SacAgent):
    @torch.no_grad()
    def sync(self):
        pairs = zip(self.target.parameters(), self.critic.parameters())  # expect: TL117
        for slow, fast in pairs:  # use: TL117
            slow.mul_(1 - self.tau).add_(fast, alpha=self.tau)


class FullAgent(SacAgent):
    @torch.no_grad()
    def sync(self):
        for slow, fast in zip(self.target.parameters(), self.critic.parameters()):  # ok: TL117
            slow.lerp_(fast, self.tau)
        for slow, fast in zip(self.target.buffers(), self.critic.buffers()):  # ok: TL117
            slow.copy_(fast)


class ChainedAgent(SacAgent):
    @torch.no_grad()
    def sync(self):
        every = lambda m: chain(m.parameters(), m.buffers())
        for slow, fast in zip(every(self.target), every(self.critic)):  # ok: TL117
            if slow.dtype.is_floating_point:
                slow.lerp_(fast, self.tau)
            else:
                slow.copy_(fast)


class HardAgent(SacAgent):
    """Now and then a hard copy of everything."""

    def sync(self):
        self.target.load_state_dict(self.critic.state_dict())  # ok: TL117


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, follows in ((PartialAgent, False), (FullAgent, True), (ChainedAgent, True), (HardAgent, True)):
        torch.manual_seed(0)
        agent = cls()
        for _ in range(40):
            agent.critic.train()(torch.randn(64, 3) * 3 + 8)
            agent.sync()
        x = torch.randn(64, 3) * 3 + 8
        gap = (agent.value(x) - agent.critic.eval()(x)).abs().max()
        assert (gap < 0.2) == follows, (cls, gap)
        assert (agent.target.q1[0].num_batches_tracked > 0) == follows
