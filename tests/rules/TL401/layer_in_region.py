"""The cast feeds a layer: of torch, of a list of layers, or a callable that its name gives away."""
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.project = nn.Linear(dim, dim)

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def forward(self, x):
        return self.project(self.norm(x).float())  # expect: TL401

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def normalized(self, x):
        return self.norm(x.float())  # ok: TL401  a norm honours the cast

    def outside(self, x):
        return self.project(x.float())  # ok: TL401


@torch.autocast("cpu", dtype=torch.bfloat16)
def project(head, hidden):
    return head(hidden.to(torch.float32))  # expect: TL401


@torch.autocast("cpu", dtype=torch.bfloat16)
def lose(criterion, hidden, target):
    return criterion(hidden.float(), target)  # ok: TL401  nothing says that it is a product


def demonstrate():
    x = torch.rand(3, 4)
    head = Head()
    assert head(x).dtype == torch.bfloat16
    assert head.normalized(x).dtype == torch.float32
    assert project(head.project, x).dtype == torch.bfloat16
    assert lose(nn.MSELoss(), x.bfloat16(), x).dtype == torch.float32
