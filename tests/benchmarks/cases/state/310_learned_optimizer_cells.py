"""A learned optimizer creates its recurrent cells in a loop, keeps them in a list and is itself optimized.

source: ikostrikov/pytorch-meta-optimizer#11 (LSTM cells never trained), rewritten with gates and a factory
rules: [TL105]
"""
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.gates = nn.Linear(2 * width, 2 * width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x, h):
        keep, new = self.gates(torch.cat((x, h), -1)).chunk(2, -1)
        return self.norm(h * keep.sigmoid() + new.tanh())


def stack(width: int, depth: int) -> list[nn.Module]:
    made = []
    for _ in range(depth):
        made.append(Cell(width))
    return made


class MetaOptimizer(nn.Module):
    def __init__(self, width: int = 4, depth: int = 2):
        super().__init__()
        self.lift = nn.Linear(1, width)
        self.read = nn.Linear(width, 1)
        self.cells = stack(width, depth)  # expect: TL105
        self.names = [f"cell{i}" for i in range(depth)]  # ok: TL105

    def forward(self, grad, state=None):
        x = self.lift(grad)
        state = state or [torch.zeros_like(x) for _ in self.cells]
        out = []
        for cell, h in zip(self.cells, state):
            x = cell(x, h)
            out.append(x)
        return self.read(x), out


class WrappedOptimizer(MetaOptimizer):
    def __init__(self, width: int = 4, depth: int = 2):
        super().__init__(width, depth)
        self.cells = nn.ModuleList(self.cells)  # ok: TL105


class NamedOptimizer(nn.Module):
    """The list is for iteration, the registration stands beside it."""

    def __init__(self, width: int = 4, depth: int = 2):
        super().__init__()
        self.cells = []  # ok: TL105
        for i, cell in enumerate(stack(width, depth)):
            self.add_module(f"cell{i}", cell)
            self.cells.append(cell)

    def forward(self, x):
        for cell in self.cells:
            x = cell(x, torch.zeros_like(x))
        return x


class GateBank(nn.Module):
    """Gains per parameter group, made by a dict comprehension."""

    def __init__(self, groups: tuple[str, ...] = ("weight", "bias")):
        super().__init__()
        self.gain = {g: nn.Parameter(torch.ones(1)) for g in groups}  # expect: TL105
        self.floor = dict.fromkeys(groups, 0.1)  # ok: TL105

    def forward(self, group: str, step):
        return step * self.gain[group].clamp_min(self.floor[group])


# ---- demonstration: not part of the graded code ----
def demonstrate():
    def count(m):
        return sum(isinstance(x, Cell) for x in m.modules())

    assert count(MetaOptimizer()) == 0 and count(NamedOptimizer()) == 2
    assert len(list(MetaOptimizer().parameters())) == 4
    assert not list(GateBank().parameters()) and not GateBank().state_dict()
    out, _ = MetaOptimizer()(torch.randn(3, 1))
    assert out.shape == (3, 1) and NamedOptimizer()(torch.randn(3, 4)).shape == (3, 4)
    assert count(WrappedOptimizer()) == 2
