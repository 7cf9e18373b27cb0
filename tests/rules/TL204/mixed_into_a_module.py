"""A class that is no module is mixed into one: its methods work on the inputs of that module."""

import torch
from torch import nn


class Masks:
    def valid(self, lengths, width):
        places = torch.arange(width)  # expect: TL204
        return places[None] < lengths[:, None]

    def valid_there(self, lengths, width):
        places = torch.arange(width, device=lengths.device)  # ok: TL204
        return places[None] < lengths[:, None]

    def mean(self, x, lengths):
        kept = self.valid(lengths, x.shape[1]) & self.valid_there(lengths, x.shape[1])
        return (x * kept.unsqueeze(-1)).sum(1) / lengths[:, None]


class Pooling(Masks, nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.linear = nn.Linear(dim, dim)

    def forward(self, x, lengths):
        return self.mean(self.linear(x), lengths)


class Rows:
    """No module has it."""

    def valid(self, lengths, width):
        places = torch.arange(width)  # ok: TL204
        return places[None] < lengths[:, None]


class Table(Rows):
    def table(self, lengths):
        return self.valid(lengths, 5)


def demonstrate():
    x, lengths = torch.zeros(2, 5, 4, device="meta"), torch.ones(2, dtype=torch.long, device="meta")
    try:
        Pooling().to("meta")(x, lengths)
        raise AssertionError("the meta device takes a tensor of the CPU")
    except RuntimeError as error:
        assert "device" in str(error)
    assert Table().table(torch.tensor([2, 3])).shape == (2, 5)
