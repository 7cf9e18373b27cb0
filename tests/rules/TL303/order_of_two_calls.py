"""eval() fills the cache, so a conversion must come first: through chains, branches, attributes and wrappers."""
import torch
from torch import nn


class Folded(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.folded = None

    def train(self, mode: bool = True):
        self.folded = None if mode else self.weight.exp().detach()  # expect: TL103
        return super().train(mode)

    def forward(self, x):
        return x @ (self.weight.exp() if self.training else self.folded)


def in_a_chain():
    return Folded().eval().double()  # expect: TL303


def in_the_right_order():
    return Folded().double().eval()  # ok: TL303


def by_statements(half: bool):
    model = Folded()
    model = model.to("cpu")  # ok: TL303
    model.train(False)
    model = model.double() if half else model.float()  # expect: TL303
    return model


def trained_again():
    model = Folded().eval()
    model.train()
    model.double()  # ok: TL303  train() has dropped the cache
    return model.eval()


def in_other_branches(deploy: bool):
    model = Folded()
    if deploy:
        model.eval()
    else:
        model.double()  # ok: TL303
    return model


def of_other_objects():
    first, second = Folded(), Folded()
    first.eval()
    return second.double()  # ok: TL303


def without_a_conversion():
    model = Folded().eval()
    model.to(memory_format=torch.channels_last)  # ok: TL303
    return model


class Runner:
    def __init__(self, model: Folded):
        self.model = model
        self.model.eval()
        self.model.to(torch.float64)  # expect: TL303


class CarefulRunner:
    def __init__(self, model: Folded):
        self.model = model.to(torch.float64)  # ok: TL303
        self.model.eval()


def demonstrate():
    for wrong in (in_a_chain(), by_statements(True), Runner(Folded()).model):
        assert wrong.folded.dtype is torch.float32
        assert wrong.weight.dtype is torch.float64
    for right in (in_the_right_order(), trained_again(), CarefulRunner(Folded()).model):
        assert right.folded.dtype is torch.float64
