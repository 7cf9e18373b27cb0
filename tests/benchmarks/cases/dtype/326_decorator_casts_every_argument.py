"""A decorator in the style of the first mixed-precision tool boxes turns every argument of a method to half, class numbers included.

source: decorators of auto_fp16 kind without a type test; huu4ontocord/MDEL#44, deepspeedai/DeepSpeed#5701 (ids cast to half)
rules: [TL301]
"""
import functools
import inspect

import torch
import torch.nn.functional as F
from torch import nn


def in_half(fn):
    @functools.wraps(fn)
    def inner(self, *args):
        args = [a.half() for a in args]  # expect: TL301
        return fn(self, *args)

    return inner


def in_half_checked(fn):
    @functools.wraps(fn)
    def inner(self, *args):
        args = [a.half() if a.dtype == torch.float32 else a for a in args]  # ok: TL301
        return fn(self, *args)

    return inner


def in_half_named(*names):
    """Only the named arguments are cast."""

    def decorate(fn):
        order = list(inspect.signature(fn).parameters)[1:]

        @functools.wraps(fn)
        def inner(self, *args):
            args = [a.half() if n in names else a for n, a in zip(order, args)]  # ok: TL301
            return fn(self, *args)

        return inner

    return decorate


class Head(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.out = nn.Linear(3, classes)

    @in_half
    def forward(self, feats, labels):
        return F.cross_entropy(self.out(feats).float(), labels)


class HeadChecked(Head):
    @in_half_checked
    def forward(self, feats, labels):
        return F.cross_entropy(self.out(feats).float(), labels)


class HeadNamed(Head):
    @in_half_named("feats")
    def forward(self, feats, labels):
        return F.cross_entropy(self.out(feats).float(), labels)


def demonstrate():
    torch.manual_seed(0)
    feats, labels = torch.randn(5, 3), torch.randint(4, (5,))
    for kind in (HeadChecked, HeadNamed):
        assert kind().half()(feats, labels).isfinite()
    try:
        Head().half()(feats, labels)
        raise AssertionError("half class numbers accepted")
    except RuntimeError as err:
        assert "expected" in str(err).lower(), err
