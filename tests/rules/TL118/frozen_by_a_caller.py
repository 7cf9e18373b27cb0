"""A freezing method or function is called once before the epochs, and train() of the model comes after it."""

from __future__ import annotations

import torch
from torch import nn

NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.SyncBatchNorm)


def norms_of(parts):
    for part in parts:
        yield from (m for m in part.modules() if isinstance(m, NORMS))


class Staged(nn.Module):
    def __init__(self, width: int = 3, depth: int = 2):
        super().__init__()
        self.stages = nn.ModuleList(nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width)) for _ in range(depth))
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return self.head(x)


class Once(Staged):
    def freeze(self, upto: int) -> None:
        for norm in norms_of(self.stages[:upto]):
            norm.eval()  # expect: TL118


class OnceByStage(Staged):
    def freeze_stages(self) -> None:
        for stage in self.stages[:1]:
            stage.eval()  # expect: TL118
            stage.requires_grad_(False)


class Before(Staged):
    def freeze_first(self) -> None:
        self.stages[0].eval()  # expect: TL118


class Repeated(Staged):
    def freeze_again(self, upto: int) -> None:
        for norm in norms_of(self.stages[:upto]):
            norm.eval()  # ok: TL118  after each train()


class Pinned(Staged):
    def freeze_pinned(self) -> None:
        for norm in norms_of(self.stages):
            norm.eval()  # ok: TL118

    def train(self, mode: bool = True):
        super().train(mode)
        self.freeze_pinned()
        return self


class Awaited(Staged):
    """Nobody calls it."""

    def freeze_some_day(self) -> None:
        self.stages[0].eval()  # ok: TL118


class Answering(Staged):
    """For one answer, and not to freeze anything."""

    def answer(self, x):
        self.stages.eval()  # ok: TL118
        with torch.no_grad():
            return self(x)


def freeze_norms(model: nn.Module) -> None:
    for m in model.modules():
        if isinstance(m, NORMS):
            m.eval()  # expect: TL118


def freeze_norms_again(model: nn.Module) -> None:
    for m in model.modules():
        if isinstance(m, NORMS):
            m.eval()  # ok: TL118


def steps(model: nn.Module, optimizer) -> None:
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.randn(6, 3) * 2 + 3).square().mean().backward()
        optimizer.step()


def train_epoch(model: nn.Module, optimizer) -> None:
    model.train()
    steps(model, optimizer)


def finetune_once(model: Once, optimizer, epochs: int = 2) -> None:
    model.freeze(2)
    for _ in range(epochs):
        model.train()
        steps(model, optimizer)


def finetune_by_helper(model: OnceByStage, optimizer, epochs: int = 2) -> None:
    model.freeze_stages()
    for _ in range(epochs):
        train_epoch(model, optimizer)


def finetune_in_order(optimizer) -> None:
    model = Before()
    model.freeze_first()
    model.train()
    steps(model, optimizer)


def finetune_repeated(model: Repeated, optimizer, epochs: int = 2) -> None:
    for _ in range(epochs):
        model.train()
        model.freeze_again(2)
        steps(model, optimizer)


def finetune_pinned(model: Pinned, optimizer, epochs: int = 2) -> None:
    model.freeze_pinned()
    for _ in range(epochs):
        model.train()
        steps(model, optimizer)


def evaluate_then_train(model: Answering, optimizer, epochs: int = 2) -> None:
    for _ in range(epochs):
        model.answer(torch.randn(6, 3))
        model.train()
        steps(model, optimizer)


def finetune_norms(model: nn.Module, optimizer, epochs: int = 2) -> None:
    freeze_norms(model)
    for _ in range(epochs):
        model.train()
        steps(model, optimizer)


def finetune_norms_again(model: nn.Module, optimizer, epochs: int = 2) -> None:
    for _ in range(epochs):
        model.train()
        freeze_norms_again(model)
        steps(model, optimizer)


def demonstrate():
    for run, model, stays in (
        (finetune_once, Once(), False),
        (finetune_by_helper, OnceByStage(), False),
        (finetune_repeated, Repeated(), True),
        (finetune_pinned, Pinned(), True),
        (finetune_norms, Staged(), False),
        (finetune_norms_again, Staged(), True),
    ):
        before = model.stages[0][1].running_var.clone()
        run(model, torch.optim.SGD(model.parameters(), lr=0.01))
        assert torch.equal(model.stages[0][1].running_var, before) is stays, run


if __name__ == "__main__":
    demonstrate()
