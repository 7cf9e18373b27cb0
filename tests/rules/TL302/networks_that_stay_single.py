"""No network that is halved has these parts: another one is, the weights are only stored, or they are float32 again."""

import torch
from torch import nn


class Length(nn.Module):
    def forward(self, x):
        return x / (x.norm(dim=-1, keepdim=True) + 1e-9)  # ok: TL302


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))
        self.length = Length()

    def forward(self, x):
        self.seen += 1  # ok: TL302
        return self.length(x)


class EntropyLoss(nn.Module):
    """A network that nobody knows is halved in this file, and losses are no parts of it."""

    def forward(self, shares):
        return -(shares * (shares + 1e-10).log()).sum(-1).mean()  # ok: TL302


class Inside(nn.Module):
    def forward(self, x):
        return x / (x.abs().amax(-1, keepdim=True) + 1e-10)  # expect: TL302


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.inside, self.line = Inside(), nn.Linear(4, 4)

    def forward(self, x):
        return self.line(self.inside(x))


class Learner:
    """The head alone is compressed."""

    def __init__(self):
        self.counts = Counts()
        self.head = Head().half()

    def act(self, x):
        return self.head(self.counts(x).half())


def stored(path):
    counts = Counts()
    torch.save(counts.half().state_dict(), path)


def looked_at(x):
    counts = Counts().half()
    size = sum(p.numel() * p.element_size() for p in counts.parameters())
    counts.float()
    return counts(x), size


def demonstrate():
    learner, zero = Learner(), torch.zeros(1, 4)
    for _ in range(2100):
        learner.counts(zero)
    assert learner.counts.seen.item() == 2100 and learner.act(zero).isnan().all()
    assert looked_at(zero)[0].isfinite().all()
    EntropyLoss()(torch.tensor([1.0, 0.0]))
