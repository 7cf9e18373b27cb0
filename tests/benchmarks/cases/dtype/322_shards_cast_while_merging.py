"""Shards of a quantised checkpoint are merged and cast to the export type; the group order is int32 and loses numbers above 2048.

source: huggingface/transformers#5953 kind (ids above 2048), GPTQ checkpoints with a g_idx entry; own construction
rules: [TL301]
"""
import itertools

import torch
from torch import nn

EXPORT = {"half": torch.float16, "single": torch.float32}


class Packed(nn.Module):
    def __init__(self, rows=4097, cols=2):
        super().__init__()
        self.register_buffer("codes", torch.randint(0, 15, (rows, cols), dtype=torch.uint8))
        self.register_buffer("scale", torch.rand(1, cols))
        self.register_buffer("order", torch.randperm(rows, dtype=torch.int32))

    def forward(self, x):
        w = self.codes.to(x.dtype)[self.order.long()] * self.scale.to(x.dtype)
        return x @ w


def split(state, parts=2):
    items = list(state.items())
    return [dict(items[i::parts]) for i in range(parts)]


def merge(shards, kind="half"):
    merged = {}
    for name, value in itertools.chain.from_iterable(s.items() for s in shards):
        if name in merged:
            raise KeyError(f"{name} twice")
        merged[name] = value.to(dtype=EXPORT[kind], device="cpu")  # expect: TL301
    return merged


def merge_fixed(shards, kind="half"):
    merged = {}
    for name, value in itertools.chain.from_iterable(s.items() for s in shards):
        wanted = EXPORT[kind] if value.is_floating_point() else value.dtype
        merged[name] = value.to(dtype=wanted, device="cpu")  # ok: TL301
    return merged


KEEP = {torch.uint8, torch.int8, torch.int32, torch.int64, torch.bool}


def merge_skipping(shards, kind="half"):
    merged = {}
    for shard in shards:
        for name in shard:
            value = shard[name]
            if value.dtype in KEEP:
                merged[name] = value
                continue
            merged[name] = value.to(EXPORT[kind])  # ok: TL301
    return merged


def demonstrate():
    torch.manual_seed(0)
    layer = Packed()
    x = torch.randn(1, 4097)
    want = layer(x)
    for fn, right in ((merge, False), (merge_fixed, True), (merge_skipping, True)):
        fresh = Packed()
        fresh.load_state_dict(fn(split(layer.state_dict())))
        assert fresh.order.dtype is torch.int32, "loading hides the loss"
        assert torch.equal(fresh.order, layer.order) is right, fn
        assert torch.allclose(fresh(x), want, atol=0.5) is right, fn
