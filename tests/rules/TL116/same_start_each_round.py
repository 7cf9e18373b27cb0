"""Each round of a loop begins with weights that were kept before it: they are what the last round left."""

import copy

import torch
from torch import nn


def rounds(model: nn.Module, optimizer, rates):
    start = model.state_dict()  # expect: TL116
    for _ in rates:
        model.load_state_dict(start)
        optimizer.step()


def helper_trains(model, folds):
    start = model.state_dict()  # expect: TL116
    for fold in folds:
        model.load_state_dict(start)
        train_once(model, fold)


def copied_too_late(model, optimizer, rates):
    start = model.state_dict()  # expect: TL116
    for _ in rates:
        model.load_state_dict(copy.deepcopy(start))
        optimizer.step()


def nested_loops(model, optimizer, rates, batches):
    start = model.state_dict()  # expect: TL116
    for _ in rates:
        model.load_state_dict(start)
        for _ in batches:
            optimizer.step()


def copied(model, optimizer, rates):
    start = copy.deepcopy(model.state_dict())  # ok: TL116
    for _ in rates:
        model.load_state_dict(start)
        optimizer.step()


def taken_each_round(model, optimizer, rates):
    for _ in rates:
        start = model.state_dict()  # ok: TL116
        model.load_state_dict(start)
        optimizer.step()


def of_another(model, optimizer, target, rates):
    source = target.state_dict()  # ok: TL116  nothing changes the target
    for _ in rates:
        model.load_state_dict(source)
        optimizer.step()


def follower(model, optimizer, follower, rates):
    live = model.state_dict()  # ok: TL116  that the follower gets the weights of now is meant
    for _ in rates:
        follower.load_state_dict(live)
        optimizer.step()


def no_step_in_the_loop(model, optimizer, rates):
    optimizer.step()
    start = model.state_dict()  # ok: TL116
    for _ in rates:
        model.load_state_dict(start)


@torch.no_grad()
def train_once(model, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    with torch.enable_grad():
        optimizer.zero_grad()
        model(torch.ones(1, 1)).sum().backward()
    optimizer.step()


def demonstrate():
    class Count:
        def __init__(self, model):
            self.model = model

        @torch.no_grad()
        def step(self):
            self.model.weight += 1

    def left(run, *others):
        model = nn.Linear(1, 1)
        nn.init.zeros_(model.weight)
        run(model, Count(model), *others, [1, 2, 3])
        return float(model.weight)

    assert left(rounds) == left(copied_too_late) == 3.0
    assert left(copied) == 1.0 and left(taken_each_round) == 3.0
    assert left(of_another, nn.Linear(1, 1)) != 3.0
    model = nn.Linear(1, 1)
    before = float(model.weight)
    helper_trains(model, [0.5, 0.5])
    assert abs(float(model.weight) - before + 1.0) < 1e-6


if __name__ == "__main__":
    demonstrate()
