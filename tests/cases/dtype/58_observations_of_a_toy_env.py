"""Observations of an environment are float64 arrays; the rollout stacks them and hands them to the policy without a dtype.

source: OUCMachineLearning/OUCML#24 (from_numpy of np.random.normal), gym style agents
rules: [TL203]
"""
from collections import deque

import numpy as np
import torch
from torch import nn


class PointEnv:
    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)
        self.state = None

    def reset(self):
        self.state = self.rng.uniform(-1.0, 1.0, size=3)
        return self.state

    def step(self, action):
        self.state = self.state + 0.1 * self.rng.standard_normal(3) + action
        return self.state, -float(np.abs(self.state).sum())


class Rollout:
    def __init__(self, policy, horizon=4):
        self.policy, self.horizon = policy, horizon
        self.seen = deque(maxlen=64)

    def collect(self, env):
        obs = env.reset()
        for _ in range(self.horizon):
            self.seen.append(obs)
            obs, _ = env.step(0.1)

    def frames(self):
        return np.stack(list(self.seen))

    def values(self):
        return self.policy(torch.as_tensor(self.frames()))  # use: TL203


class NoisyRollout(Rollout):
    def explore(self, shape):
        noise = np.random.normal(0.0, 0.2, size=shape)
        return self.policy(torch.from_numpy(noise))  # expect: TL203


class SingleRollout(Rollout):
    def values(self):
        return self.policy(torch.as_tensor(self.frames(), dtype=torch.float32))  # ok: TL203

    def explore(self, shape):
        noise = torch.from_numpy(np.random.normal(0.0, 0.2, size=shape))  # ok: TL203
        return self.policy(noise.to(next(self.policy.parameters()).dtype))

    def mask(self, n):
        drop = torch.from_numpy(np.random.rand(n) < 0.5)  # ok: TL203
        return drop.logical_not()


# ---- demonstration ----
def demonstrate():
    policy = nn.Linear(3, 2)
    bad, good = NoisyRollout(policy), SingleRollout(policy)
    for r in (bad, good):
        r.collect(PointEnv())
    try:
        bad.explore((2, 3))
        raise AssertionError("double noise met a float32 policy")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    assert good.explore((2, 3)).dtype is torch.float32 and good.values().dtype is torch.float32
    assert good.mask(4).dtype is torch.bool
