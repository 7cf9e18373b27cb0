"""A setting decides whether the members are registered; in the other branch they lie in a plain list."""
import torch
from torch import nn


class Levels(nn.Module):
    def __init__(self, is_learned: bool = False, dim: int = 3):
        super().__init__()
        levels = [torch.linspace(-1, 1, dim), torch.ones(dim)]
        if is_learned:
            self.levels = nn.ParameterList([nn.Parameter(level) for level in levels])  # ok: TL105
        else:
            self.levels = levels  # expect: TL105

    def forward(self, x):
        for level in self.levels:
            x = x - level
        return x


class Stages(nn.Module):
    def __init__(self, is_shared: bool = False, dim: int = 3):
        super().__init__()
        if is_shared:
            self.stages = [nn.Linear(dim, dim)] * 2  # expect: TL105
        else:
            self.stages = nn.ModuleList(nn.Linear(dim, dim) for _ in range(2))  # ok: TL105

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x


class AlwaysRegistered(nn.Module):
    def __init__(self, is_deep: bool = False, dim: int = 3):
        super().__init__()
        if is_deep:
            self.stages = [nn.Linear(dim, dim), nn.Linear(dim, dim)]  # ok: TL105
        else:
            self.stages = [nn.Linear(dim, dim)]  # ok: TL105
        self.stages = nn.ModuleList(self.stages)

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x


class AskedFirst(nn.Module):
    def __init__(self, is_learned: bool = False, dim: int = 3):
        super().__init__()
        self.is_learned = is_learned
        if is_learned:
            self.levels = nn.ParameterList([nn.Parameter(torch.ones(dim))])  # ok: TL105
        else:
            self.levels = [torch.ones(dim)]  # ok: TL105  read only where it is registered

    def forward(self, x):
        return x - self.levels[0] if self.is_learned else x


def follows(module: nn.Module) -> bool:
    try:
        return module.to("meta")(torch.ones(1, 3, device="meta")).is_meta
    except (RuntimeError, NotImplementedError):
        return False


def demonstrate():
    assert follows(Levels(True)) and not follows(Levels(False))
    assert follows(Stages(False)) and not follows(Stages(True))
    assert follows(AlwaysRegistered(True)) and follows(AlwaysRegistered(False))
    assert follows(AskedFirst(True)) and follows(AskedFirst(False))
