"""A step may stand in a method of its own: the loop that calls it waits in each round, and so does the step that reads a number."""

import torch
from torch import nn
from torch.nn import functional as F


class Trainer:
    def __init__(self, net, every=10, weighs=False):
        self.net, self.every, self.weighs = net, every, weighs
        self.solver = torch.optim.SGD(net.parameters(), lr=0.1)
        self.shown = []

    def loss_of(self, x, y):
        return F.mse_loss(self.net(x), y)

    def step(self, x, y):
        loss = self.loss_of(x, y)
        self.solver.zero_grad()
        loss.backward()
        self.solver.step()
        return loss.detach()

    def epoch(self, batches):
        for x, y in batches:
            loss = self.step(x, y)
            self.shown.append(loss.item())  # note: TL307
            self.shown.append(loss.cpu())  # note: TL307

    def epoch_by_setting(self, batches):
        for x, y in batches:
            loss = self.step(x, y)
            if self.weighs:
                self.shown.append(loss.item())  # note: TL307  a setting holds in every round

    def epoch_now_and_then(self, batches):
        for count, (x, y) in enumerate(batches):
            loss = self.step(x, y)
            if count % self.every == 0:
                self.shown.append(loss.item())  # ok: TL307

    def epoch_shown(self, batches, verbose=False):
        for x, y in batches:
            loss = self.step(x, y)
            if verbose:
                self.shown.append(loss.item())  # ok: TL307  somebody looks

    def epochs(self, batches, count):
        for _ in range(count):
            last = self.whole(batches)
            self.shown.append(last.item())  # ok: TL307  once in an epoch

    def whole(self, batches):
        last = torch.zeros(())
        for x, y in batches:
            last = self.step(x, y)
        return last


def one_step(net, solver, x, y):
    loss = F.mse_loss(net(x), y)
    solver.zero_grad()
    loss.backward()
    solver.step()
    return loss.item()  # note: TL307


def one_step_kept(net, solver, x, y):
    loss = F.mse_loss(net(x), y)
    loss.backward()
    solver.step()
    return loss.detach()  # ok: TL307


def one_step_shown(net, solver, x, y, step):
    loss = F.mse_loss(net(x), y)
    loss.backward()
    solver.step()
    if step % 100 == 0:
        print(loss.item())  # ok: TL307


def judged(net, x, y):
    return F.mse_loss(net(x), y).item()  # ok: TL307  no step is taken


def all_steps(net, solver, batches):
    total = torch.zeros(())
    for x, y in batches:
        loss = F.mse_loss(net(x), y)
        loss.backward()
        solver.step()
        total += loss.detach()
    return total.item()  # ok: TL307  once, after the loop


def listed(net, solver, batches):
    found = []
    for x, y in batches:
        out = net(x)
        F.mse_loss(out, y).backward()
        solver.step()
        found += out.flatten().tolist()  # note: TL307
        found.append(float(F.mse_loss(out, y)))  # note: TL307
        found.append(float(len(found)))  # ok: TL307
    return found


def demonstrate():
    batches = [(torch.ones(1, 2), torch.zeros(1, 2))] * 2
    trainer = Trainer(nn.Linear(2, 2), weighs=True)
    trainer.epoch(batches), trainer.epoch_by_setting(batches), trainer.epoch_now_and_then(batches)
    trainer.epoch_shown(batches), trainer.epochs(batches, 1)
    assert len(trainer.shown) == 8
    net, solver = trainer.net, trainer.solver
    for step in (one_step, one_step_kept, lambda *given: one_step_shown(*given, step=1)):
        step(net, solver, *batches[0])
    judged(net, *batches[0]), all_steps(net, solver, batches), listed(net, solver, batches)
