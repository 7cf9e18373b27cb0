"""A class that is mixed into a module pins a tensor, two calls below forward, beside a list that the module fills."""
import torch
from torch import nn


class Padding:
    def filler(self, like):
        return torch.zeros(like.size(0), 1).cuda()  # expect: TL207

    def joined(self, columns, like):
        return torch.cat([self.filler(like), *columns], dim=1)

    def padded(self, x):
        columns = []
        for column in x.unbind(1):
            columns.append(torch.tanh(column)[:, None])
        return self.joined(columns, x)


class Padded(Padding, nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.padded(self.layer(x))


class PaddedLike(Padded):
    def filler(self, like):
        return torch.zeros(like.size(0), 1).to(like.device)  # ok: TL207


class Pages(Padding):
    """No module: a script that has all its data there."""

    def filler(self, like):
        return torch.zeros(like.size(0), 1).cuda()  # ok: TL207


def demonstrate():
    x = torch.rand(3, 2)
    assert PaddedLike()(x).shape == (3, 3)
    if not torch.cuda.is_available():
        try:
            Padded()(x)
            raise AssertionError("there is no such device")
        except (AssertionError, RuntimeError) as error:
            assert "no such" not in str(error)
