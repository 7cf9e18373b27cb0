"""A precision policy checks itself: computing must not be wider than storing. Its dtypes are compared as if they had an order.

source: precision policies of training frameworks; pytorch/pytorch#26655 kind ("'>' not supported between instances of 'torch.dtype'")
rules: [TL206]
"""
from dataclasses import dataclass
from functools import reduce

import torch

NAMES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}


@dataclass
class Policy:
    store: torch.dtype = torch.float32
    compute: torch.dtype = torch.float32
    reply: torch.dtype = torch.float32

    def __post_init__(self):
        if self.compute > self.store:  # expect: TL206
            raise ValueError("computing is wider than storing")

    @classmethod
    def parse(cls, text):
        pairs = (item.split("=") for item in text.split(","))
        return cls(**{key: NAMES[value] for key, value in pairs})


@dataclass
class SizedPolicy(Policy):
    def __post_init__(self):
        if self.compute.itemsize > self.store.itemsize:  # ok: TL206
            raise ValueError("computing is wider than storing")

    def same(self):
        return self.store == self.compute == self.reply  # ok: TL206


class Joiner:
    """Concatenates parts of several models."""

    def common(self, tensors):
        kinds = [t.dtype for t in tensors]
        return reduce(lambda a, b: a if a >= b else b, kinds)  # expect: TL206

    def join(self, tensors):
        kind = self.common(tensors)
        return torch.cat([t.to(kind) for t in tensors])


class PromotingJoiner(Joiner):
    def common(self, tensors):
        return reduce(torch.promote_types, [t.dtype for t in tensors])  # ok: TL206


class RankedJoiner(Joiner):
    rank = {torch.float16: 0, torch.bfloat16: 1, torch.float32: 2}

    def common(self, tensors):
        return max((t.dtype for t in tensors), key=self.rank.__getitem__)  # ok: TL206


class FirstJoiner(Joiner):
    def common(self, tensors):
        a, b = tensors[0].dtype, tensors[-1].dtype
        return a if self.width(a) >= self.width(b) else b  # ok: TL206

    @staticmethod
    def width(kind):
        return torch.finfo(kind).bits


def demonstrate():
    parts = [torch.ones(1, dtype=torch.half), torch.ones(2)]
    for call in (lambda: Policy.parse("store=fp32,compute=bf16"), Policy, lambda: Joiner().join(parts)):
        try:
            call()
            raise AssertionError("dtypes were ordered")
        except TypeError as err:
            assert "not supported between instances" in str(err), err
    assert not SizedPolicy.parse("store=fp32,compute=bf16").same()
    for cls in (PromotingJoiner, RankedJoiner, FirstJoiner):
        assert cls().join(parts).dtype is torch.float32
