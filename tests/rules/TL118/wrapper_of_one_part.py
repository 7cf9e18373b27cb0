"""A wrapper whose one part may be frozen by an option: the model around it calls train() and wakes the part."""
import torch
from torch import nn


def body():
    return nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))


class Wrapper(nn.Module):
    def __init__(self, freeze: bool = True):
        super().__init__()
        self.model = body()
        self.freeze = freeze
        if self.freeze:
            self.freeze_model(self.model)

    def freeze_model(self, model):
        model.eval()  # expect: TL118
        for parameter in model.parameters():
            parameter.requires_grad = False

    def forward(self, x):
        return self.model(x)


class AlwaysFrozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = body()
        self.model.eval()  # ok: TL118  nothing of it is ever trained: whoever holds it decides

    def forward(self, x):
        return self.model(x)


class Held(Wrapper):
    def train(self, mode: bool = True):
        super().train(mode)
        if self.freeze:
            self.model.eval()  # ok: TL118
        return self


def demonstrate():
    x = torch.ones(64, 4)
    for kind, sleeps in ((Wrapper, False), (Held, True)):
        around = nn.Sequential(kind(), nn.Linear(4, 1)).train()
        assert around[0].model.training is not sleeps, kind
        assert torch.equal(around[0](x), around[0](x)) is sleeps, kind
