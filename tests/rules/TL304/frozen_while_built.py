"""A network whose constructor freezes all of its parameters: autograd records nothing of what it computes."""
import torch
from torch import nn

held = []


class Features(nn.Module):
    def __init__(self, requires_grad=False, size=2):
        super().__init__()
        assert size > 1
        self.layer = nn.Linear(2, size)
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad

    def forward(self, x):
        return self.layer(x)


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.requires_grad_(False)

    def forward(self, x):
        return self.layer(x)


class HeadOnFrozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        for parameter in self.parameters():
            parameter.requires_grad = False
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.layer(x))


class Trainable(nn.Module):
    def __init__(self, requires_grad=True):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad

    def forward(self, x):
        return self.layer(x)


class Optional(nn.Module):
    def __init__(self, freeze=False):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        if freeze:
            self.requires_grad_(False)

    def forward(self, x):
        return self.layer(x)


def activations(batches, model):
    model.eval()  # ok: TL304  the only network that it gets is frozen
    for x in batches:
        held.append(model(x))


def statistics(batches, model):
    activations(batches, model)


def score(batches):
    model = Features()
    model.cpu()
    statistics(batches, model)


def by_class(batches):
    model = Teacher()
    model.eval()  # ok: TL304
    for x in batches:
        held.append(model(x))


def with_a_head(batches):
    model = HeadOnFrozen()
    model.eval()  # expect: TL304  the head was added after the others were frozen
    for x in batches:
        held.append(model(x))


def by_default(batches):
    model = Trainable()
    model.eval()  # expect: TL304
    for x in batches:
        held.append(model(x))


def by_option(batches):
    model = Optional()
    model.eval()  # expect: TL304
    for x in batches:
        held.append(model(x))


def of_two(batches, model):
    model.eval()  # expect: TL304  one of those that it gets is trained
    for x in batches:
        held.append(model(x))


def gives_both(batches):
    of_two(batches, Features())
    of_two(batches, nn.Linear(2, 2))


def demonstrate():
    batches = [torch.ones(1, 2)] * 2
    runs = ((False, score), (False, by_class), (True, with_a_head), (True, by_default), (True, by_option))
    for records, run in (*runs, (True, gives_both)):
        held.clear()
        run(batches)
        assert held[-1].requires_grad is records, run
