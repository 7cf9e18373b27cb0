"""A method makes what the average begins with, and another keeps it on the object: the tensors are the model's own."""

import torch
from torch import nn


class Average:
    def __init__(self, model: nn.Module, decay: float = 0.5):
        self.decay = decay
        self.held = self.begin(model)

    def begin(self, model) -> dict:
        return {name: p.detach().clone() for name, p in model.named_parameters()}  # ok: TL116

    @torch.no_grad()
    def follow(self, model) -> None:
        for name, p in model.named_parameters():
            self.held[name].mul_(self.decay).add_(p, alpha=1 - self.decay)


class Filled(Average):
    def begin(self, model):
        held = {}
        for name, p in model.named_parameters():
            held[name] = p.data  # expect: TL116
        return held


class AtOnce(Average):
    def begin(self, model):
        return {name: p.detach() for name, p in model.named_parameters()}  # expect: TL116


class FilledWithCopies(Average):
    def begin(self, model):
        held = {}
        for name, p in model.named_parameters():
            held[name] = p.data.clone()  # ok: TL116
        return held


class Local:
    def __init__(self, model: nn.Module):
        held = {}
        for name, p in model.named_parameters():
            held[name] = p.data  # expect: TL116
        self.held = held

    @torch.no_grad()
    def follow(self, model):
        for name, p in model.named_parameters():
            self.held[name].lerp_(p, 0.5)


class OnlyRead:
    """Nothing writes into what is kept."""

    def __init__(self, model: nn.Module):
        self.held = self.begin(model)

    def begin(self, model):
        return {name: p.detach() for name, p in model.named_parameters()}  # ok: TL116

    def distance(self, model):
        return sum((p - self.held[name]).pow(2).sum() for name, p in model.named_parameters())


class Returned:
    """What is returned is kept by nobody."""

    def __init__(self, model: nn.Module):
        self.held = {name: p.detach().clone() for name, p in model.named_parameters()}

    def named(self, model):
        return {name: p.detach() for name, p in model.named_parameters()}  # ok: TL116

    @torch.no_grad()
    def follow(self, model):
        for name, p in self.named(model).items():
            self.held[name].lerp_(p, 0.5)


def demonstrate():
    for average, lags in ((Average, True), (Filled, False), (AtOnce, False), (FilledWithCopies, True), (Local, False)):
        model = nn.Linear(1, 1)
        kept = average(model)
        with torch.no_grad():
            model.weight += 1
        kept.follow(model)
        assert (not torch.equal(kept.held["weight"], model.weight)) is lags, average


if __name__ == "__main__":
    demonstrate()
