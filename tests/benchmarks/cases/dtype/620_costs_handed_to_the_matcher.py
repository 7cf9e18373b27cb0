"""A set-prediction loss matches queries and targets outside torch; the cost matrix reaches numpy while it still hangs on the graph.

source: matcher modules that lost their no_grad decorator; "Can't call numpy() on Tensor that requires grad" in DETR ports
rules: [TL306]
"""
import itertools

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def assign(cost):
    """Best assignment by enumeration (stands for the usual Hungarian routine)."""
    n, m = cost.shape
    best = min(itertools.permutations(range(n), m), key=lambda p: sum(cost[i, j] for j, i in enumerate(p)))
    return np.array(best), np.arange(m)


class Matcher(nn.Module):
    def forward(self, logits, boxes, classes, targets):
        cost = torch.cdist(boxes, targets, p=1) - logits.softmax(-1)[:, classes]
        return assign(cost.numpy())  # expect: TL306


class MatcherGuarded(Matcher):
    @torch.no_grad()
    def forward(self, logits, boxes, classes, targets):
        cost = torch.cdist(boxes, targets, p=1) - logits.softmax(-1)[:, classes]
        return assign(cost.cpu().numpy())  # ok: TL306


class MatcherDetached(Matcher):
    def forward(self, logits, boxes, classes, targets):
        logits, boxes = logits.detach(), boxes.detach()
        cost = torch.cdist(boxes, targets, p=1) - logits.softmax(-1)[:, classes]
        return assign(cost.cpu().numpy())  # ok: TL306


class SetLoss(nn.Module):
    def __init__(self, matcher):
        super().__init__()
        self.matcher = matcher

    def forward(self, logits, boxes, classes, targets):
        rows, cols = self.matcher(logits, boxes, classes, targets)
        rows, cols = torch.as_tensor(rows), torch.as_tensor(cols)
        return F.l1_loss(boxes[rows], targets[cols]) + F.cross_entropy(logits[rows], classes[cols])


class Detector(nn.Module):
    def __init__(self, queries=4, dim=8):
        super().__init__()
        self.q = nn.Parameter(torch.randn(queries, dim))
        self.cls, self.box = nn.Linear(dim, 3), nn.Linear(dim, 4)

    def forward(self):
        return self.cls(self.q), self.box(self.q).sigmoid()


def train_step(detector, criterion, classes, targets, device):
    detector.to(device)
    loss = criterion(*detector(), classes.to(device), targets.to(device))
    loss.backward()
    return loss.item()


def demonstrate():
    torch.manual_seed(0)
    classes, targets = torch.tensor([0, 2]), torch.rand(2, 4)
    try:
        train_step(Detector(), SetLoss(Matcher()), classes, targets, "cpu")
        raise AssertionError("array of a value that requires grad")
    except RuntimeError as err:
        assert "requires grad" in str(err), err
    for cls in (MatcherGuarded, MatcherDetached):
        assert train_step(Detector(), SetLoss(cls()), classes, targets, "cpu") > 0
