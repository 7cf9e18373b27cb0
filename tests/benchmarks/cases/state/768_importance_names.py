"""Continual learning: per-parameter importance buffers named after the parameters, and branches named with a dot.

source: mileyan/DARENet#2 (add_module with a dot); consolidation buffers written from scratch
rules: [TL107]
"""
import torch
from torch import nn


class DilatedBranches(nn.Module):
    def __init__(self, width: int = 3):
        super().__init__()
        self.branches = nn.ModuleDict({"dil.1": nn.Linear(width, width), "dil.2": nn.Linear(width, width)})  # expect: TL107

    def forward(self, x):
        return sum(b(x) for b in self.branches.values())


class NormedStem(nn.Module):
    def __init__(self, width: int = 3):
        super().__init__()
        self.add_module("norm.0", nn.LayerNorm(width))  # expect: TL107
        self.fc = nn.Linear(width, width)


class RenamedBranches(nn.Module):
    def __init__(self, width: int = 3):
        super().__init__()
        self.branches = nn.ModuleDict({"dil_1": nn.Linear(width, width), "3x3": nn.Linear(width, width)})  # ok: TL107
        self.add_module("norm0", nn.LayerNorm(width))  # ok: TL107

    def forward(self, x):
        return self.norm0(sum(b(x) for b in self.branches.values()))


class Consolidation(nn.Module):
    """Quadratic penalty that holds important weights near their values after the previous task."""

    def __init__(self, model: nn.Module, strength: float = 1.0):
        super().__init__()
        self.model = model
        self.strength = strength

    def key(self, name: str) -> str:
        return name.replace(".", "__")


class DottedConsolidation(Consolidation):
    def consolidate(self) -> None:
        for name, p in self.model.named_parameters():
            self.register_buffer(f"{name}_importance", torch.ones_like(p))  # expect: TL107


class SafeConsolidation(Consolidation):
    def consolidate(self) -> None:
        for name, p in self.model.named_parameters():
            flat = name.replace(".", "__")
            self.register_buffer(f"{flat}_importance", torch.ones_like(p))  # ok: TL107
            self.register_buffer(f"{self.key(name)}_anchor", p.detach().clone())  # ok: TL107

    def forward(self) -> torch.Tensor:
        terms = []
        for name, p in self.model.named_parameters():
            weight = getattr(self, f"{self.key(name)}_importance")
            terms.append((weight * (p - getattr(self, f"{self.key(name)}_anchor")) ** 2).sum())
        return self.strength * torch.stack(terms).sum()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for make in (DilatedBranches, NormedStem, DottedConsolidation(RenamedBranches()).consolidate):
        try:
            make()
            raise AssertionError(f"{make} should be refused")
        except KeyError as exc:
            assert 'can\'t contain "."' in str(exc).replace("\\", ""), exc
    net = RenamedBranches()
    assert net(torch.randn(2, 3)).shape == (2, 3)
    good = SafeConsolidation(net)
    good.consolidate()
    assert good().item() == 0.0 and "branches__dil_1__weight_importance" in dict(good.named_buffers())
    good.consolidate()  # the second task replaces the buffers
    with torch.no_grad():
        net.norm0.bias.add_(1.0)
    assert good().item() == 3.0
