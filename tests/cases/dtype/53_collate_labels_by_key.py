"""A collate function turns every list of numbers into torch.Tensor; the class ids reach cross_entropy through a Batch object.

source: INK-USC/RE-Net#29 (batch was not a LongTensor), "expected scalar type Long" reports
rules: [TL201]
"""
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Batch(NamedTuple):
    feats: torch.Tensor
    label: torch.Tensor
    weight: torch.Tensor


def collate(samples):
    feats = torch.stack([s["feats"] for s in samples])
    label = torch.Tensor([int(s["label"]) for s in samples])  # expect: TL201
    weight = torch.tensor([s["weight"] for s in samples], dtype=torch.float32)
    return Batch(feats, label, weight)


def collate_soft(samples, classes=3, eps=0.1):
    """Class probabilities are floating and right."""
    feats = torch.stack([s["feats"] for s in samples])
    soft = torch.full((len(samples), classes), eps / classes)  # ok: TL201
    for row, s in enumerate(samples):
        soft[row, s["label"]] += 1 - eps  # ok: TL201
    return Batch(feats, soft, torch.ones(len(samples)))


def collate_regression(samples):
    feats = torch.stack([s["feats"] for s in samples])
    value = torch.tensor([s["weight"] for s in samples], dtype=torch.float32)  # ok: TL201
    return Batch(feats, value, torch.ones_like(value))


class Task:
    def __init__(self, model, gather):
        self.model, self.gather = model, gather

    def step(self, samples):
        batch = self.gather(samples)
        return self.score(self.model(batch.feats), batch)

    def score(self, out, batch):
        raise NotImplementedError


class Hard(Task):
    def __init__(self, model):
        super().__init__(model, collate)

    def step(self, samples):
        batch = collate(samples)
        out = self.model(batch.feats)
        each = F.cross_entropy(out, batch.label, reduction="none")  # use: TL201
        return (each * batch.weight).mean()


class Soft(Task):
    def step(self, samples):
        batch = collate_soft(samples)
        return F.cross_entropy(self.model(batch.feats), batch.label)  # ok: TL201


class Regress(Task):
    def step(self, samples):
        batch = collate_regression(samples)
        return F.mse_loss(self.model(batch.feats)[:, 0], batch.label)


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    samples = [{"feats": torch.randn(4), "label": k, "weight": 1.0} for k in range(3)]
    try:
        Hard(model).step(samples)
        raise AssertionError("floating class ids accepted")
    except RuntimeError as err:
        assert "Long" in str(err) or "floating" in str(err) or "Float" in str(err), err
    for cls, gather in ((Soft, collate_soft), (Regress, collate_regression)):
        assert torch.isfinite(cls(model, gather).step(samples))
