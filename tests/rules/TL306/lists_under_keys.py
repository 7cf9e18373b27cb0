"""Losses are kept in lists under the keys of a dict: numpy refuses those that autograd records, and no others."""
from collections import defaultdict

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


def local_history(model: nn.Module, batches):
    history = defaultdict(list)
    for x, y in batches:
        loss = F.mse_loss(model(x), y)
        loss.backward()
        history["loss"].append(loss)
        history["cut"].append(loss.detach())
        history["rows"].append(len(x))
    spread = np.std(history["cut"]) + np.std(history["rows"])  # ok: TL306
    return np.array([one.numpy() for one in history["loss"]]), spread  # expect: TL306


class Folds:
    def __init__(self, net: nn.Linear):
        self.net, self.book = net, {"error": [], "rows": []}

    def note(self, value, rows):
        self.book["error"].append(value)
        self.book.setdefault("rows", []).append(rows)

    def run(self, batches):
        for x, y in batches:
            self.note(self.score(x, y), len(x))
        return self.summary()

    def score(self, x, y):
        return F.mse_loss(self.net(x), y)

    def summary(self):
        return np.average(torch.stack(self.book["error"]).numpy(), weights=self.book["rows"])  # expect: TL306


class CutFolds(Folds):
    def note(self, value, rows):
        super().note(value.detach(), rows)

    def summary(self):
        return np.average(torch.stack(self.book["error"]).numpy(), weights=self.book["rows"])  # ok: TL306


class QuietFolds(Folds):
    @torch.no_grad()
    def score(self, x, y):
        return super().score(x, y)

    def summary(self):
        return torch.stack(self.book["error"]).numpy()  # ok: TL306


def replaced(model: nn.Module, x):
    results = {"out": model(x), "rows": len(x)}
    results["out"] = results["out"].detach()
    return results["out"].numpy()  # ok: TL306  another value takes its place


def demonstrate():
    batches = [(torch.ones(2, 3), torch.ones(2, 1))] * 2
    for run in (Folds(nn.Linear(3, 1)).run, lambda given: local_history(nn.Linear(3, 1), given)):
        try:
            run(batches)
            raise AssertionError("numpy took what autograd records")
        except RuntimeError as error:
            assert "requires grad" in str(error)
    CutFolds(nn.Linear(3, 1)).run(batches), QuietFolds(nn.Linear(3, 1)).run(batches)
    replaced(nn.Linear(3, 1), torch.ones(2, 3))
