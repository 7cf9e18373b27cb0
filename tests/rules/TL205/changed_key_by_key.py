"""A dict comprehension changes what another dict holds, key by key: what is asked for decides which of them it is."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.head = nn.Linear(dim, dim)

    def forward(self, x):
        hidden = self.head(x)
        return {"scores": hidden, "turned": hidden.transpose(0, 1)}


class TimeFirst(Tagger):
    def forward(self, x):
        return {name: value.transpose(0, 1) for name, value in super().forward(x).items()}

    def score_rows(self, x):
        return self(x)["scores"].view(-1, 4)  # expect: TL205

    def turned_rows(self, x):
        return self(x)["turned"].view(-1, 4)  # ok: TL205  turned twice


class Copied(Tagger):
    def forward(self, x):
        return {name: value.transpose(0, 1).contiguous() for name, value in super().forward(x).items()}

    def score_rows(self, x):
        return self(x)["scores"].view(-1, 4)  # ok: TL205


class OfOthers(Tagger):
    def forward(self, x, others):
        parts = super().forward(x)
        return {name: parts["scores"] for name, value in others.items()}

    def rows(self, x, others):
        return self(x, others)["turned"].view(-1, 4)  # ok: TL205  the values of another dict


def demo():
    x = torch.zeros(2, 3, 4)
    assert TimeFirst().turned_rows(x).shape == (6, 4)
    assert Copied().score_rows(x).shape == (6, 4)
    assert OfOthers().rows(x, {"turned": x}).shape == (6, 4)
    try:
        TimeFirst().score_rows(x)
        raise AssertionError("view() merged dimensions that are apart")
    except RuntimeError as error:
        assert "view size" in str(error)
