"""The state before training is compared with the state after it; also by way of an attribute."""
import copy

import torch
from torch import nn


def fit(model: nn.Module, optimizer: torch.optim.Optimizer, batches) -> None:
    for batch in batches:
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()


def distance(one, other):
    return sum((one[name] - other[name]).norm() for name in one)


def largest_step(model, optimizer, batches):
    start = model.state_dict()  # expect: TL116
    fit(model, optimizer, batches)
    end = model.state_dict()
    return max(torch.dist(end[name], value).item() for name, value in start.items())


def largest_step_since_the_copy(model, optimizer, batches):
    start = copy.deepcopy(model.state_dict())  # ok: TL116
    fit(model, optimizer, batches)
    end = model.state_dict()
    return max(torch.dist(end[name], value).item() for name, value in start.items())


def moved(model, optimizer, batches):
    start = model.state_dict()  # expect: TL116
    fit(model, optimizer, batches)
    return distance(start, model.state_dict())


def moved_since_the_copy(model, optimizer, batches):
    start = {name: value.clone() for name, value in model.state_dict().items()}  # ok: TL116
    fit(model, optimizer, batches)
    return distance(start, model.state_dict())


def names_and_sizes(model, optimizer, batches):
    state = model.state_dict()  # ok: TL116
    fit(model, optimizer, batches)
    return len(state), {name: value.shape for name, value in state.items()}


def of_two_models(model, other, optimizer, batches):
    state = model.state_dict()  # ok: TL116  it is the other one that is trained
    fit(copy.deepcopy(model), optimizer, batches)
    return distance(state, other.state_dict())


class Watch:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.before = model.state_dict()  # expect: TL116

    def step(self, batch):
        fit(self.model, self.optimizer, [batch])
        now = self.model.state_dict()
        return sum(torch.dist(now[name], value).item() for name, value in self.before.items())


class WatchOfCopies(Watch):
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.before = copy.deepcopy(model.state_dict())  # ok: TL116


def demonstrate():
    def found_by(function):
        model = nn.Linear(2, 1)
        return function(model, torch.optim.SGD(model.parameters(), lr=0.5), [torch.ones(1, 2)])

    assert found_by(largest_step) == 0 == found_by(moved)
    assert found_by(largest_step_since_the_copy) > 0 and found_by(moved_since_the_copy) > 0
    assert found_by(lambda model, optimizer, batches: Watch(model, optimizer).step(batches[0])) == 0
    assert found_by(lambda model, optimizer, batches: WatchOfCopies(model, optimizer).step(batches[0])) > 0
    found_by(names_and_sizes)
    found_by(lambda model, optimizer, batches: of_two_models(model, nn.Linear(2, 1), optimizer, batches))
