"""A trainer scales and steps; the task that it holds clips in a hook, and nobody has unscaled.

The finding stands at the clipping, in the hook that the task may write itself."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


class Task(nn.Module):
    def __init__(self, net, most=1.0):
        super().__init__()
        self.net, self.most = net, most

    def training_loss(self, x):
        return self.net(x).square().mean()

    def ready_to_move(self, number):
        clip_grad_norm_(self.parameters(), self.most)  # expect: TL406

    def gradients_are_true(self):
        clip_grad_norm_(self.parameters(), self.most)  # ok: TL406  the trainer unscales before

    def plain_gradients(self):
        clip_grad_norm_(self.parameters(), self.most)  # ok: TL406  the loss was not scaled

    def has_moved(self):
        clip_grad_norm_(self.parameters(), self.most)  # ok: TL406  after the step

    def limit(self):
        clip_grad_norm_(self.parameters(), self.most)  # ok: TL406  a name that others have too

    def undo(self, scaler, optimizer):
        scaler.unscale_(optimizer)
        clip_grad_norm_(self.parameters(), self.most)  # ok: TL406


class TaskByValue(Task):
    def ready_to_move(self, number):
        clip_grad_value_(self.net.parameters(), self.most)  # expect: TL406


class Valve:
    def limit(self):
        return 3


class Trainer:
    def __init__(self, find_task):
        self.find_task = find_task
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0)

    def early(self, x, optimizers):
        task = self.find_task()
        for number, optimizer in enumerate(optimizers):
            self.scaler.scale(task.training_loss(x)).backward()
            task.ready_to_move(number)
            self.scaler.step(optimizer)
            self.scaler.update()

    def in_time(self, x, optimizer):
        task = self.find_task()
        self.scaler.scale(task.training_loss(x)).backward()
        self.scaler.unscale_(optimizer)
        task.gradients_are_true()
        self.scaler.step(optimizer)
        self.scaler.update()
        task.has_moved()

    def by_itself(self, x, optimizer):
        task = self.find_task()
        self.scaler.scale(task.training_loss(x)).backward()
        task.undo(self.scaler, optimizer)
        self.scaler.step(optimizer)
        self.scaler.update()

    def without(self, x, optimizer):
        task = self.find_task()
        task.training_loss(x).backward()
        task.plain_gradients()
        optimizer.step()

    def of_some_valve(self, x, optimizer, valve):
        self.scaler.scale(self.find_task().training_loss(x)).backward()
        valve.limit()
        self.scaler.step(optimizer)
        self.scaler.update()


class Sluice:
    def __init__(self, net):
        self.net = net

    def hold_back(self):
        clip_grad_norm_(self.net.parameters(), 1.0)  # ok: TL406  told where the owner calls it


class OwnerOfSluice:
    def __init__(self, net):
        self.net, self.sluice = net, Sluice(net)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0)

    def train(self, x, optimizer):
        self.scaler.scale(self.net(x).mean()).backward()
        self.sluice.hold_back()  # expect: TL406
        self.scaler.step(optimizer)
        self.scaler.update()


def demonstrate():
    norms = []
    for scaled in (True, False):
        net = nn.Linear(1, 1, bias=False)
        nn.init.ones_(net.weight)
        task = Task(net)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        trainer = Trainer(lambda task=task: task)
        x = torch.full((1, 1), 0.5)
        if scaled:
            trainer.early(x, [optimizer])
        else:
            trainer.in_time(x, optimizer)
        norms.append(1 - net.weight.item())
    # Clipped to 1 and then divided by the scale: less than the gradient of 0.5 that no clipping would touch.
    assert norms[0] < norms[1]
