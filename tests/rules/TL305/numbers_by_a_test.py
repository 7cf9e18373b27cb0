"""A loss is made a row for DataParallel to gather: where a test says that it is a number there was no graph."""
import torch
from torch import nn
from torch.nn import functional as F


def as_row(value, device):
    if isinstance(value, torch.Tensor):
        return value[None].to(device)
    if isinstance(value, float):
        return torch.tensor([value], device=device)  # ok: TL305  a float has no graph
    return torch.tensor([value, 0.0], device=device)[:1]  # ok: TL305  the first test was for tensors


def as_new_row(value, device):
    if isinstance(value, float | torch.Tensor):
        return torch.tensor([value], device=device)  # expect: TL305
    return value


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 1)

    def forward(self, x, want):
        loss = F.mse_loss(self.head(x), want)
        return as_row(loss, x.device)


class NewRow(Model):
    def forward(self, x, want):
        loss = F.mse_loss(self.head(x), want)
        return as_new_row(loss, x.device)


def train(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, want in batches:
        optimizer.zero_grad()
        model(x, want).mean().backward()
        optimizer.step()


def demonstrate():
    x, want = torch.rand(2, 3), torch.rand(2, 1)
    assert Model()(x, want).requires_grad and not NewRow()(x, want).requires_grad
