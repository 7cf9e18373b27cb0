"""Tensor methods that no other common type has."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import io
import logging
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import numpy
import torch

from torchlint.knowledge._generate.others import OTHER_LIBRARIES

# Words that people also give to methods of their own: flows have an inverse, engines a backward, rotations a norm.
_EVERYDAY = frozenset(
    """
    angle backward coalesce cross det detach dim dist eig equal fix flip frac grad greater inner inverse is_leaf
    is_nested kron layout less lu name negative norm numpy outer permute positive prelu qr reciprocal reinforce relu
    renorm requires_grad roll rot90 sigmoid softmax solve square storage stride svd t tile H
    """.split()
)
_OTHER_TYPES: tuple[Any, ...] = (
    *(
        str,
        bytes,
        bytearray,
        list,
        tuple,
        dict,
        set,
        frozenset,
        int,
        float,
        complex,
        bool,
        slice,
        range,
        memoryview,
        object,
    ),
    *(collections.OrderedDict, collections.Counter, collections.deque, collections.defaultdict, pathlib.Path),
    *(io.TextIOWrapper, io.BytesIO, re.Pattern, re.Match, logging.Logger, decimal.Decimal, fractions.Fraction),
    *(datetime.datetime, datetime.timedelta),
    *(numpy.ndarray, numpy.generic, numpy.float64, numpy.ma.MaskedArray, numpy.random.Generator),
    *(
        torch.nn.Module,
        torch.optim.Optimizer,
        torch.Generator,
        torch.distributions.Distribution,
        torch.Size,
        torch.dtype,
    ),
    *(
        torch.device,
        torch.UntypedStorage,
        torch.TypedStorage,
        torch.nn.utils.rnn.PackedSequence,
        torch.utils.data.Dataset,
    ),
)


def distinct_methods() -> Iterator[str]:
    """The tensor methods and attributes that belong to no other type looked at: their receiver is a tensor.

    A class of somebody's own may have any method: a strong hint, not a proof. _EVERYDAY keeps the worst out.
    """
    taken = set(OTHER_LIBRARIES) | _EVERYDAY
    for other in _OTHER_TYPES:
        taken.update(dir(other))
    for name in dir(torch.Tensor):
        if not (name.startswith("_") or name in taken or name.rstrip("_") in taken):
            yield name
