"""Masked pre-training keeps a random part of the patches; the kept numbers come from random.sample through the legacy constructor.

source: masked-image code with a hand-written sampler; "tensors used as indices must be long" (uber-research/PyTorch-NEAT#3 kind)
rules: [TL201]
"""
import random

import numpy as np
import torch
from torch import nn


def choose(total: int, share: float) -> tuple[list[int], list[int]]:
    order = random.sample(range(total), total)
    cut = int(total * share)
    return sorted(order[:cut]), sorted(order[cut:])


class Masker(nn.Module):
    def __init__(self, patches: int = 8, dim: int = 4, share: float = 0.25):
        super().__init__()
        self.share = share
        self.pos = nn.Parameter(torch.randn(patches, dim))
        self.blank = nn.Parameter(torch.zeros(dim))
        self.encode = nn.Linear(dim, dim)

    def split(self, total):
        raise NotImplementedError

    def forward(self, x):
        seen, hidden = self.split(x.shape[1])
        tokens = self.encode((x + self.pos)[:, seen])  # use: TL201
        full = self.blank + self.pos.repeat(x.shape[0], 1, 1)
        full[:, seen] = tokens  # use: TL201
        return full, hidden


class SampledMasker(Masker):
    def split(self, total):
        seen, hidden = choose(total, self.share)
        return torch.Tensor(seen), torch.Tensor(hidden)  # expect: TL201


class PermutedMasker(Masker):
    """The permutation is numpy's; FloatTensor makes numbers of it that cannot be used as places."""

    def split(self, total):
        order = torch.FloatTensor(np.random.permutation(total))  # expect: TL201
        cut = int(total * self.share)
        return order[:cut], order[cut:]


class LongMasker(Masker):
    def split(self, total):
        seen, hidden = choose(total, self.share)
        place = {"dtype": torch.long, "device": self.pos.device}
        return torch.tensor(seen, **place), torch.tensor(hidden, **place)  # ok: TL201


class RandpermMasker(Masker):
    def split(self, total):
        order = torch.randperm(total, device=self.pos.device)  # ok: TL201
        cut = round(total * self.share)
        return order[:cut], order[cut:]


class NoiseMasker(Masker):
    """Sorts noise: the noise is floating, its order is not."""

    def split(self, total):
        order = torch.rand(total).argsort()  # ok: TL201
        return order.tensor_split([int(total * self.share)])


def demonstrate():
    x = torch.randn(2, 8, 4)
    for cls, works in (
        (SampledMasker, False), (PermutedMasker, False), (LongMasker, True), (RandpermMasker, True), (NoiseMasker, True),
    ):
        try:
            full, hidden = cls()(x)
            assert full.shape == x.shape and len(hidden) == 6
            ok = True
        except IndexError as err:
            assert "tensors used as indices" in str(err), err
            ok = False
        assert ok is works, cls
