"""Half comes from elsewhere: a helper for any model, another method, a class that is made from a class attribute."""
import torch
from torch import nn, optim

SMALL = 1e-9
LARGER = 1e-6


class Tally(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rounds", torch.zeros(1))
        self.register_buffer("whole", torch.zeros(1, dtype=torch.long))
        self.turns = 0

    def count(self):
        self.rounds += 1  # expect: TL302
        self.whole += 1  # ok: TL302
        self.turns += 1  # ok: TL302
        return self.rounds


class Plain:
    """No module: nothing makes its tensors half."""

    def __init__(self):
        self.rounds = torch.zeros(1)

    def count(self):
        self.rounds += 1  # ok: TL302


def shrink(model: nn.Module):
    return model.half().train()


class Length(nn.Module):
    def size(self, x):
        return x.square().sum(-1, keepdim=True) + SMALL  # expect: TL302

    def forward(self, x):
        return x / self.size(x)


class LongerLength(Length):
    def size(self, x):
        return x.square().sum(-1, keepdim=True) + LARGER  # ok: TL302


class Sum(nn.Module):
    def size(self, x):
        return x.square().sum(-1, keepdim=True) + SMALL  # ok: TL302  nobody divides by it

    def forward(self, x):
        return x * self.size(x)


class Kit(nn.Module):
    length_class = Length
    sum_class = Sum

    def __init__(self):
        super().__init__()
        self.length, self.sum = self.length_class(), self.sum_class()

    def forward(self, x):
        return self.length(x) + self.sum(x)


def deployed():
    made = type("Made", (Kit,), {})
    return made().eval().half()


class Recipe:
    def __init__(self, net):
        self.net = net.half()
        self.optimizer = self.make()

    def make(self):
        return optim.Adam(self.net.parameters(), lr=1e-3)  # expect: TL302


class RecipeInRange(Recipe):
    def make(self):
        return optim.Adam(self.net.parameters(), lr=1e-3, eps=1e-4)  # ok: TL302


class RecipeInFloat:
    def __init__(self, net):
        self.net = net.float()
        self.optimizer = self.make()

    def make(self):
        return optim.Adam(self.net.parameters(), lr=1e-3)  # ok: TL302


class RecipeOfTwo:
    """Another network than the half one is trained."""

    def __init__(self, net, judge):
        self.net, self.judge = net, judge.half()
        self.optimizer = self.make()

    def make(self):
        return optim.Adam(self.net.parameters(), lr=1e-3)  # ok: TL302


def demonstrate():
    tally = shrink(Tally())
    for _ in range(2100):
        tally.count()
    assert tally.rounds.item() == 2048 and tally.whole.item() == 2100
    empty = torch.zeros(1, 4).half()
    assert deployed()(empty).isnan().all()
    assert LongerLength().half()(empty).isfinite().all() and Sum().half()(empty).isfinite().all()
    for recipe, is_lost in ((Recipe, True), (RecipeInRange, False)):
        made = recipe(nn.Linear(4, 1))
        made.net(torch.zeros(2, 4).half()).sum().backward()
        made.optimizer.step()
        assert made.net.weight.isnan().any().item() is is_lost
