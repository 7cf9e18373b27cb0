"""A running normaliser of observations counts its calls in a buffer; the agent runs in brain float and the count ends at 256.

source: running mean/std layers of RL agents moved with .to(bfloat16); catalogue of frozen counters, own construction
rules: [TL302]
"""
import torch
from torch import nn


class RunningScale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("centre", torch.zeros(size))
        self.register_buffer("seen", torch.zeros(1))

    @torch.no_grad()
    def watch(self, obs):
        self.seen += 1  # expect: TL302
        self.centre += (obs.mean(0) - self.centre) / self.seen

    def forward(self, obs):
        if self.training:
            self.watch(obs)
        return obs - self.centre


class RunningScaleInt(RunningScale):
    """Integer buffers keep their type whatever the module is converted to."""

    def __init__(self, size):
        super().__init__(size)
        self.register_buffer("seen", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def watch(self, obs):
        self.seen += 1  # ok: TL302
        self.centre += (obs.mean(0) - self.centre) / self.seen


class Agent(nn.Module):
    def __init__(self, scale, size=3, actions=2):
        super().__init__()
        self.scale = scale(size)
        self.policy = nn.Linear(size, actions)

    def forward(self, obs):
        return self.policy(self.scale(obs)).softmax(-1)


class Learner:
    """Trained in single precision; only the policy head is ever compressed."""

    def __init__(self, size=3):
        self.scale = RunningScale(size)
        self.head = nn.Linear(size, 2).bfloat16()

    def act(self, obs):
        return self.head(self.scale(obs).bfloat16())


PRECISION = {"bf16": torch.bfloat16, "fp32": torch.float32}


def make_agent(precision="bf16", scale=RunningScale):
    agent = Agent(scale)
    return agent.to(PRECISION[precision])


def demonstrate():
    obs = torch.ones(2, 3)
    counts = {}
    for name, agent in (
        ("bad", make_agent()), ("single", make_agent("fp32")), ("int", make_agent(scale=RunningScaleInt)),
    ):
        dtype = agent.policy.weight.dtype
        for _ in range(300):
            agent(obs.to(dtype))
        counts[name] = agent.scale.seen.item()
    assert counts == {"bad": 256, "single": 300, "int": 300}, counts
    learner = Learner()
    for _ in range(300):
        learner.act(obs)
    assert learner.scale.seen.item() == 300
