"""A class that keeps an averaged copy of a model and writes parameters only into it, then evaluates the copy."""

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(x)


class Averaged:
    def __init__(self, model: nn.Module):
        self.model = copy.deepcopy(model).eval()

    @torch.no_grad()
    def update(self, model: nn.Module):
        for mine, theirs in zip(self.model.parameters(), model.parameters()):  # note: TL117
            mine.mul_(0.9).add_(theirs, alpha=0.1)


class AveragedState:
    def __init__(self, model: nn.Module):
        self.model = copy.deepcopy(model).eval()

    @torch.no_grad()
    def update(self, model: nn.Module):
        state = model.state_dict()
        for name, mine in self.model.state_dict().items():  # ok: TL117
            if mine.is_floating_point():
                mine.mul_(0.9).add_(state[name], alpha=0.1)
            else:
                mine.copy_(state[name])


def train(batches):
    model = Net()
    average = Averaged(model)
    for x in batches:
        model(x)
        average.update(model)
    return average.model(batches[0])


def demonstrate():
    train([torch.randn(4, 3) + 5])
    AveragedState(Net()).update(Net())
