"""An early-stopping object, a Lightning hook or a tuple keeps a state_dict whose tensors go on training."""

import copy

import torch
from torch import nn


class Stopper:
    def __init__(self):
        self.best = None
        self.loss = float("inf")

    def step(self, model: nn.Module, loss: float):
        if loss < self.loss:
            self.loss = loss
            self.best = model.state_dict()  # expect: TL116

    def restore(self, model: nn.Module):
        model.load_state_dict(self.best)


class CopyingStopper:
    def __init__(self):
        self.best = None
        self.loss = float("inf")

    def step(self, model: nn.Module, loss: float):
        if loss < self.loss:
            self.loss = loss
            self.best = {name: value.clone() for name, value in model.state_dict().items()}  # ok: TL116

    def restore(self, model: nn.Module):
        model.load_state_dict(self.best)


def train(model: nn.Module, optimizer, batches):
    best = (float("inf"), None)
    for x in batches:
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < best[0]:
            best = (loss.item(), model.state_dict())  # expect: TL116
    model.load_state_dict(best[1])


def train_copying(model: nn.Module, optimizer, batches):
    best = (float("inf"), None)
    for x in batches:
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < best[0]:
            best = (loss.item(), copy.deepcopy(model.state_dict()))  # ok: TL116
    model.load_state_dict(best[1])


def demonstrate():
    layer = nn.Linear(2, 2)
    for stopper, kept in ((Stopper(), False), (CopyingStopper(), True)):
        stopper.step(layer, 1.0)
        before = layer.weight.detach().clone()
        with torch.no_grad():
            layer.weight.add_(1)
        stopper.restore(layer)
        assert torch.equal(layer.weight.detach(), before) is kept
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    train(layer, optimizer, [torch.ones(1, 2)])
    train_copying(layer, optimizer, [torch.ones(1, 2)])
