"""The training function opens the region, and its caller says which model runs there."""
import contextlib

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k = q.float(), k.float()  # expect: TL403
        weights = (q @ k.transpose(-1, -2)).softmax(-1)
        return weights.to(v.dtype) @ v


class Encoder(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.attention = Attention(dim)

    def forward(self, x):
        return self.attention(x)


class Teacher(nn.Module):
    def forward(self, x):
        return x.float() @ x.float().t()  # ok: TL403  it runs outside


class Contrastive(nn.Module):
    def forward(self, a, b):
        return (a.float() @ b.float().t()).diagonal().sum()  # expect: TL403


class Trainer:
    def __init__(self, model, criterion, amp=True):
        self.model, self.criterion = model, criterion
        self.context = torch.autocast if amp else contextlib.nullcontext

    def step(self, x):
        with self.context("cpu"):
            output = self.model(x)
            return self.criterion(output, output)


def train_one_epoch(model, teacher, loader, amp: bool = True):
    for x in loader:
        target = teacher(x)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=amp):
            output = model(x)
        yield output, target


def main():
    model = Encoder()
    list(train_one_epoch(model, Teacher(), [torch.rand(2, 4)]))
    return Trainer(model, Contrastive()).step(torch.rand(2, 4))


def demonstrate():
    x = torch.rand(2, 4)
    ((output, target),) = train_one_epoch(Encoder(), Teacher(), [x])
    assert output.dtype == torch.bfloat16 and target.dtype == torch.float32
    assert main().dtype == torch.bfloat16
