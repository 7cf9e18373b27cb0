"""One function for training and evaluation: a flag of the call decides that nothing is differentiated."""
import torch
from torch import nn

held = []


class Solver:
    def __init__(self, batches):
        self.model = nn.Linear(2, 2)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.batches = batches

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            self.run_epoch(epoch)
            self.model.eval()  # expect: TL304
            self.run_epoch(epoch, is_validation=True)

    def fit_quietly(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            self.run_epoch(epoch)
            self.model.eval()  # ok: TL304
            with torch.no_grad():
                self.run_epoch(epoch, is_validation=True)

    def adapt(self, epochs):
        for epoch in range(epochs):
            self.model.eval()  # ok: TL304  trained with its norms as they are
            self.run_epoch(epoch)

    def run_epoch(self, epoch, is_validation=False):
        for x in self.batches:
            loss = self.model(x).sum()
            held.append(loss)
            if not is_validation:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


def run(model, optimizer, batches, kind, backprop=True):
    if backprop:
        model.train()
    else:
        model.eval()  # expect: TL304
    for x in batches:
        if kind == "baseline":
            backprop = False
        loss = model(x).sum()
        held.append(loss)
        if backprop:
            loss.backward()
            optimizer.step()


def run_all(model, optimizer, batches, kind, backprop=True):
    model.train()
    if not backprop:
        model.eval()  # ok: TL304  the kind may switch backprop on again
    for x in batches:
        if kind == "tuned":
            backprop = True
        loss = model(x).sum()
        held.append(loss)
        if backprop:
            loss.backward()
            optimizer.step()


def one_epoch(model, optimizer, batches, training):
    for x in batches:
        if not training:
            with torch.no_grad():
                loss = model(x).sum()
        else:
            loss = model(x).sum()
        held.append(loss)
        if training:
            loss.backward()
            optimizer.step()


def validate(model, batches):
    model.eval()  # ok: TL304  the call with gradients is of the training alone
    one_epoch(model, None, batches, training=False)


def demonstrate():
    batches = [torch.ones(1, 2)]
    solver = Solver(batches)
    solver.fit(1)
    assert held[-1].requires_grad
    solver.fit_quietly(1)
    assert not held[-1].requires_grad
    validate(solver.model, batches)
    assert not held[-1].requires_grad
    solver.adapt(1)
    for one in (run, run_all):
        one(solver.model, solver.optimizer, batches, "other", backprop=False)
        assert held[-1].requires_grad
