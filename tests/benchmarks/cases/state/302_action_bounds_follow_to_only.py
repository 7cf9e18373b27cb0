"""A squashed-Gaussian actor unpacks its action range into two attributes and moves them in an overridden to().

source: recipe of many small soft-actor-critic repositories (action_scale/action_bias moved in to()); pytorch/rl#4120
rules: [TL101]
"""
import numpy as np
import torch
from torch import nn


class Box:
    def __init__(self, low, high):
        self.low, self.high = np.asarray(low, np.float32), np.asarray(high, np.float32)


def half_range(box: Box):
    lo, hi = (torch.as_tensor(b) for b in (box.low, box.high))
    return (hi - lo) / 2, (hi + lo) / 2


class Actor(nn.Module):
    def __init__(self, obs: int, box: Box):
        super().__init__()
        self.trunk = nn.Linear(obs, 2 * len(box.low))
        self._bounds(box)

    def _bounds(self, box: Box) -> None:
        self.scale, self.bias = half_range(box)  # expect: TL101

    def to(self, *args, **kwargs):
        self.scale = self.scale.to(*args, **kwargs)
        self.bias = self.bias.to(*args, **kwargs)
        return super().to(*args, **kwargs)

    def forward(self, obs):
        mean, _ = self.trunk(obs).chunk(2, -1)
        return torch.tanh(mean) * self.scale + self.bias


class RegisteringActor(Actor):
    to = nn.Module.to

    def _bounds(self, box):
        for name, value in zip(("scale", "bias"), half_range(box)):
            self.register_buffer(name, value)  # ok: TL101


class NumberActor(Actor):
    """The environment has one and the same range for all joints."""

    to = nn.Module.to

    def _bounds(self, box):
        self.scale, self.bias = (float(v.max()) for v in half_range(box))  # ok: TL101


class Agent(nn.Module):
    def __init__(self, actor: Actor):
        super().__init__()
        self.actor = actor
        self.critic = nn.Linear(3, 1)

    def act(self, obs):
        return self.actor(obs)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    box, obs = Box([-2.0, -1.0], [2.0, 1.0]), torch.zeros(1, 3)
    for cls, right in ((Actor, False), (RegisteringActor, True), (NumberActor, True)):
        agent = Agent(cls(3, box)).to("meta")
        try:
            ok = agent.act(obs.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is right, cls
