"""A pair classifier changed its single output for two columns; its labels are still the floats of the old binary loss.

source: forum and issue reports "expected scalar type Long but found Float" after a move from BCE to cross entropy
rules: [TL201]
"""
import torch
import torch.nn.functional as F
from torch import nn


def labels_from_scores(scores, threshold=0.5):
    return (scores > threshold).float()  # expect: TL201


def labels_for_bce(scores, threshold=0.5):
    return (scores > threshold).float()  # ok: TL201


class PairModel(nn.Module):
    def __init__(self, dim=6, columns=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2 * dim, 8), nn.ReLU(), nn.Linear(8, columns))

    def forward(self, a, b):
        return self.body(torch.cat([a, b], dim=1))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()

    def loss(self, a, b, scores):
        return self.criterion(self.model(a, b), labels_from_scores(scores))  # use: TL201


class BinaryTrainer:
    def __init__(self, model):
        self.model = model
        self.criterion = nn.BCEWithLogitsLoss()

    def loss(self, a, b, scores):
        return self.criterion(self.model(a, b).squeeze(1), labels_for_bce(scores))  # ok: TL201


class SoftTrainer(BinaryTrainer):
    """Both columns get a probability: floating targets of the logits' shape are right."""

    def loss(self, a, b, scores):
        return F.cross_entropy(self.model(a, b), torch.stack([1 - scores, scores], dim=1))  # ok: TL201


class IdTrainer(BinaryTrainer):
    def loss(self, a, b, scores):
        return F.cross_entropy(self.model(a, b), labels_for_bce(scores).long())  # ok: TL201


def demonstrate():
    torch.manual_seed(0)
    a, b, s = torch.randn(4, 6), torch.randn(4, 6), torch.rand(4)
    try:
        Trainer(PairModel()).loss(a, b, s)
        raise AssertionError("floating class numbers accepted")
    except RuntimeError as err:
        assert "scalar type" in str(err) or "Long" in str(err), err
    BinaryTrainer(PairModel(columns=1)).loss(a, b, s).backward()
    SoftTrainer(PairModel()).loss(a, b, s).backward()
    IdTrainer(PairModel()).loss(a, b, s).backward()
