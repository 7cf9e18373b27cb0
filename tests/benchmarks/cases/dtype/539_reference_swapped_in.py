"""Preference tuning keeps its reference weights aside and swaps them in for a second pass of the same region: the divergence is zero.

source: X-GenGroup/Flow-Factory#186 (reference parameters swapped in with param.data.copy_ under one autocast: KL collapses to 0)
rules: [TL408]
"""
import contextlib

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Policy(nn.Module):
    def __init__(self, words: int = 6, dim: int = 4):
        super().__init__()
        self.embed, self.out = nn.Embedding(words, dim), nn.Linear(dim, words)

    def forward(self, ids):
        return self.out(self.embed(ids)).log_softmax(-1)


class Tuner:
    def __init__(self, policy: Policy, weight: float = 0.1):
        self.policy, self.weight = policy.to(KIND), weight
        self.first = {n: p.detach().clone() for n, p in self.policy.named_parameters()}

    @contextlib.contextmanager
    def reference(self):
        own = {n: p.detach().clone() for n, p in self.policy.named_parameters()}
        for n, p in self.policy.named_parameters():
            p.data.copy_(self.first[n])  # use: TL408
        try:
            yield
        finally:
            for n, p in self.policy.named_parameters():
                p.data.copy_(own[n])  # use: TL408

    def divergence(self, ids):
        raise NotImplementedError


class OneRegionTuner(Tuner):
    def divergence(self, ids):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            now = self.policy(ids)
            with torch.no_grad(), self.reference():  # expect: TL408
                then = self.policy(ids)
        return (now.exp() * (now - then)).sum(-1).mean()


class TwoRegionTuner(Tuner):
    def divergence(self, ids):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            now = self.policy(ids)
        with torch.no_grad(), self.reference(), torch.autocast(KIND, dtype=torch.bfloat16):  # ok: TL408
            then = self.policy(ids)
        return (now.exp() * (now - then)).sum(-1).mean()


class UncachedTuner(Tuner):
    def divergence(self, ids):
        with torch.autocast(KIND, dtype=torch.bfloat16, cache_enabled=False):
            now = self.policy(ids)
            with torch.no_grad(), self.reference():  # ok: TL408
                then = self.policy(ids)
        return (now.exp() * (now - then)).sum(-1).mean()


class CopyTuner(Tuner):
    """A second network instead of a swap."""

    def __init__(self, policy, weight=0.1):
        super().__init__(policy, weight)
        self.old = Policy().to(KIND).requires_grad_(False)
        self.old.load_state_dict(self.first)

    def divergence(self, ids):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            now = self.policy(ids)
            then = self.old(ids)  # ok: TL408
        return (now.exp() * (now - then)).sum(-1).mean()


def step(tuner, opt, ids, rewards):
    opt.zero_grad()
    with torch.autocast(KIND, dtype=torch.bfloat16):
        gain = tuner.policy(ids).gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    loss = -(gain * rewards).mean() + tuner.weight * tuner.divergence(ids)
    loss.backward()
    opt.step()


def demonstrate():
    ids = torch.randint(0, 6, (3, 5), device=KIND)
    for cls, sees in ((OneRegionTuner, False), (TwoRegionTuner, True), (UncachedTuner, True), (CopyTuner, True)):
        torch.manual_seed(0)
        tuner = cls(Policy())
        with torch.no_grad():
            tuner.policy.out.weight.add_(torch.randn_like(tuner.policy.out.weight))
        got = tuner.divergence(ids).item()
        # the embedding is read without a cast, so only what the Linear adds is lost
        assert (abs(got) > 1e-3) is sees, (cls, got)
        step(tuner, torch.optim.SGD(tuner.policy.parameters(), lr=0.01), ids, torch.ones(3, 5, device=KIND))
