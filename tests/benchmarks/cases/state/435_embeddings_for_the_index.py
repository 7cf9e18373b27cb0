"""An index is filled by a function that yields embeddings batch by batch; decorators around it do or do not stop the recording.

source: chrischoy/FCGF#15, hszhao/semseg#60 (validation records gradients); rebuilt from scratch
rules: [TL304]
"""
import functools
import time

import torch
from torch import nn


def timed(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        t0 = time.perf_counter()
        try:
            return fn(*args, **kwargs)
        finally:
            inner.seconds = time.perf_counter() - t0

    return inner


def silent(fn):
    """What it wraps runs without a graph."""

    @functools.wraps(fn)
    def inner(*args, **kwargs):
        with torch.no_grad():
            return fn(*args, **kwargs)

    return inner


class Encoder(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.1))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=-1)


@timed
def fill(encoder: Encoder, batches, sink: list) -> int:
    was = encoder.training
    encoder.eval()  # expect: TL304
    for ids, x in batches:
        sink.extend(zip(ids, encoder(x)))
    encoder.train(was)
    return len(sink)


@timed
@silent
def fill_silently(encoder: Encoder, batches, sink: list) -> int:
    encoder.eval()  # ok: TL304
    for ids, x in batches:
        sink.extend(zip(ids, encoder(x)))
    return len(sink)


@torch.no_grad()
def stream(encoder: Encoder, batches):
    encoder.eval()  # ok: TL304
    for ids, x in batches:
        yield from zip(ids, encoder(x))


class Index:
    def __init__(self, encoder: Encoder):
        self.encoder = encoder
        self.rows: list = []

    def add(self, batches) -> None:
        self.encoder.eval()  # expect: TL304
        embed = functools.partial(self._embed, scale=2.0)
        for ids, x in batches:
            self.rows += list(zip(ids, embed(x)))

    def _embed(self, x: torch.Tensor, scale: float) -> torch.Tensor:
        return self.encoder(x) * scale


class GuardedIndex(Index):
    @torch.inference_mode()
    def _embed(self, x, scale):
        return self.encoder(x) * scale

    def add(self, batches):
        self.encoder.eval()  # ok: TL304
        for ids, x in batches:
            self.rows += list(zip(ids, self._embed(x, 2.0)))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    enc = Encoder()
    batches = [(["a", "b"], torch.randn(2, 3)), (["c"], torch.randn(1, 3))]
    for run, records in ((fill, True), (fill_silently, False)):
        sink: list = []
        run(enc, batches, sink)
        assert all(v.requires_grad for _, v in sink) is records
    assert not any(v.requires_grad for _, v in stream(enc, batches))
    for cls, records in ((Index, True), (GuardedIndex, False)):
        idx = cls(enc)
        idx.add(batches)
        assert idx.rows[0][1].requires_grad is records
