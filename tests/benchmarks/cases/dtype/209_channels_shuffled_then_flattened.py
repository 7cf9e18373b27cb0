"""A light network shuffles channels in one block and hands time-first logits to a trainer that flattens them with view.

source: eladhoffer/convNet.pytorch#22, davidstutz/disentangling-robustness-generalization#2, dmlc/gluon-cv#1618
rules: [TL205]
"""
import torch
import torch.nn.functional as F
from torch import nn


def shuffle(x, groups):
    b, c, n = x.shape
    swapped = x.view(b, groups, c // groups, n).transpose(1, 2)
    return swapped.view(b, c, n)  # expect: TL205


def shuffle_by_flatten(x, groups):
    b, c, n = x.shape
    return x.view(b, groups, c // groups, n).transpose(1, 2).flatten(1, 2)  # ok: TL205


class Tagger(nn.Module):
    mixer = staticmethod(shuffle_by_flatten)

    def __init__(self, dim=8, labels=5):
        super().__init__()
        self.conv = nn.Conv1d(dim, dim, 3, padding=1, groups=2)
        self.head = nn.Linear(dim, labels)

    def forward(self, x):
        h = self.mixer(self.conv(x), 2).transpose(1, 2)
        return {"logits": self.head(h), "hidden": h}


class QuickTagger(Tagger):
    mixer = staticmethod(shuffle)


class TimeFirst(Tagger):
    def forward(self, x):
        out = super().forward(x)
        return {key: value.transpose(0, 1) for key, value in out.items()}


class Trainer:
    def __init__(self, net):
        self.net = net

    def loss(self, x, y):
        logits = self.net(x)["logits"]
        return F.cross_entropy(logits.view(-1, logits.size(-1)), y.reshape(-1))  # ok: TL205


class TimeFirstTrainer(Trainer):
    net: TimeFirst

    def __init__(self):
        super().__init__(TimeFirst())

    def loss(self, x, y):
        out = self.net(x)
        rows = out["logits"].view(-1, 5)  # expect: TL205
        return F.cross_entropy(rows, y.t().reshape(-1))


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(3, 8, 6), torch.randint(0, 5, (3, 6))
    assert Trainer(Tagger()).loss(x, y) > 0
    for broken in (lambda: Trainer(QuickTagger()).loss(x, y), lambda: TimeFirstTrainer().loss(x, y)):
        try:
            broken()
            raise AssertionError("view merged dimensions that are apart")
        except RuntimeError as err:
            assert "view size is not compatible" in str(err)
