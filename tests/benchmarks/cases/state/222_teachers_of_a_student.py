"""A distillation module owns its teachers; the epoch loop's train() wakes their dropout up again.

source: Lightning-AI/pytorch-lightning#15062, lightly-ai/lightly#1438, TRI-ML/sdflabel#8 (train() must be redefined)
rules: [TL118]
"""
from typing import Iterable

import torch
import torch.nn as nn
import torch.nn.functional as F


def net(p: float = 0.5) -> nn.Module:
    return nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Dropout(p), nn.Linear(32, 2))


class Distiller(nn.Module):
    def __init__(self, student: nn.Module, teachers: Iterable[nn.Module], heat: float = 2.0):
        super().__init__()
        self.student, self.heat = student, heat
        self.adopt(teachers)

    def adopt(self, teachers) -> None:
        raise NotImplementedError

    def soft(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return torch.stack([t(x) for t in self.teachers]).mean(0)

    def forward(self, x):
        a = (self.student(x) / self.heat).log_softmax(-1)
        return F.kl_div(a, (self.soft(x) / self.heat).softmax(-1), reduction="batchmean")


class OwningDistiller(Distiller):
    def adopt(self, teachers):
        self.teachers = nn.ModuleList(teachers)
        for t in self.teachers:
            t.requires_grad_(False)
            t.eval()  # expect: TL118


class PinningDistiller(Distiller):
    def adopt(self, teachers):
        self.teachers = nn.ModuleList(teachers).requires_grad_(False)

    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.teachers.eval()  # ok: TL118
        return self


class RepeatingDistiller(Distiller):
    """The mode is set where it matters, right before the teachers are asked."""

    def adopt(self, teachers):
        self.teachers = nn.ModuleList(teachers).requires_grad_(False)

    def soft(self, x):
        self.teachers.eval()  # ok: TL118, TL304
        return super().soft(x)


class NormOnlyDistiller(Distiller):
    """These teachers have no layer with a mode, so nothing can wake up."""

    def adopt(self, teachers):
        self.teachers = nn.ModuleList(nn.Sequential(nn.Linear(3, 2), nn.LayerNorm(2)) for _ in teachers)
        self.teachers.requires_grad_(False).eval()  # ok: TL118


def fit(task: Distiller, loader, epochs: int = 1) -> float:
    opt = torch.optim.SGD(task.student.parameters(), lr=0.1)
    total = 0.0
    for _ in range(epochs):
        task.train()
        for x in loader:
            loss = task(x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
    return total


# ---- demonstration: not part of the graded code ----
def demonstrate():
    loader = [torch.randn(4, 3)]
    for cls, stable in (
        (OwningDistiller, False), (PinningDistiller, True), (RepeatingDistiller, True), (NormOnlyDistiller, True),
    ):
        torch.manual_seed(0)
        task = cls(net(0.0), [net(), net()])
        if cls is OwningDistiller:
            assert torch.equal(task.soft(loader[0]), task.soft(loader[0])), "right until the first epoch"
        fit(task, loader)
        task.train()
        assert torch.equal(task.soft(loader[0]), task.soft(loader[0])) is stable, cls
