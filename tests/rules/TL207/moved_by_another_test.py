"""A program that lets its user choose the device may be on the CPU where CUDA is; the pinned mask is not."""
import torch
import torch.nn.functional as F
from torch import nn


class Ranking(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.score = nn.Linear(dim, dim)

    def forward(self, x):
        scores = self.score(x)
        mask = torch.eye(scores.size(0), scores.size(1)) > 0.5
        if torch.cuda.is_available():
            mask = mask.cuda()  # expect: TL207
        return scores.masked_fill(mask, 0.0)

    def doubled(self, x):
        factors = torch.ones(x.shape, device=x.device) * 2  # ok: TL207
        return self.score(x) * factors


def apart(anchor, other, judge):
    zero = torch.zeros(anchor.size(0), 3)
    if torch.cuda.is_available():
        zero = zero.cuda()  # note: TL207
    return torch.max(F.pairwise_distance(anchor, other)[:, None] + judge(anchor), zero)


def apart_there(anchor, other, judge):
    zero = torch.zeros(anchor.size(0), 3, device=anchor.device)  # ok: TL207
    return torch.max(F.pairwise_distance(anchor, other)[:, None] + judge(anchor), zero)


class Trainer:
    def __init__(self, device="cpu"):
        self.network = Ranking().to(device)
        self.device = device
        if torch.cuda.is_available() and device == "cuda":
            self.network.cuda()

    def step(self, batch):
        return self.network(batch.to(self.device)).sum()


def demonstrate():
    trainer, x = Trainer(), torch.rand(2, 3)
    assert apart_there(x, x, nn.Linear(3, 1)).shape == (2, 3)
    if not torch.cuda.is_available():
        assert trainer.step(torch.rand(3, 3)).shape == ()
    assert trainer.network.doubled(torch.rand(3, 3)).shape == (3, 3)
