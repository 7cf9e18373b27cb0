"""eval() that leaves dropout awake is never called for a part: its owner's eval() calls train(False) of each part."""

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, dim: int = 64):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        return self.norm(self.drop(x))


class Sampled(Head):
    def eval(self):  # expect: TL108
        super().eval()
        for part in self.modules():
            if isinstance(part, nn.Dropout):
                part.train()
        return self


class SampledByName(Head):
    def eval(self):  # expect: TL108
        super().eval()
        self.drop.training = True
        return self


class SampledInBothWays(Head):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.drop.train()
        return self

    def eval(self):  # ok: TL108  the same as train(False)
        super().eval()
        self.drop.train()
        return self


class SampledByTrain(Head):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        for part in self.modules():
            if isinstance(part, nn.Dropout):
                part.training = True
        return self


class Quiet(Head):
    def eval(self):  # ok: TL108  what train(False) does as well
        super().eval()
        self.drop.train(False)
        self.norm.training = False
        return self


def demonstrate():
    for kind, is_heard in ((Sampled, False), (SampledByName, False), (SampledInBothWays, True), (SampledByTrain, True)):
        head = kind()
        owner = nn.Sequential(head)
        owner.eval()
        assert head.drop.training is is_heard
    alone = Sampled().eval()
    assert alone.drop.training and not alone.norm.training
    assert not Quiet().eval().drop.training
    assert torch.is_tensor(alone(torch.ones(2, 64)))
