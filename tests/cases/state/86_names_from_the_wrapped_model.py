"""Importance weights are registered under the parameter names of a wrapped model, and some names have dots.

source: mileyan/DARENet#2, pytorch/vision#809 (names with dots), GMvandeVen/continual-learning (names escaped)
rules: [TL107]
"""
import torch
from torch import nn


class Penalised(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model
        self.remember()

    def remember(self) -> None:
        raise NotImplementedError

    def key(self, name: str) -> str:
        return name.replace(".", "__")

    def penalty(self):
        total = 0.0
        for name, p in self.model.named_parameters():
            total = total + (p - getattr(self, self.key(name) + "_old")).pow(2).sum()
        return total

    def forward(self, x):
        return self.model(x)


class DottedPenalised(Penalised):
    def key(self, name):
        return name

    def remember(self):
        for name, p in self.model.named_parameters():
            self.register_buffer(f"{name}_old", p.detach().clone())  # expect: TL107


class EscapedPenalised(Penalised):
    def remember(self):
        for name, p in self.model.named_parameters():
            self.register_buffer(self.key(name) + "_old", p.detach().clone())  # ok: TL107


class NumberedPenalised(Penalised):
    """An index has no dots."""

    def remember(self):
        self.order = {}
        for i, (name, p) in enumerate(self.model.named_parameters()):
            self.register_buffer(f"old_{i}", p.detach().clone())  # ok: TL107
            self.order[name] = f"old_{i}"

    def penalty(self):
        return sum((p - getattr(self, self.order[n])).pow(2).sum() for n, p in self.model.named_parameters())


class Stage(nn.Module):
    """Blocks named in the old torchvision fashion."""

    def __init__(self, width: int = 3, depth: int = 2, sep: str = "_"):
        super().__init__()
        for i in range(depth):
            self.add_module(f"norm{sep}{i}", nn.BatchNorm1d(width))  # ok: TL107

    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x


class OldStage(Stage):
    def __init__(self, width: int = 3, depth: int = 2):
        super().__init__(width, depth)
        self.add_module("conv.last", nn.Linear(width, width))  # expect: TL107


def heads(kinds=("box", "type")) -> nn.ModuleDict:
    return nn.ModuleDict({"box": nn.Linear(3, 4), "type": nn.Linear(3, 2)})  # expect: TL107


def prefixed_heads(kinds=("box", "type")) -> nn.ModuleDict:
    return nn.ModuleDict({f"head_{k}": nn.Linear(3, 2) for k in kinds})  # ok: TL107


# ---- demonstration: not part of the graded code ----
def demonstrate():
    net = lambda: nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 1))
    for make in (lambda: DottedPenalised(net()), OldStage, heads):
        try:
            make()
            raise AssertionError(f"{make} should not construct")
        except KeyError as exc:
            assert "contain" in exc.args[0] or "already exists" in exc.args[0]
    for cls in (EscapedPenalised, NumberedPenalised):
        assert cls(net()).penalty().item() == 0.0
    assert len(prefixed_heads()) == 2 and Stage()(torch.randn(4, 3)).shape == (4, 3)
