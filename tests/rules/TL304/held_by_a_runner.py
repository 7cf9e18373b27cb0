"""A plain object holds the network: a script switches its mode there, and a method of the object runs it."""
import torch
from torch import nn

held = []


class Runner:
    def __init__(self):
        self.model = nn.Linear(2, 2)
        self.other = nn.Linear(2, 2)

    def infer(self, x):
        return self.model(x)

    @torch.no_grad()
    def infer_quietly(self, x):
        return self.model(x)

    def infer_by_other(self, x):
        return self.other(x)

    def fit(self, batches):
        for x in batches:
            self.one_batch(x)

    def one_batch(self, x):
        self.model.train()
        held.append(self.loss(x))

    def loss(self, x):
        loss = self.model(x).sum()
        self.propagate(loss)
        return loss

    def propagate(self, loss):
        loss.backward()

    def size(self, x):
        return len(x)


def by_method(batches):
    runner = Runner()
    runner.model.eval()  # expect: TL304
    for x in batches:
        held.append(runner.infer(x))


def by_quiet_method(batches):
    runner = Runner()
    runner.model.eval()  # ok: TL304
    for x in batches:
        held.append(runner.infer_quietly(x))


def quiet_around(batches):
    runner = Runner()
    runner.model.eval()  # ok: TL304
    with torch.no_grad():
        for x in batches:
            held.append(runner.infer(x))


def by_another_network(batches):
    runner = Runner()
    runner.model.eval()  # ok: TL304  this network is not run
    for x in batches:
        held.append(runner.infer_by_other(x))


def by_another_runner(batches):
    runner, other = Runner(), Runner()
    runner.model.eval()  # ok: TL304  this network is not run
    for x in batches:
        held.append(other.infer(x))


def trained_by_method(batches):
    runner = Runner()
    runner.model.eval()  # ok: TL304  the method trains it
    runner.fit(batches)


def counts(batches):
    runner = Runner()
    runner.model.eval()  # ok: TL304
    return [runner.size(x) for x in batches]


def once(x):
    runner = Runner()
    runner.model.eval()  # ok: TL304  no loop
    return runner.infer(x)


def demonstrate():
    batches = [torch.ones(1, 2)] * 2
    for records, run in ((True, by_method), (False, by_quiet_method), (False, quiet_around)):
        held.clear()
        run(batches)
        assert [out.requires_grad for out in held] == [records] * 2
    by_another_network(batches)
    by_another_runner(batches)
    trained_by_method(batches)
    assert counts(batches) == [1, 1]
    assert once(batches[0]) is not None
