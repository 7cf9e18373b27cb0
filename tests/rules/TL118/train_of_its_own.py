"""A train() that goes through the parts itself: it wakes what it names, or all of them, or leaves the frozen one out."""

from torch import nn


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.eyes = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
        self.policy = nn.Sequential(nn.Dropout(0.5), nn.Linear(2, 1))
        self.eyes.requires_grad_(False)

    def forward(self, x):
        return self.policy(self.eyes(x))


class OnlyThePolicy(Agent):
    def __init__(self):
        super().__init__()
        self.eyes.eval()  # ok: TL118  train() leaves it alone

    def train(self, mode=True):  # expect: TL108
        self.training = mode
        self.policy.train(mode)
        return self


class AllButTheEyes(Agent):
    def __init__(self):
        super().__init__()
        self.eyes.eval()  # ok: TL118

    def train(self, mode=True):
        self.training = mode
        for name, part in self.named_children():
            part.train(mode and name != "eyes")
        return self


class Everything(Agent):
    def __init__(self):
        super().__init__()
        self.eyes.eval()  # expect: TL118

    def train(self, mode=True):
        self.training = mode
        for part in self.children():
            part.train(mode)
        return self


class Logged(Agent):
    def __init__(self):
        super().__init__()
        self.eyes.eval()  # expect: TL118

    def train(self, mode=True):
        print("training", mode)
        return super().train(mode)


def demonstrate():
    for kind, asleep in ((OnlyThePolicy, True), (AllButTheEyes, True), (Everything, False), (Logged, False)):
        assert kind().train().eyes.training is not asleep
