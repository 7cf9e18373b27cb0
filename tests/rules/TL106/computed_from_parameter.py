"""A value computed from a Parameter in construction is stale after an update; a property computes it anew."""

import copy

import torch
from torch import nn


class Cosine(nn.Module):
    def __init__(self, dim: int, classes: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, dim))
        self.norms = self.weight.norm(dim=1)  # expect: TL106
        scaled = self.weight / self.weight.abs().max()
        self.register_buffer("scaled", scaled.detach(), persistent=False)  # expect: TL106
        self.register_buffer("largest", self.weight.detach().abs().amax(0))  # expect: TL106

    def forward(self, x):
        return x @ self.scaled.t() / self.norms + (x * self.largest).sum(-1, keepdim=True)


class Fresh(nn.Module):
    def __init__(self, dim: int, classes: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, dim))  # ok: TL106
        self.classes = self.weight.shape[0]  # ok: TL106  a number of the shape
        self.start = self.weight.norm().item()  # ok: TL106  a Python number, TL122's at most

    @property
    def norms(self):
        return self.weight.norm(dim=1)  # ok: TL106

    def forward(self, x):
        largest = self.weight.abs().amax(0)
        return x @ self.weight.t() / self.norms + (x * largest).sum(-1, keepdim=True) / self.classes


def demonstrate():
    x = torch.ones(2, 4)
    for kind, is_true in ((Cosine, False), (Fresh, True)):
        trained, loaded = kind(4, 3), kind(4, 3)
        loaded.load_state_dict(trained.state_dict())
        assert torch.equal(trained(x), loaded(x)) is is_true, kind
    copy.deepcopy(Fresh(4, 3))
    try:
        copy.deepcopy(Cosine(4, 3))
        message = ""
    except RuntimeError as error:
        message = str(error)
    assert "deepcopy" in message
