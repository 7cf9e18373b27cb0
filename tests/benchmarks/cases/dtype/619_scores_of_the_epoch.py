"""A training epoch appends probabilities for the score of the epoch: moved to the host, turned into arrays, never cut from the graph.

source: JDAI-CV/fast-reid#509 and many "Can't call numpy() on Tensor that requires grad" reports in train loops with sklearn scores
rules: [TL306]
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def accuracy(truth, prob):
    return float((prob.argmax(1) == truth).mean())


class Epoch:
    def __init__(self, model, device="cpu"):
        self.model, self.device = model.to(device), device
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def collect(self, truths, probs, y, prob):
        truths.append(y.cpu().numpy())  # ok: TL306
        probs.append(prob.cpu().numpy())  # expect: TL306

    def run(self, loader):
        truths, probs = [], []
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            logits = self.model(x)
            loss = F.cross_entropy(logits, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.collect(truths, probs, y, logits.softmax(1))
        return accuracy(np.concatenate(truths), np.concatenate(probs))


class EpochDetached(Epoch):
    def collect(self, truths, probs, y, prob):
        truths.append(y.cpu().numpy())  # ok: TL306
        probs.append(prob.detach().cpu().numpy())  # ok: TL306


class EpochGuarded(Epoch):
    @torch.no_grad()
    def collect(self, truths, probs, y, prob):
        prob = prob.data
        truths.append(y.cpu().numpy())  # ok: TL306
        probs.append(prob.cpu().numpy())  # ok: TL306


class EpochClasses(Epoch):
    """Class numbers carry no graph."""

    def run(self, loader):
        hits = []
        for x, y in loader:
            logits = self.model(x.to(self.device))
            F.cross_entropy(logits, y.to(self.device)).backward()
            hits.append((logits.argmax(1).cpu().numpy() == y.numpy()).mean())  # ok: TL306
        return float(np.mean(hits))


def demonstrate():
    torch.manual_seed(0)
    loader = [(torch.randn(4, 3), torch.randint(0, 2, (4,))) for _ in range(2)]
    try:
        Epoch(nn.Linear(3, 2)).run(loader)
        raise AssertionError("array of a value that requires grad")
    except RuntimeError as err:
        assert "requires grad" in str(err), err
    for cls in (EpochDetached, EpochGuarded, EpochClasses):
        assert 0 <= cls(nn.Linear(3, 2)).run(loader) <= 1
