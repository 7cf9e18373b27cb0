"""Keyword, position, a dict of keywords, a helper, a nested function; a tensor that lends its own is no such thing."""

import torch
from torch import nn


def mask(length, place):
    return torch.ones(length, device=place)


class Ways(nn.Module):
    def __init__(self, like, where="cpu", precision=torch.float32):
        super().__init__()
        self.where = where  # note: TL119
        self.place = where  # note: TL119
        self.second_device = where  # note: TL119
        self.precision = precision  # note: TL119
        self.like = nn.Parameter(like)  # ok: TL119  a tensor of the module, which moves
        self.size = 3  # ok: TL119

    def forward(self, x):
        options = {"device": self.where}

        def zeros():
            return torch.zeros(self.size, device=torch.device(self.second_device))

        return (
            x.type(self.precision)
            + mask(self.size, self.place)
            + torch.ones(self.size, **options)
            + zeros().to(self.like)
        )


def demonstrate():
    Ways(torch.ones(3))(torch.ones(2, 3))
