"""A flag that only asks whether the machine has CUDA says nothing of where the inputs lie."""
import torch
import torch.nn.functional as F
from torch import nn

has_cuda = torch.cuda.is_available()
wants_cuda = False


class Drawn(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.mean = nn.Linear(dim, dim)

    def forward(self, x):
        noise = torch.randn(x.shape)
        if has_cuda:
            noise = noise.cuda()  # expect: TL207
        return self.mean(x) + noise


class Wanted(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.mean = nn.Linear(dim, dim)

    def forward(self, x):
        noise = torch.randn(x.shape)
        if wants_cuda:
            noise = noise.cuda()  # ok: TL207  a choice of the program
        return self.mean(x) + noise


def apart(anchor, other, judge):
    zero = torch.zeros(anchor.size(0), 3).cuda()  # note: TL207
    return torch.max(F.pairwise_distance(anchor, other)[:, None] + judge(anchor), zero)


def apart_there(anchor, other, judge):
    zero = torch.zeros(anchor.size(0), 3, device=anchor.device)  # ok: TL207
    return torch.max(F.pairwise_distance(anchor, other)[:, None] + judge(anchor), zero)


def demonstrate():
    x, judge = torch.rand(2, 3), nn.Linear(3, 1)
    assert apart_there(x, x, judge).shape == Wanted()(x).shape == (2, 3)
