"""Positions that take the dtype of a table of the module have a fraction: the code is written for any dtype."""
import torch
from torch import nn


class Decayed(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Linear(dim, dim)
        self.register_buffer("rate", torch.ones(1))

    def forward(self, x, outside):
        scores = self.query(x) @ x.transpose(1, 2)
        scores = scores - torch.arange(x.shape[1]).type_as(self.rate) * self.rate
        return scores.masked_fill(outside, -1e18).softmax(-1)  # expect: TL302

    def in_range(self, x, outside):
        return self.query(x).masked_fill(outside, -1e4).softmax(-1)  # ok: TL302


def demonstrate():
    net, x = Decayed(3).half(), torch.ones(1, 2, 3).half()
    assert torch.arange(2).type_as(net.rate).dtype is torch.float16
    try:
        net(x, torch.tensor([[[False, True]]]))
        raise AssertionError("half held the number")
    except RuntimeError as error:
        assert "overflow" in str(error)
    assert net.in_range(x, torch.tensor([[[False, True, False]]])).isfinite().all()
