"""The terms come from layers that stand in a ModuleDict or a ModuleList; their total is rebuilt from numbers."""
import torch
from torch import nn
from torch.nn import functional as F


class Heads(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.stem = nn.Linear(4, 4)
        self.heads = nn.ModuleDict({name: nn.Linear(4, 1) for name in names})
        self.more = nn.ModuleList([nn.Linear(4, 1) for _ in range(2)])
        self.activations = nn.ModuleDict({name: nn.Tanh() for name in names})

    def terms(self, x, targets):
        return {name: F.l1_loss(head(x), targets[name]) for name, head in self.heads.items()}

    def listed(self, x, target):
        return [F.l1_loss(head(x), target) for head in self.more]


class Objective:
    def __init__(self, heads: Heads):
        self.heads = heads

    def anchor(self):
        return self.heads.stem.weight.square().sum()

    def total(self, terms):
        values = [terms[name] for name in sorted(terms)]
        return torch.tensor(values, requires_grad=True).sum()  # expect: TL305

    def weighed(self, terms):
        values = [terms[name] for name in sorted(terms)]
        sizes = torch.tensor([value.item() for value in values])  # ok: TL305  weights
        return (torch.stack(values) / sizes).sum()

    def __call__(self, x, targets):
        terms = self.heads.terms(x, targets)
        return self.total(terms) + self.weighed(terms) + 0.1 * self.anchor()


class Report:
    """Only shows the terms."""

    def __init__(self, heads: Heads):
        self.heads = heads

    def __call__(self, x, targets):
        return torch.tensor(list(self.heads.terms(x, targets).values())).sum()  # ok: TL305


def summed(heads: Heads, x, target):
    loss = torch.tensor(heads.listed(x, target)).sum()  # expect: TL305
    (loss + heads.stem.weight.sum()).backward()


def demonstrate():
    heads = Heads(["a", "b"])
    x, targets = torch.randn(3, 4), {"a": torch.zeros(3, 1), "b": torch.zeros(3, 1)}
    assert not Objective(heads).total(heads.terms(x, targets)).grad_fn.next_functions[0][0].next_functions
    summed(heads, x, targets["a"])
    assert heads.more[0].weight.grad is None and heads.stem.weight.grad is not None
    Report(heads)(x, targets)
