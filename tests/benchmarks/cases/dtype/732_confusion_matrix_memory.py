"""A confusion matrix is allocated with torch.Tensor(k, k) and only added to; class priors are built with the device argument that the old constructor refuses.

source: none in particular; common in evaluation scripts
rules: [TL202]
"""
import torch
from torch import nn


def confusion_matrix(pred, target, k):
    table = torch.Tensor(k, k)  # expect: TL202
    for p, t in zip(pred.tolist(), target.tolist()):
        table[t, p] += 1
    return table


def class_priors(counts, device):
    prior = torch.Tensor([c / sum(counts) for c in counts], device=device)  # expect: TL202
    return prior.log()


def confusion_matrix_fixed(pred, target, k):
    table = torch.zeros(k, k, dtype=torch.long)
    table.index_put_((target, pred), torch.ones_like(pred), accumulate=True)
    return table


def class_priors_fixed(counts, device):
    return torch.tensor([c / sum(counts) for c in counts], device=device).log()  # ok: TL202


def collect_scores(model, batches, width):
    rows = torch.Tensor(len(batches), width)  # ok: TL202
    for i, batch in enumerate(batches):
        rows[i] = model(batch).detach().mean(0)
    return rows


def is_dense(value) -> bool:
    return isinstance(value, torch.Tensor) and value.layout is torch.strided  # ok: TL202


class Prototypes(nn.Module):
    def __init__(self, k, dim):
        super().__init__()
        self.centers = nn.Parameter(torch.Tensor(k, dim))  # ok: TL202
        nn.init.normal_(self.centers, std=0.02)

    def forward(self, x):
        return x @ self.centers.t()


def demonstrate():
    torch.manual_seed(0)
    pred, target = torch.tensor([0, 1, 1, 2]), torch.tensor([0, 1, 2, 2])
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)  # fills fresh memory with NaN, which makes it visible
    try:
        bad = confusion_matrix(pred, target, 3)
        good = confusion_matrix_fixed(pred, target, 3)
        rows = collect_scores(nn.Linear(2, 3), [torch.randn(4, 2), torch.randn(4, 2)], 3)
        protos = Prototypes(3, 2)
    finally:
        torch.use_deterministic_algorithms(before)
    assert bad.isnan().all()
    assert good.sum() == 4 and good[2, 1] == 1
    assert torch.isfinite(rows).all() and torch.isfinite(protos(torch.randn(2, 2))).all()
    try:
        class_priors([3, 1], "meta")
        raise AssertionError("the old constructor took a device")
    except RuntimeError as err:
        assert "legacy constructor" in str(err)
    assert abs(class_priors_fixed([3, 1], "cpu").exp().sum().item() - 1) < 1e-6
    assert is_dense(rows)
