"""A multi-task network makes room for its heads first and fills it afterwards; its loss weights are learned, or meant to be.

source: pytorch/pytorch#4412, kymatio/murenn#42 (parts in ordinary containers); uncertainty weighting rebuilt from scratch
rules: [TL105]
"""
from functools import partial

import torch
from torch import nn

TASKS = {"depth": 1, "normal": 3}


class Shared(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.trunk = nn.Linear(dim, dim)
        self.make_heads()
        self.make_weights()

    def make_heads(self) -> None:
        raise NotImplementedError

    def make_weights(self) -> None:
        self.log_var = nn.ParameterDict({t: torch.zeros(()) for t in TASKS})  # ok: TL105

    def head(self, task: str) -> nn.Module:
        return self.heads[task]

    def forward(self, x):
        h = self.trunk(x).tanh()
        return {t: self.head(t)(h) for t in TASKS}

    def loss(self, out, target):
        return sum((out[t] - target[t]).pow(2).mean() * (-self.log_var[t]).exp() + self.log_var[t] for t in TASKS)


class FilledLater(Shared):
    def make_heads(self):
        self.heads = dict.fromkeys(TASKS)  # expect: TL105
        for task, width in TASKS.items():
            self.heads[task] = nn.Linear(self.dim, width)


class LooseWeights(Shared):
    def make_heads(self):
        self.heads = nn.ModuleDict([(t, nn.Linear(self.dim, w)) for t, w in TASKS.items()])  # ok: TL105

    def make_weights(self):
        variances = (nn.Parameter(torch.zeros(())) for _ in TASKS)
        self.log_var = dict(zip(TASKS, variances))  # expect: TL105


class RecipesOnly(Shared):
    """The dict holds recipes and settings; the modules stand in a ModuleDict."""

    def make_heads(self):
        self.recipes = {t: partial(nn.Linear, self.dim, w) for t, w in TASKS.items()}  # ok: TL105
        self.kinds = [nn.Linear, nn.Tanh]  # ok: TL105
        self.heads = nn.ModuleDict()
        for t, make in self.recipes.items():
            self.heads[t] = make()


class ByAttribute(Shared):
    """Heads are attributes; the dict maps a task to the name of one."""

    def make_heads(self):
        self.names = {}  # ok: TL105
        for t, w in TASKS.items():
            setattr(self, f"head_{t}", nn.Linear(self.dim, w))
            self.names[t] = f"head_{t}"

    def head(self, task):
        return getattr(self, self.names[task])


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(5, 4)
    target = {t: torch.randn(5, w) for t, w in TASKS.items()}
    for cls, missing in ((FilledLater, 4), (LooseWeights, 2), (RecipesOnly, 0), (ByAttribute, 0)):
        m = cls()
        m.loss(m(x), target).backward()
        assert len(list(m.parameters())) == 2 + 4 + 2 - missing, cls
