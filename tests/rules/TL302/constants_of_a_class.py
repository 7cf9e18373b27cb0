"""A number that the class itself holds is the one that its methods use."""
import torch
from torch import nn


class Scores(nn.Module):
    MASKED = -1e9
    LOW = -1e4

    def __init__(self, dim):
        super().__init__()
        self.layer = nn.Linear(dim, dim)

    def forward(self, x, mask):
        return self.layer(x).masked_fill(mask, self.MASKED)  # expect: TL302

    def assigned(self, x, mask):
        scores = self.layer(x)
        scores[mask] = self.MASKED  # expect: TL302
        return scores

    def within(self, x, mask):
        return self.layer(x).masked_fill(mask, self.LOW)  # ok: TL302


class Replaced(Scores):
    def __init__(self, dim, masked):
        super().__init__(dim)
        self.MASKED = masked

    def forward(self, x, mask):
        return self.layer(x).masked_fill(mask, self.MASKED)  # ok: TL302  the object has a value of its own


def build():
    return Scores(4).half(), Replaced(4, -1e4).half()


def demonstrate():
    x, mask = torch.ones(2, 4).half(), torch.ones(2, 4).bool()
    first, second = build()
    try:
        first(x, mask)
        raise AssertionError("-1e9 fitted into float16")
    except RuntimeError as error:
        assert "overflow" in str(error)
    assert first.assigned(x, mask).isinf().all() and first.within(x, mask).isfinite().all()
    assert second(x, mask).isfinite().all()
