"""A helper may make the module, switch it or convert it; the finding is where the order is decided."""
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


def load(path=None):
    model = Folded()
    if path is not None:
        model.load_state_dict(torch.load(path))
    model.eval()
    return model


def build():
    return Folded()


def to_double(model):
    return model.double()


def loaded():
    model = load()
    return model.double()  # expect: TL303


def built():
    model = build()
    return model.double().eval()  # ok: TL303


def converted_by_helper():
    model = build()
    model.eval()
    to_double(model)  # expect: TL303
    return model


def converted_in_time():
    model = build()
    to_double(model)  # ok: TL303
    return model.eval()


def demonstrate():
    for wrong in (loaded(), converted_by_helper()):
        assert wrong.folded.dtype is torch.float32
    for right in (built(), converted_in_time()):
        assert right.folded.dtype is torch.float64
