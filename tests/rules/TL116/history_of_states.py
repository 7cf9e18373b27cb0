"""States of several epochs are collected, in a list or on an object, to be compared: all of them are the last one."""
import collections

import torch
from torch import nn


def norms_of(states):
    return [torch.linalg.vector_norm(one["weight"]).item() for one in states]


class History:
    def __init__(self):
        self.entries = collections.deque(maxlen=3)

    def add(self, epoch: int, model: nn.Module) -> None:
        self.entries.append((epoch, model.state_dict()))  # expect: TL116

    def norms(self):
        return norms_of([state for _, state in self.entries])


class HistoryOfRecords(History):
    def add(self, epoch, model):
        record = {"epoch": epoch, "weights": dict(model.state_dict())}  # expect: TL116
        self.entries.append(tuple(record.values()))


class HistoryOfCopies(History):
    def add(self, epoch, model):
        self.entries.append((epoch, {name: value.clone() for name, value in model.state_dict().items()}))  # ok: TL116


class HistoryOfSizes(History):
    def add(self, epoch, model):
        self.entries.append((epoch, len(model.state_dict())))  # ok: TL116

    def norms(self):
        return [float(size) for _, size in self.entries]


class Server:
    """Each client has a model of its own."""

    def __init__(self):
        self.received = []

    def receive(self, client) -> None:
        self.received.append(client.model.state_dict())  # ok: TL116

    def norms(self):
        return norms_of(self.received)


class Sum:
    """Nothing of the model is kept."""

    def __init__(self):
        self.total = 0.0

    def add(self, model: nn.Module) -> None:
        state = model.state_dict()  # ok: TL116
        self.total += sum(torch.linalg.vector_norm(value).item() for value in state.values())


def train(model: nn.Module, batches, epochs: int = 2):
    optimizer, kept = torch.optim.SGD(model.parameters(), lr=0.5), []
    for _ in range(epochs):
        for batch in batches:
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
        kept.append(model.state_dict())  # expect: TL116
    return [torch.linalg.vector_norm(one["weight"]).item() for one in kept]


def each_of_them(models, batch):
    kept = []
    for model in models:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        model(batch).sum().backward()
        optimizer.step()
        kept.append(model.state_dict())  # ok: TL116
    return norms_of(kept)


def demonstrate():
    for history, is_right in ((History(), False), (HistoryOfRecords(), False), (HistoryOfCopies(), True)):
        model = nn.Linear(1, 1, bias=False)
        nn.init.zeros_(model.weight)
        for epoch in range(2):
            history.add(epoch, model)
            with torch.no_grad():
                model.weight.add_(1)
        assert (history.norms() == [0, 1]) is is_right
    model = nn.Linear(1, 1, bias=False)
    assert len(set(train(model, [torch.ones(1, 1)]))) == 1
    each_of_them([nn.Linear(1, 1), nn.Linear(1, 1)], torch.ones(1, 1))
    sizes, total, server = HistoryOfSizes(), Sum(), Server()
    sizes.add(0, model)
    assert sizes.norms() == [1] and not server.norms()
    total.add(model)
