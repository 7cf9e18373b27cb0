"""An integer cast has no gradient; indices, class numbers, masks and floating casts are harmless."""
import torch
from torch import nn
from torch.nn import functional as F


class DepthLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 1)

    def forward(self, x, target):
        depth = self.head(x).squeeze(-1)
        bins = (depth * 10).int()  # expect: TL305
        return F.l1_loss(bins / 10, target) + depth.pow(2).mean()


def count_loss(model, x, total):
    out = model(x)
    return (out.type(torch.int64).sum() - total).abs().float() + out.mean()  # expect: TL305


def one_step(model, x, y):
    out = model(x)
    rounded = out.round().to(torch.long)  # expect: TL305
    loss = (rounded - y).pow(2).float().mean() + 0.1 * out.pow(2).mean()
    loss.backward()


def as_index(model, table, x, y):
    out = model(x)
    rows = out[:, 0].abs().long().clamp(max=1)  # ok: TL305
    loss = F.mse_loss(table[rows], y) + out.mean()
    loss.backward()


def as_class(model, teacher, x):
    label = teacher(x).sigmoid()[:, 0].round().long()  # ok: TL305
    F.cross_entropy(model(x), label).backward()


def fraction(model, x, y):
    where = model(x)
    low = where.floor().long()  # ok: TL305  the value itself stands beside it
    weight = where - low.float()
    F.mse_loss(weight, y).backward()


def as_mask(model, x, y):
    out = model(x)
    keep = (out.detach() > 0).long()  # ok: TL305
    ((out - y).pow(2) * keep).mean().backward()


def measured(model, x, y):
    out = model(x)
    hits = (out.long() == y.long()).float().mean()  # ok: TL305
    loss = F.mse_loss(out, y)
    loss.backward()
    return hits


def wider(model, x, y):
    out = model(x).double()  # ok: TL305
    F.mse_loss(out.to(torch.bfloat16).float(), y).backward()


@torch.no_grad()
def evaluation_loss(model, x, y):
    return (model(x).long() - y).abs().float().mean()  # ok: TL305


def demonstrate():
    torch.manual_seed(0)
    x, y, one = torch.randn(3, 2), torch.randn(3, 2), DepthLoss()
    total = one(x, torch.zeros(3))
    total.backward()
    alone = DepthLoss()
    alone.load_state_dict(one.state_dict())
    alone.head(x).pow(2).mean().backward()
    assert torch.equal(one.head.weight.grad, alone.head.weight.grad)
    assert count_loss(nn.Linear(2, 2), x, 1).requires_grad
    for run in (one_step, as_mask, measured, wider, fraction):
        run(nn.Linear(2, 2), x, y)
    as_index(nn.Linear(2, 2), torch.zeros(2, 2), x, y), as_class(nn.Linear(2, 2), nn.Linear(2, 2), x)
    evaluation_loss(nn.Linear(2, 2), x, y)
