"""Two values that a branch sets meet each other; what no mode leaves in place meets nothing, and a size is no tensor."""

import torch
from torch import nn


class Masks(nn.Module):
    def __init__(self, kind="sum", dim=4):
        super().__init__()
        if kind not in ("sum", "product"):
            raise ValueError(kind)
        self.kind = kind
        self.linear = nn.Linear(dim, dim)

    def forward(self, x, picture, mask):
        if isinstance(picture, torch.Tensor):
            mask = 1 - mask
            picture = picture.float()
        else:
            picture = torch.ones(2, 4) / len(picture)  # ok: TL204
            mask = torch.zeros(2, 4)  # ok: TL204  both lie on the CPU here
        return self.linear(x), picture * mask

    def one_of_them(self, x, picture, mask):
        if isinstance(picture, torch.Tensor):
            picture = self.linear(picture)
            mask = 1 - mask
        else:
            picture = torch.ones(2, 4)  # expect: TL204
            mask = self.linear(x)
        return picture * mask

    def before_the_test(self, x, picture):
        mask = self.linear(x)
        if isinstance(picture, list):
            picture = torch.ones(2, 4)  # expect: TL204
            if len(x) > 9:
                mask = torch.zeros(2, 4)  # ok: TL204
        return picture * mask

    def in_each_mode(self, x, y):
        joined = torch.tensor([0])  # ok: TL204  one of the two modes replaces it
        if self.kind == "sum":
            joined = self.linear(x) + y
        elif self.kind == "product":
            joined = self.linear(x) * y
        return joined.unsqueeze(0) * self.linear(x)

    def in_one_mode(self, x, y):
        scale = torch.tensor([2.0])  # expect: TL204
        if self.kind == "sum":
            scale = self.linear(x)
        return scale * self.linear(y)

    def table_in_each_mode(self, x, y):
        table = torch.ones(2, 4)  # expect: TL204
        if self.kind == "sum":
            table = self.linear(x)
        elif self.kind == "none":
            table = self.linear(y)
        return table * self.linear(y)


class Lengths(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.linear = nn.Linear(dim, dim)

    def forward(self, x, lengths):
        return masked(self.linear(x), lengths, lengths.max())

    def compared(self, x, lengths):
        rows = torch.arange(4).unsqueeze(0).expand(len(lengths), lengths.max())  # expect: TL204
        return self.linear(x) * (rows >= lengths.unsqueeze(-1))


def masked(x, lengths, longest):
    lengths = lengths.tolist()
    rows = torch.arange(0, int(longest)).unsqueeze(0).expand(len(lengths), longest)  # ok: TL204
    mask = rows >= rows.new(lengths).unsqueeze(-1)
    return x * mask.to(x.device)


def demonstrate():
    x, there = torch.zeros(2, 4), torch.zeros(2, 4, device="meta")
    module = Masks().to("meta")
    module(there, [1], None), module(there, there, there), module.in_each_mode(there, there)
    assert Lengths()(x, torch.tensor([4, 2])).shape == (2, 4)
    for call in (
        lambda: module.one_of_them(there, [], None),
        lambda: module.before_the_test(there, []),
        lambda: Masks("product").to("meta").in_one_mode(there, there),
        lambda: Masks("product").to("meta").table_in_each_mode(there, there),
    ):
        try:
            call()
            raise AssertionError("the meta device takes a tensor of the CPU")
        except RuntimeError as error:
            assert "device" in str(error)
