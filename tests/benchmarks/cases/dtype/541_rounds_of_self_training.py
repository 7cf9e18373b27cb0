"""Self-training: in each round a student is fitted, then copied into the labeller, which names the next round; one region holds the rounds.

source: X-GenGroup/Flow-Factory#186 kind (weights loaded between two forwards of a region); noisy-student scripts
rules: [TL408]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class SelfTraining:
    def __init__(self, net, rounds=3):
        self.student = net.to(KIND)
        self.labeller = copy.deepcopy(self.student)
        self.rounds, self.names = rounds, []

    def name(self, x):
        with torch.no_grad():
            soft = self.labeller(x).float().softmax(-1)
        self.names.append(soft)
        return soft

    def fit(self, x, soft):
        opt = torch.optim.SGD(self.student.parameters(), lr=1.0)
        loss = F.cross_entropy(self.student(x), (soft * 3).softmax(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()

    def drift(self):
        """Stands for a fitted student of another place."""
        return {k: p.detach() + 0.5 * torch.randn_like(p) for k, p in self.student.named_parameters()}

    def run(self, x):
        raise NotImplementedError


class LoadedRounds(SelfTraining):
    def run(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            for _ in range(self.rounds):
                self.name(x)
                self.labeller.load_state_dict(self.drift())  # expect: TL408


class FrozenRounds(SelfTraining):
    """A labeller that never asks for gradients is not kept by the cache."""

    def __init__(self, net, rounds=3):
        super().__init__(net, rounds)
        self.labeller.requires_grad_(False)

    def run(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            for _ in range(self.rounds):
                self.name(x)
                self.labeller.load_state_dict(self.drift())  # ok: TL408


class SeparateRounds(SelfTraining):
    def run(self, x):
        for _ in range(self.rounds):
            with torch.autocast(KIND, dtype=torch.bfloat16):
                soft = self.name(x)
            self.fit(x, soft)
            self.labeller.load_state_dict(self.student.state_dict())  # ok: TL408


class ReplacedRounds(SelfTraining):
    """A new network per round: its parameters are other objects."""

    def run(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            for _ in range(self.rounds):
                self.name(x)
                fresh = copy.deepcopy(self.student)
                fresh.load_state_dict(self.drift())  # ok: TL408
                self.labeller = fresh


class ClearedRounds(SelfTraining):
    def run(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            for _ in range(self.rounds):
                self.name(x)
                self.labeller.load_state_dict(self.drift())  # ok: TL408
                torch.clear_autocast_cache()


def demonstrate():
    x = torch.randn(5, 3, device=KIND)
    for cls, stale in (
        (LoadedRounds, True), (FrozenRounds, False), (SeparateRounds, False), (ReplacedRounds, False), (ClearedRounds, False),
    ):
        torch.manual_seed(0)
        s = cls(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 3)))
        s.run(x)
        first = s.names[0]
        assert all(torch.equal(first, n) for n in s.names) is stale, cls
