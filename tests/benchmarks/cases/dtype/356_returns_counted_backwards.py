"""Advantages are counted backwards in a numpy array; turned into a tensor as they are, they make the whole loss double.

source: PPO re-implementations with a numpy GAE loop ("Found dtype Double but expected Float"); OUCMachineLearning/OUCML#24 kind
rules: [TL203]
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Rollout:
    def __init__(self, gamma=0.99, lam=0.95):
        self.gamma, self.lam = gamma, lam
        self.obs, self.rewards, self.values = [], [], []

    def note(self, obs, reward, value):
        self.obs.append(obs)
        self.rewards.append(reward)
        self.values.append(value)

    def room(self):
        return np.zeros(len(self.rewards))

    def advantages(self):
        out, run = self.room(), 0.0
        following = self.values[1:] + [0.0]
        for i in reversed(range(len(out))):
            delta = self.rewards[i] + self.gamma * following[i] - self.values[i]
            run = delta + self.gamma * self.lam * run
            out[i] = run
        return out

    def batch(self):
        gain = torch.from_numpy(self.advantages())  # expect: TL203
        return torch.stack(self.obs), gain


class NarrowRollout(Rollout):
    def narrow(self):
        out, run = np.zeros(len(self.rewards), dtype=np.float32), 0.0
        for i in reversed(range(len(out))):
            run = self.rewards[i] + self.gamma * run
            out[i] = run
        return out

    def batch(self):
        return torch.stack(self.obs), torch.from_numpy(self.narrow())  # ok: TL203


class WrittenRollout(Rollout):
    """Lands in a float32 row that was there before: the write converts."""

    def batch(self):
        row = torch.empty(len(self.rewards))
        row.copy_(torch.from_numpy(np.asarray(self.rewards) / 10.0))  # ok: TL203
        return torch.stack(self.obs), row


def update(policy, critic, rollout):
    obs, gain = rollout.batch()
    value = critic(obs).squeeze(-1)
    surrogate = -(policy(obs).log_softmax(-1)[:, 0] * gain).mean()
    loss = surrogate + F.smooth_l1_loss(value, value.detach() + gain)
    loss.backward()
    return loss.detach()


def demonstrate():
    torch.manual_seed(0)

    def run(cls):
        rollout = cls()
        for i in range(4):
            rollout.note(torch.randn(3), float(i), 0.5)
        return update(nn.Linear(3, 2), nn.Linear(3, 1), rollout)

    try:
        loud = run(Rollout).dtype is torch.float64  # the whole loss is computed in double
    except RuntimeError as err:
        loud = "Double" in str(err) or "dtype" in str(err)
    assert loud
    assert run(NarrowRollout).dtype is run(WrittenRollout).dtype is torch.float32
