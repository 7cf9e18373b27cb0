"""A method of the object writes, or tells an optimizer what to train; a default argument opens the region."""

import copy

import torch
from torch import nn


class Tuner:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(self.chosen(), lr=0.1)

    def chosen(self):
        return [weight for weight in self.net.parameters() if weight.ndim > 1]

    def advance(self, x):
        self.optimizer.zero_grad()
        self.net(x).square().mean().backward()  # note: TL402
        self.optimizer.step()  # expect: TL408

    def tune(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.advance(x)
            return self.net(x)


class UncachedTuner(Tuner):
    def tune(self, x):
        with region(cache_enabled=False):
            self.move(x)
            return self.net(x)

    def move(self, x):
        self.optimizer.zero_grad()
        self.net(x).square().mean().backward()  # note: TL402
        self.optimizer.step()  # ok: TL408  the region keeps no casts


class PatientTuner(Tuner):
    def tune(self, x):
        self.descend(x)
        self.descend(2 * x)
        with region():
            return self.net(x)

    def descend(self, x):
        with region():
            loss = self.net(x).square().mean()
        self.optimizer.zero_grad()
        loss.backward()  # ok: TL402
        self.optimizer.step()  # ok: TL408  each pass has a region of its own

    def descend_twice(self, x):
        with region():
            first, second = self.net(x).square().mean(), self.net(2 * x).square().mean()
        (first + second).backward()  # ok: TL402
        self.optimizer.step()  # ok: TL408


def region(**settings):
    return torch.autocast("cpu", dtype=torch.bfloat16, **settings)


class Chaser:
    def __init__(self):
        self.leader = nn.Linear(3, 3)
        self.shadow = self.start()

    def start(self):
        return copy.deepcopy(self.leader)

    def chase(self):
        with torch.no_grad():
            for mine, other in zip(self.shadow.parameters(), self.leader.parameters()):  # note: TL117
                mine.lerp_(other, 0.5)  # expect: TL408

    def walk(self, states, open_region=lambda: torch.autocast("cpu", dtype=torch.bfloat16)):
        seen = []
        with open_region():
            for state in states:
                seen.append(self.shadow(state))
                self.chase()
        return seen


class FrozenChaser(Chaser):
    def start(self):
        return super().start().requires_grad_(False)

    def chase(self):
        with torch.no_grad():
            for mine, other in zip(self.shadow.parameters(), self.leader.parameters()):  # note: TL117
                mine.lerp_(other, 0.5)  # ok: TL408  what needs no gradient is not kept
