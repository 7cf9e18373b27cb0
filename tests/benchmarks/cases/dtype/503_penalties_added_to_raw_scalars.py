"""Weight penalties are added onto a one-element FloatTensor: its memory was never cleared, so the loss starts anywhere.

source: kevinzakka/pytorch-goodies#8 (FloatTensor(1) as the start of a sum), pytorch/tutorials#41 (what the memory holds)
rules: [TL202]
"""
import torch
from torch import nn


def kernels(model):
    return [p for n, p in model.named_parameters() if n.endswith("weight") and p.dim() > 1]


def orthogonality(model, strength=1e-4):
    total = torch.FloatTensor(1)  # expect: TL202
    for w in kernels(model):
        w = w.flatten(1)
        gram = w @ w.t() - torch.eye(len(w), device=w.device)
        total = total + strength * gram.abs().sum()
    return total


def largest_row(model):
    most = torch.Tensor(1)  # expect: TL202
    for w in kernels(model):
        most = torch.maximum(most, w.flatten(1).norm(dim=1).max())
    return most


def orthogonality_fixed(model, strength=1e-4):
    total = torch.zeros(1)  # ok: TL202
    for w in kernels(model):
        w = w.flatten(1)
        gram = w @ w.t() - torch.eye(len(w), device=w.device)
        total = total + strength * gram.abs().sum()
    return total


def orthogonality_cleared(model, strength=1e-4):
    total = torch.FloatTensor(1).zero_()  # ok: TL202
    for w in kernels(model):
        gram = w.flatten(1) @ w.flatten(1).t()
        total += strength * (gram - gram.diag().diag()).abs().sum()
    return total


def norms(model):
    """Every place is written before anything is read."""
    found = kernels(model)
    out = torch.Tensor(len(found))  # ok: TL202
    for i, w in enumerate(found):
        out[i] = w.detach().norm()
    return out.sum()


class Trainer:
    def __init__(self, model, penalty):
        self.model, self.penalty = model, penalty
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def step(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y) + self.penalty(self.model)
        loss.backward()
        self.opt.step()
        return loss.detach()


def demonstrate():
    model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)  # raw memory is filled with NaN, so that it can be seen
    try:
        for rule, clean in (
            (orthogonality, False), (largest_row, False), (orthogonality_fixed, True), (orthogonality_cleared, True),
            (norms, True),
        ):
            loss = Trainer(model, rule).step(torch.randn(2, 4), torch.randn(2, 2))
            assert bool(loss.isfinite().all()) is clean, rule
            model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    finally:
        torch.use_deterministic_algorithms(before)
