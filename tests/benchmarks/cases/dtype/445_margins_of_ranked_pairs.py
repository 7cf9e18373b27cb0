"""A ranking head scores listings one by one through a generator; the margins of pairs are put together with the legacy constructor.

source: ronghuaiyang/arcface-pytorch#56, Quantum-Cheese/DeepReinforcementLearning_Pytorch#1 kind (a fresh tensor of computed values)
rules: [TL305]
"""
from itertools import combinations

import torch
import torch.nn.functional as F
from torch import nn


class Ranker(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.score, self.bias = nn.Linear(dim, 1, bias=False), nn.Parameter(torch.zeros(()))

    def forward(self, item):
        return self.score(item).squeeze(-1) + self.bias


class Objective:
    def __init__(self, ranker, decay=0.01):
        self.ranker, self.decay = ranker, decay

    def margins(self, items, grades):
        told = [self.ranker(item) for item in items]
        for i, j in combinations(range(len(told)), 2):
            if grades[i] != grades[j]:
                yield (told[i] - told[j]) * (1 if grades[i] > grades[j] else -1)

    def column(self, values):
        raise NotImplementedError

    def __call__(self, items, grades):
        loss = F.softplus(-self.column(self.margins(items, grades))).mean()
        return loss + self.decay * sum(p.pow(2).sum() for p in self.ranker.parameters())


class Rebuilt(Objective):
    def column(self, values):
        return torch.FloatTensor([*values])  # expect: TL305


class Stacked(Objective):
    def column(self, values):
        return torch.stack([*values])  # ok: TL305


class Gathered(Objective):
    """Fills memory by setitem: autograd follows that."""

    def column(self, values):
        values = list(values)
        out = torch.zeros(len(values))
        for i, v in enumerate(values):
            out[i] = v  # ok: TL305
        return out


def agreement(objective, items, grades):
    with torch.no_grad():
        right = torch.tensor([float(m) > 0 for m in objective.margins(items, grades)])  # ok: TL305
    return right.float().mean()


def pull(objective: Objective, items, grades):
    objective(items, grades).backward()
    return objective.ranker.score.weight.grad


def demonstrate():
    items, grades = torch.randn(4, 3, generator=torch.Generator().manual_seed(1)), [3, 1, 1, 0]

    def slope(kind):
        torch.manual_seed(0)
        ranker = Ranker()
        objective = kind(ranker)
        grad = pull(objective, items, grades)
        assert 0 <= agreement(objective, items, grades) <= 1
        return grad - 2 * objective.decay * ranker.score.weight.detach()

    assert slope(Rebuilt).abs().max() < 1e-7  # only the decay is learned, and no error is raised
    assert slope(Stacked).abs().max() > 1e-3
    assert torch.allclose(slope(Stacked), slope(Gathered))
