"""Tensors out of order that are taken from a dict, a list, a record or an attribute of the object."""

from typing import NamedTuple

import torch
from torch import nn


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


def parts_of(x):
    batch, channels, length = x.shape
    return {"turned": x.transpose(1, 2), "plain": x}


def first_of(parts):
    return parts["turned"].view(parts["turned"].size(0), -1)  # expect: TL205


def second_of(parts):
    return parts["plain"].view(parts["plain"].size(0), -1)  # ok: TL205


def by_key(x):
    parts = parts_of(x)
    return first_of(parts) + second_of(parts)


def written_by_key(x):
    batch, channels, length = x.shape
    parts = {}
    parts["turned"] = x.transpose(1, 2)
    parts["plain"] = x * 2
    whole = parts["plain"].view(batch, -1)  # ok: TL205
    return whole + parts["turned"].view(batch, -1)  # expect: TL205


def pair_of(x):
    batch, channels, length = x.shape
    return Pair(x.transpose(1, 2), right=x)


def by_field(x):
    pair = pair_of(x)
    right = pair.right.view(pair.right.size(0), -1)  # ok: TL205
    return right + pair.left.view(pair.left.size(0), -1)  # expect: TL205


def appended(images):
    levels = []
    for image in images:
        levels.append(image.permute(0, 2, 3, 1))
    return torch.cat([level.view(level.size(0), -1) for level in levels], 1)  # expect: TL205


def appended_copies(images):
    levels = []
    for image in images:
        levels.append(image.permute(0, 2, 3, 1).contiguous())
    return torch.cat([level.view(level.size(0), -1) for level in levels], 1)  # ok: TL205


def mapped(query, key):
    query, key = map(lambda x: x.view(2, 3, 2, 2).transpose(1, 2), (query, key))
    scores = query @ key.transpose(-1, -2)
    return scores.view(4, -1), query.view(2, 2, 6), key.view(2, 12)  # expect: TL205


class Keeps(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        batch, length, width = x.shape
        self.states = self.linear(x).transpose(0, 1)
        self.copies = self.states.contiguous()
        return self.flat() + self.flat_copies()

    def flat(self):
        return self.states.view(-1, 4)  # expect: TL205

    def flat_copies(self):
        return self.copies.view(-1, 4)  # ok: TL205


def demonstrate():
    x, image = torch.rand(2, 3, 4), torch.rand(2, 3, 4, 5)
    refused = [
        lambda: first_of(parts_of(x)),
        lambda: written_by_key(x),
        lambda: by_field(x),
        lambda: appended([image]),
        lambda: mapped(x, x),
        lambda: Keeps()(x),
    ]
    for call in refused:
        try:
            call()
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    second_of(parts_of(x)), appended_copies([image])
