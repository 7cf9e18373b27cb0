"""Gradients are packed into one flat tensor per dtype; ordering the buckets, or asking for "at least bf16", compares dtypes.

source: hand-written gradient packing for all-reduce
rules: [TL206]
"""
from collections import defaultdict

import numpy as np
import torch
from torch import nn


def bucket_by_dtype(model):
    buckets = defaultdict(list)
    for p in model.parameters():
        buckets[p.dtype].append(p)
    return buckets


def pack(model):
    buckets = bucket_by_dtype(model)
    order = sorted(p.dtype for p in model.parameters())  # expect: TL206
    return [torch.cat([p.detach().flatten() for p in buckets[kind]]) for kind in dict.fromkeys(order)]


def wire_dtype(tensors):
    narrow = tensors[0].dtype
    for t in tensors[1:]:
        if t.dtype < narrow:  # expect: TL206
            narrow = t.dtype
    return narrow


def pack_fixed(model):
    buckets = bucket_by_dtype(model)
    order = sorted(buckets, key=str)  # ok: TL206
    return [torch.cat([p.detach().flatten() for p in buckets[kind]]) for kind in order]


def wire_dtype_fixed(tensors):
    return min((t.dtype for t in tensors), key=lambda kind: torch.finfo(kind).bits)  # ok: TL206


def largest_bucket(model):
    sizes = {kind: sum(p.numel() for p in group) for kind, group in bucket_by_dtype(model).items()}
    return max(sizes, key=sizes.get), max(sizes.values())  # ok: TL206


def numpy_side(a: np.ndarray, b: np.ndarray):
    # numpy does order its dtypes, by safe casting
    return a.dtype if a.dtype > b.dtype else b.dtype  # ok: TL206


def needs_master_copy(p):
    return p.dtype in (torch.float16, torch.bfloat16) and p.element_size() < 4  # ok: TL206


# ---- demonstration: not part of the graded code ----
def demonstrate():
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 3).half())
    for broken in (lambda: pack(model), lambda: wire_dtype(list(model.parameters()))):
        try:
            broken()
            raise AssertionError("dtypes were ordered")
        except TypeError as err:
            assert "not supported between instances" in str(err)
    assert [t.numel() for t in pack_fixed(model)] == [9, 6]
    assert wire_dtype_fixed(list(model.parameters())) is torch.float16
    assert largest_bucket(model) == (torch.float16, 9)
    assert numpy_side(np.zeros(1, np.float32), np.zeros(1)) == np.float64
    assert [needs_master_copy(p) for p in model.parameters()] == [False, False, True, True]
