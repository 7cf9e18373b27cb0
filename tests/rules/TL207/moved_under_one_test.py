"""Where CUDA is, a program moves network, inputs and what it makes to the same device: nothing is anywhere else."""
import torch
from torch import nn


class Ranking(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.score = nn.Linear(dim, dim)

    def forward(self, x):
        scores = self.score(x)
        mask = torch.eye(scores.size(0), scores.size(1)) > 0.5
        if torch.cuda.is_available():
            mask = mask.cuda()  # ok: TL207  so are the network and its inputs
        return scores.masked_fill(mask, 0.0)

    def doubled(self, x):
        factors = torch.ones(x.shape) * 2
        if torch.cuda.is_available():
            factors = factors.cuda()  # ok: TL207
        return self.score(x) * factors


class Pinned(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.score = nn.Linear(dim, dim)

    def forward(self, x):
        return self.score(x) * torch.ones(x.shape).cuda()  # expect: TL207  without CUDA it raises


class Trainer:
    def __init__(self):
        self.network = Ranking()
        if torch.cuda.is_available():
            self.network.cuda()

    def step(self, batch):
        if torch.cuda.is_available():
            batch = batch.float().cuda()
        return self.network(batch.to(torch.float32)).sum()


def demonstrate():
    trainer = Trainer()
    assert trainer.step(torch.rand(3, 3)).shape == ()
    if not torch.cuda.is_available():
        assert trainer.network.doubled(torch.rand(3, 3)).shape == (3, 3)
