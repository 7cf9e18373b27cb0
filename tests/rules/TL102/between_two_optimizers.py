"""A step for each optimizer: what the first one stores with its graph, the second one reads after the first backward."""
import torch
import torch.nn.functional as F
from torch import nn


class Adversarial(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.generator = nn.Linear(dim, dim)
        self.critic = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, x):
        return self.generator(x)

    def parts(self):
        return self.generator, self.critic


class KeepsScores(Adversarial):
    def training_step(self, x, optimizer_idx):
        made = self(x)
        if optimizer_idx == 0:
            self.scores = self.critic(made)  # expect: TL102
            return self.scores.mean()
        return F.softplus(self.scores).mean() + F.softplus(-self.critic(x)).mean()


class ByName(Adversarial):
    def training_step(self, x, **options):
        which = options["which"]
        if which == "generator":
            made = self(x)
            self.made = made  # expect: TL102
            return self.critic(made).mean()
        elif which == "critic":
            return self.critic(self.made).mean() - self.critic(x).mean()


class CutsAtTheRead(Adversarial):
    def training_step(self, x, optimizer_idx):
        if optimizer_idx == 0:
            self.made = self(x)  # ok: TL102  the critic gets it without its graph
            return self.critic(self.made).mean()
        return self.critic(self.made.detach()).mean() - self.critic(x).mean()


class CutsAtTheStore(Adversarial):
    def training_step(self, x, optimizer_idx):
        if optimizer_idx == 0:
            made = self(x)
            self.made = made.detach()  # ok: TL102
            return self.critic(made).mean()
        return self.critic(self.made).mean() - self.critic(x).mean()


class OneStep(Adversarial):
    def training_step(self, x, optimizer_idx):
        if optimizer_idx == 0:
            self.made = self(x)  # ok: TL102  read in the same branch
            return self.critic(self.made).mean()
        return self.critic(x).mean()


class ReadInEvaluation(Adversarial):
    def training_step(self, x, training):
        if training:
            self.made = self(x)  # ok: TL102  there is no backward where it is read
            return self.made.mean()
        return self.critic(self.made).mean()


class PutBack(Adversarial):
    def training_step(self, x, optimizer_idx):
        if optimizer_idx == 0:
            self.made = self(x)  # ok: TL102  the owner says how long it lives
            return self.made.mean()
        return self.critic(self.made).mean()

    def start(self):
        self.made = None


def trains(module: nn.Module, *steps) -> bool:
    x = torch.ones(2, 4)
    for step in steps:
        try:
            step(module, x).backward()
        except RuntimeError as error:
            assert "second time" in str(error)
            return False
    return True


def demonstrate():
    by_index = [lambda module, x, which=which: module.training_step(x, which) for which in (0, 1)]
    by_name = [lambda module, x, which=which: module.training_step(x, which=which) for which in ("generator", "critic")]
    assert not trains(KeepsScores(), *by_index)
    assert not trains(ByName(), *by_name)
    for kind in (CutsAtTheRead, CutsAtTheStore, OneStep):
        assert trains(kind(), *by_index), kind
    module = ReadInEvaluation()
    module.training_step(torch.ones(2, 4), training=True).backward()
    with torch.no_grad():
        module.training_step(torch.ones(2, 4), training=False)
