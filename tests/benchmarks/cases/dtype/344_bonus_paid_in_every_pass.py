"""A policy trainer visits one rollout several times; its reward shaping works in place on rewards.to(dtype), so each pass adds again.

source: PPO/GRPO trainers that shape rewards inside the epoch loop; NVIDIA/earth2studio#1133 kind (the caller's tensor is changed)
rules: [TL308]
"""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Rollout:
    obs: torch.Tensor
    rewards: torch.Tensor
    done: torch.Tensor


class Shaper:
    def __init__(self, bonus=1.0, dtype=torch.float32):
        self.bonus, self.dtype = bonus, dtype

    def returns(self, rewards):
        total = torch.zeros_like(rewards)
        total += rewards.flip(-1).cumsum(-1).flip(-1)  # ok: TL308
        return total

    def shaped(self, rollout: Rollout):
        rewards = rollout.rewards.to(self.dtype)
        rewards[:, -1] += self.bonus * rollout.done.to(self.dtype)  # expect: TL308
        return self.returns(rewards)


class ShaperFixed(Shaper):
    def shaped(self, rollout: Rollout):
        rewards = rollout.rewards.to(self.dtype).clone()
        rewards[:, -1] += self.bonus * rollout.done.to(self.dtype)  # ok: TL308
        return self.returns(rewards)


class ShaperScaled(Shaper):
    """The scaling has made a new tensor before anything is written."""

    def shaped(self, rollout: Rollout):
        rewards = rollout.rewards.to(self.dtype) * 0.5
        rewards[:, -1] += self.bonus * rollout.done  # ok: TL308
        return self.returns(rewards)


class Learner:
    def __init__(self, shaper, passes=3):
        self.value, self.shaper, self.passes = nn.Linear(2, 1), shaper, passes
        self.solver = torch.optim.SGD(self.value.parameters(), lr=0.01)

    def learn(self, rollout):
        seen = []
        for _ in range(self.passes):
            target = self.shaper.shaped(rollout)
            loss = (self.value(rollout.obs).squeeze(-1) - target).square().mean()
            self.solver.zero_grad()
            loss.backward()
            self.solver.step()
            seen.append(target[0, -1].clone())
        return seen


def demonstrate():
    torch.manual_seed(0)
    for kind, want in ((Shaper, [2.0, 3.0, 4.0]), (ShaperFixed, [2.0] * 3), (ShaperScaled, [1.5] * 3)):
        rollout = Rollout(torch.randn(2, 4, 2), torch.ones(2, 4), torch.ones(2))
        assert [float(v) for v in Learner(kind()).learn(rollout)] == want, kind
