"""Per-task adapters and scales produced by a factory are put into plain dicts; one branch also sets them as attributes.

source: ray-project/ray#22659, adapter libraries rewritten; pytorch/pytorch#4412
rules: [TL105]
"""
from collections import OrderedDict, defaultdict

import torch
from torch import nn


def adapter(dim: int, rank: int) -> nn.Sequential:
    down, up = nn.Linear(dim, rank, bias=False), nn.Linear(rank, dim, bias=False)
    return nn.Sequential(down, nn.GELU(), up)


def build(tasks, make):
    return OrderedDict((t, make()) for t in tasks)


class TaskNet(nn.Module):
    def __init__(self, dim: int = 4, tasks=("ner", "pos"), rank: int = 2):
        super().__init__()
        self.tasks = tuple(tasks)
        self.trunk = nn.Linear(dim, dim)
        self.equip(dim, rank)

    def equip(self, dim, rank):
        raise NotImplementedError

    def forward(self, x, task: str):
        h = torch.tanh(self.trunk(x))
        return h + self.scales[task] * self.adapters[task](h)


class DictNet(TaskNet):
    def equip(self, dim, rank):
        self.adapters = build(self.tasks, lambda: adapter(dim, rank))  # expect: TL105
        self.scales = {}  # expect: TL105
        for t in self.tasks:
            self.scales.update({t: nn.Parameter(torch.ones(dim))})


class GroupedNet(TaskNet):
    """Adapters are collected per group first; the registration comes at the end of the constructor."""

    def equip(self, dim, rank):
        groups = defaultdict(list)
        for t in self.tasks:
            groups[t].append(adapter(dim, rank))
        self.adapters = nn.ModuleDict({t: nn.Sequential(*g) for t, g in groups.items()})  # ok: TL105
        self.scales = nn.ParameterDict({t: torch.ones(dim) for t in self.tasks})  # ok: TL105


class AttributeNet(TaskNet):
    """The dicts are an index; every member is registered under its own name."""

    def equip(self, dim, rank):
        self.adapters = {}  # ok: TL105
        self.scales = dict.fromkeys(self.tasks)  # ok: TL105
        for t in self.tasks:
            setattr(self, f"adapter_{t}", adapter(dim, rank))
            self.register_parameter("scale_" + t, nn.Parameter(torch.ones(dim)))
            self.adapters[t] = getattr(self, f"adapter_{t}")
            self.scales[t] = getattr(self, "scale_" + t)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 4)
    for cls, count in ((DictNet, 2), (GroupedNet, 2 + 4 + 2), (AttributeNet, 2 + 4 + 2)):
        m = cls()
        m(x, "ner")
        assert len(list(m.parameters())) == count, cls
        m.double()
        try:
            ok = m(x.double(), "pos").dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is (count > 2), cls
