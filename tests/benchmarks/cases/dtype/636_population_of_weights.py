"""Evolution strategies: each member's weights are poured into the same policy; the whole population is scored inside one region.

source: X-GenGroup/Flow-Factory#186 (casts kept although weights were written), pytorch/pytorch#65766 (the weight cache of autocast)
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import parameters_to_vector

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Population:
    def __init__(self, policy: nn.Module, members: int = 4, sigma: float = 0.5):
        self.policy, self.members, self.sigma = policy, members, sigma
        self.centre = parameters_to_vector(policy.parameters()).detach()

    def pour(self, vector):
        start = 0
        with torch.no_grad():
            for p in self.policy.parameters():
                p.copy_(vector[start : start + p.numel()].view_as(p))
                start += p.numel()

    def score(self, x, y):
        return -F.mse_loss(self.policy(x), y).detach()

    def ask(self):
        return self.centre + self.sigma * torch.randn_like(self.centre)

    def generation(self, x, y):
        scores = []
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            for _ in range(self.members):
                self.pour(self.ask())  # expect: TL408
                scores.append(self.score(x, y))
        return torch.stack(scores)


class PopulationPerMember(Population):
    def generation(self, x, y):
        scores = []
        for _ in range(self.members):
            self.pour(self.ask())  # ok: TL408
            with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
                scores.append(self.score(x, y))
        return torch.stack(scores)


class PopulationFrozen(Population):
    """Weights that require no gradient are not kept by the cache."""

    def __init__(self, policy: nn.Module, members: int = 4, sigma: float = 0.5):
        super().__init__(policy.requires_grad_(False), members, sigma)

    def generation(self, x, y):
        scores = []
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            for _ in range(self.members):
                self.pour(self.ask())  # ok: TL408
                scores.append(self.score(x, y))
        return torch.stack(scores)


class PopulationCleared(Population):
    def generation(self, x, y):
        scores = []
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            for _ in range(self.members):
                self.pour(self.ask())  # ok: TL408
                torch.clear_autocast_cache()
                scores.append(self.score(x, y))
        return torch.stack(scores)


def demonstrate():
    x, y = torch.randn(8, 3, device=DEVICE_TYPE), torch.randn(8, 1, device=DEVICE_TYPE)
    for cls, stale in ((Population, True), (PopulationPerMember, False), (PopulationFrozen, False), (PopulationCleared, False)):
        scores = cls(nn.Linear(3, 1).to(DEVICE_TYPE)).generation(x, y)
        assert bool((scores == scores[0]).all()) is stale, cls
