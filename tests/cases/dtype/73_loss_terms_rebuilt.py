"""A multi-task head returns its terms in a dict; the total is rebuilt with torch.tensor, so one branch trains nothing.

source: kengz/SLM-Lab#133 ("torch.tensor creates a brand new tensor detached from the graph"), ronghuaiyang/arcface-pytorch#56
rules: [TL305]
"""
import warnings

import torch
import torch.nn.functional as F
from torch import nn


class Tasks(nn.Module):
    def __init__(self, dim=4, names=("depth", "normal", "edge")):
        super().__init__()
        self.stem = nn.Linear(dim, dim)
        self.heads = nn.ModuleDict({n: nn.Linear(dim, 1) for n in names})

    def terms(self, x, targets):
        shared = torch.relu(self.stem(x))
        return {n: F.l1_loss(head(shared), targets[n]) for n, head in self.heads.items()}


class Objective:
    def __init__(self, tasks: Tasks, anchor=0.1):
        self.tasks, self.anchor = tasks, anchor

    def pull(self):
        return self.tasks.stem.weight.pow(2).sum()

    def combine(self, terms):
        values = [terms[n] for n in sorted(terms)]
        return torch.tensor(values, requires_grad=True).sum()  # expect: TL305

    def __call__(self, x, targets):
        return self.combine(self.tasks.terms(x, targets)) + self.anchor * self.pull()


class Uncertain(Objective):
    """Weights the terms by what they were before: that factor needs no graph."""

    def combine(self, terms):
        values = [terms[n] for n in sorted(terms)]
        size = torch.tensor([v.item() for v in values])  # ok: TL305
        return (torch.stack(values) / (size + 1e-3)).sum()


class Summed(Objective):
    def combine(self, terms):
        return sum(terms.values())  # ok: TL305

    def record(self, terms):
        return torch.tensor([float(v) for v in terms.values()])  # ok: TL305


# ---- demonstration ----
def demonstrate():
    warnings.simplefilter("ignore")

    def trained(cls):
        torch.manual_seed(0)
        tasks = Tasks()
        targets = {n: torch.randn(3, 1) for n in tasks.heads}
        cls(tasks)(torch.randn(3, 4), targets).backward()
        return all(h.weight.grad is not None for h in tasks.heads.values())

    assert not trained(Objective)
    for cls in (Uncertain, Summed):
        assert trained(cls)
