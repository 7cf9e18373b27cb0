"""Counts that come from outside are made integers: nobody has ever had a gradient through them."""
import torch
from torch import nn


class MeanLoss(nn.Module):
    def forward(self, out, want, lengths):
        lengths = lengths.long()  # ok: TL305  the caller counts
        return (out - want).square().sum() / lengths.sum()


def duration_loss(out, spans):
    steps = (spans * 10).floor().to(torch.int64)  # ok: TL305
    return (steps * out).mean()


def level_loss(out, want):
    levels = (out * 10).to(torch.uint8)  # expect: TL305  taken for floating again: once it was
    return (levels.float() - want).abs().mean()


def step_loss(out, want):
    steps = (out * 10).to(torch.uint8)  # expect: TL305
    return (steps.to(torch.float32) - want).abs().mean()


def label_loss(out, chosen, maps):
    marks = torch.zeros_like(out, dtype=torch.long)
    marks[chosen] = maps[chosen].to(torch.long)  # ok: TL305  a label, though the loss takes it as a float
    return (out - marks.float()).square().mean()


def score_loss(scores, want):
    kept = torch.sigmoid(scores).round().long()  # expect: TL305
    return 1 - (kept * want).sum() / want.sum()


class Lasting(nn.Module):
    def __init__(self):
        super().__init__()
        self.length = nn.Linear(3, 1)

    def durations(self, x):
        return self.length(x).exp().round().long()  # expect: TL305

    def loss(self, x, want):
        return (self.durations(x) - want).abs().float().mean()


def train(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, want in batches:
        optimizer.zero_grad()
        model.loss(x, want).backward()
        optimizer.step()


def demonstrate():
    lengths = torch.tensor([1.0, 2.0])
    out = torch.rand(2, 3, requires_grad=True)
    (MeanLoss()(out, torch.zeros(2, 3), lengths) + duration_loss(out, torch.ones(3))).backward()
    assert out.grad is not None and not lengths.requires_grad
    label_loss(out, torch.tensor([0]), torch.ones(2, 3)).backward()
    assert not step_loss(out, torch.ones(3)).requires_grad
    assert not level_loss(out, torch.ones(3)).requires_grad
    assert not score_loss(out, torch.ones(3)).requires_grad
    assert not Lasting().loss(torch.rand(2, 3), torch.ones(2, 1)).requires_grad
