"""A value learner unrolls several steps in one region; its slow copy follows by lerp_ after every step and is asked again.

source: DQN/SAC updates with a soft target update inside the autocast block; X-GenGroup/Flow-Factory#186 kind (lerp on cached weights)
rules: [TL408]
"""
import copy

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Learner:
    def __init__(self, tau=0.5):
        torch.manual_seed(0)
        self.fast = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2)).to(KIND)
        self.slow = self.copy()
        self.tau, self.told = tau, []

    def copy(self):
        twin = copy.deepcopy(self.fast)
        for p in twin.parameters():
            p.data.add_(torch.ones_like(p))
        return twin

    def follow(self):
        with torch.no_grad():
            for mine, theirs in zip(self.slow.parameters(), self.fast.parameters()):
                mine.lerp_(theirs, self.tau)  # expect: TL408

    def ask(self, s):
        best = self.slow(s).detach().amax(-1)
        self.told.append(best.float().mean().item())
        return best

    def unroll(self, states, region=lambda: torch.autocast(KIND, dtype=torch.bfloat16)):
        loss = 0.0
        with region():
            for s, nxt in zip(states[:-1], states[1:]):
                want = self.ask(nxt)
                loss = loss + (self.fast(s).amax(-1) - want).pow(2).mean()
                self.follow()
        return loss


class FrozenLearner(Learner):
    """Parameters without gradients are never kept by the cache."""

    def copy(self):
        return super().copy().requires_grad_(False)

    def follow(self):
        for mine, theirs in zip(self.slow.parameters(), self.fast.parameters()):
            mine.data.lerp_(theirs.data, self.tau)  # ok: TL408


class LateLearner(Learner):
    """Follows once, when everything has been asked."""

    def follow(self):
        pass

    def unroll(self, states):
        loss = super().unroll(states)
        with torch.no_grad():
            for mine, theirs in zip(self.slow.parameters(), self.fast.parameters()):
                mine.lerp_(theirs, self.tau)  # ok: TL408
        return loss


def demonstrate():
    s = torch.ones(4, 5, 3, device=KIND)  # the same state again and again

    def told(kind):
        learner = kind()
        learner.unroll(list(s)).backward()
        return learner.told

    first, *rest = told(Learner)
    assert all(r == first for r in rest)  # the copy has moved, its answers have not
    first, second, third = told(FrozenLearner)
    assert first != second != third
    assert len(told(LateLearner)) == 3
