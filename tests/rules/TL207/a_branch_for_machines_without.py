"""Where a machine without CUDA has a branch of its own, the pinned tensors of the other branch meet what lies there."""

import torch
from torch import nn

has_cuda = torch.cuda.is_available()


class Focal(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.score = nn.Linear(dim, dim)

    def forward(self, x):
        scores = self.score(x).sigmoid()
        if torch.cuda.is_available():
            shares = torch.ones(scores.shape).cuda()  # ok: TL207  the other branch does without
            return (1.0 - shares) * scores
        shares = torch.ones(scores.shape)  # expect: TL204
        return (1.0 - shares) * scores

    def by_a_flag(self, x):
        if has_cuda:
            shifts = torch.ones(x.shape).cuda()  # ok: TL207  the same
            moved = self.score(x) + shifts
        else:
            moved = self.score(x) + torch.ones_like(x)
        return moved

    def pinned_before(self, x):
        shares = torch.ones(x.shape)
        if torch.cuda.is_available():
            shares = shares.cuda()  # expect: TL207
        else:
            x = x * 1.0
        return self.score(x) * shares

    def without_another(self, x):
        scores = self.score(x)
        if torch.cuda.is_available():
            scores = scores * torch.ones(x.shape).cuda()  # expect: TL207
        return scores


def demonstrate():
    focal, x = Focal(), torch.rand(2, 3)
    if not has_cuda:
        assert focal(x).shape == focal.by_a_flag(x).shape == focal.pinned_before(x).shape == (2, 3)
        assert focal.without_another(x).shape == (2, 3)
