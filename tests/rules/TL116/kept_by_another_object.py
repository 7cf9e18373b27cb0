"""A record, or an object with a method that stores its argument, keeps the state: it holds the same tensors."""

import copy
from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple

import torch
from torch import nn

Best = namedtuple("Best", "score weights")


@dataclass
class Record:
    score: float = float("inf")
    weights: dict = field(default_factory=dict)


class Pair(NamedTuple):
    score: float
    weights: dict


class Entry:
    def __init__(self, score, weights):
        self.score = score
        self.held = {"weights": weights}


class CopyingEntry:
    def __init__(self, score, weights):
        self.score = score
        self.held = copy.deepcopy(weights)


class Hall:
    def __init__(self, size: int = 3):
        self.entries: deque = deque()
        self.size = size
        self.last = None

    def add(self, score, state):
        self.entries.append((score, state))
        while len(self.entries) > self.size:
            self.entries.popleft()

    def note(self, score, state):
        self.last = state

    def keep(self, score, state):
        if score < self.size:
            self.last = state

    def add_copy(self, score, state):
        self.entries.append((score, copy.deepcopy(state)))

    def count(self, score, state):
        self.entries.append((score, len(state)))


def by_a_dataclass(model, optimizer, losses):
    best = Record()
    for loss in losses:
        optimizer.step()
        if loss < best.score:
            best = Record(score=loss, weights=model.state_dict())  # expect: TL116
    model.load_state_dict(best.weights)


def by_a_field(model, optimizer, losses):
    best = Record()
    for loss in losses:
        optimizer.step()
        if loss < best.score:
            best.score = loss
            best.weights = model.state_dict()  # expect: TL116
    model.load_state_dict(best.weights)


def by_a_named_tuple(model, optimizer, losses):
    best = Pair(float("inf"), {})
    for loss in losses:
        optimizer.step()
        if loss < best.score:
            best = Pair(loss, model.state_dict())  # expect: TL116
    return best


def by_a_made_tuple(model, optimizer, losses):
    best = Best(float("inf"), {})
    for loss in losses:
        optimizer.step()
        if loss < best.score:
            best = Best(loss, OrderedDict(model.state_dict()))  # expect: TL116
    return best.weights


def by_a_namespace(model, optimizer, losses):
    best = SimpleNamespace(score=float("inf"))
    for loss in losses:
        optimizer.step()
        if loss < best.score:
            best = SimpleNamespace(score=loss, weights=model.state_dict())  # expect: TL116
    model.load_state_dict(best.weights)


def by_a_plain_class(model, optimizer, losses):
    best = Entry(float("inf"), {})
    for loss in losses:
        optimizer.step()
        if loss < best.score:
            best = Entry(loss, model.state_dict())  # expect: TL116
    return best


def by_a_method(model, optimizer, losses):
    hall = Hall()
    for loss in losses:
        optimizer.step()
        hall.add(loss, model.state_dict())  # expect: TL116
    return hall


def by_a_choosing_method(model, optimizer, losses):
    hall = Hall()
    for loss in losses:
        optimizer.step()
        hall.keep(loss, model.state_dict())  # expect: TL116
    return hall


def in_a_tuple(model, optimizer, losses):
    found, best = [], None
    for loss in losses:
        optimizer.step()
        if best is None or loss < best[0]:
            best = (loss, OrderedDict(model.state_dict()))  # expect: TL116
    found.append(best)
    return found


def in_a_list_of_tuples(model, optimizer, losses):
    found = []
    for loss in losses:
        optimizer.step()
        found.append((loss, model.state_dict()))  # expect: TL116
    return found


class Plateau:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.best = Record()

    def run(self, losses):
        for loss in losses:
            self.optimizer.step()
            if loss < self.best.score:
                self.best = Record(score=loss, weights=self.model.state_dict())  # expect: TL116
        self.model.load_state_dict(self.best.weights)

    def run_copied(self, losses):
        for loss in losses:
            self.optimizer.step()
            if loss < self.best.score:
                held = self.model.state_dict()
                self.best = Record(score=loss, weights=copy.deepcopy(held))  # ok: TL116
        self.model.load_state_dict(self.best.weights)


def by_a_copying_class(model, optimizer, losses):
    best = CopyingEntry(float("inf"), {})
    for loss in losses:
        optimizer.step()
        if loss < best.score:
            best = CopyingEntry(loss, model.state_dict())  # ok: TL116
    return best


def by_a_copying_method(model, optimizer, losses):
    hall = Hall()
    for loss in losses:
        optimizer.step()
        hall.add_copy(loss, model.state_dict())  # ok: TL116
    return hall


def the_last_one(model, optimizer, losses):
    hall = Hall()
    for loss in losses:
        optimizer.step()
        hall.note(loss, model.state_dict())  # ok: TL116  what is kept at the end is of the end
    return hall


def after_the_loop(model, optimizer, losses):
    hall, loss = Hall(), 0.0
    for loss in losses:
        optimizer.step()
    hall.add(loss, model.state_dict())  # ok: TL116
    return hall


def counted(model, optimizer, losses):
    hall = Hall()
    for loss in losses:
        optimizer.step()
        hall.count(loss, model.state_dict())  # ok: TL116  nothing of the tensors is kept
    return hall


def only_the_score(model, optimizer, losses):
    best = Record()
    for loss in losses:
        optimizer.step()
        if loss < best.score:
            best = Record(score=loss, weights=model.state_dict())  # ok: TL116  the weights are never used
    return best.score


def twin(model, optimizer, losses):
    hall, other = Hall(), copy.deepcopy(model)
    for loss in losses:
        optimizer.step()
        other.load_state_dict(model.state_dict())  # ok: TL116
    hall.add(0.0, other.state_dict())  # ok: TL116
    return hall


def demonstrate():
    class Count:
        """Each step adds one to the weights."""

        def __init__(self, model):
            self.model = model

        @torch.no_grad()
        def step(self):
            self.model.weight += 1

    def after(run):
        model = nn.Linear(1, 1)
        nn.init.zeros_(model.weight)
        found = run(model, Count(model), [0.5, 0.9])
        return model, found

    for run in (by_a_dataclass, by_a_field, by_a_namespace):
        assert float(after(run)[0].weight) == 2.0, run
    assert float(after(by_a_named_tuple)[1].weights["weight"]) == 2.0
    assert float(after(by_a_made_tuple)[1]["weight"]) == 2.0
    assert float(after(by_a_plain_class)[1].held["weights"]["weight"]) == 2.0
    assert float(after(by_a_method)[1].entries[0][1]["weight"]) == 2.0
    assert float(after(in_a_tuple)[1][0][1]["weight"]) == 2.0 == float(after(in_a_list_of_tuples)[1][0][1]["weight"])
    assert float(after(by_a_copying_class)[1].held["weight"]) == 1.0
    assert float(after(by_a_copying_method)[1].entries[0][1]["weight"]) == 1.0


if __name__ == "__main__":
    demonstrate()
