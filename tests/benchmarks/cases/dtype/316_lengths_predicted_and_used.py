"""A speech model regulates length by predicted durations; rounding for the repeat count is fine, the rounded value in the loss is not.

source: FastSpeech style duration predictors; forum thread "Torch.round() gradient" (28628) kind
rules: [TL305]
"""
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, PackedSequence


class Out(NamedTuple):
    frames: torch.Tensor
    spans: torch.Tensor


class Durations(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.head = nn.Linear(dim, 1)

    def raw(self, h):
        return F.softplus(self.head(h)).squeeze(-1) + 1

    def forward(self, h):
        spans = self.raw(h)
        spans = spans.round().int()  # expect: TL305
        return torch.repeat_interleave(h, spans, dim=0), spans


class DurationsFixed(Durations):
    def forward(self, h):
        spans = self.raw(h)
        repeats = spans.detach().round().int()  # ok: TL305
        return torch.repeat_interleave(h, repeats, dim=0), spans


class Voice(nn.Module):
    def __init__(self, durations, dim=3):
        super().__init__()
        self.read = nn.GRU(dim, dim)
        self.durations, self.write = durations(dim), nn.Linear(dim, 2)

    def encode(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, enforce_sorted=False)
        packed = PackedSequence(packed.data * 0.5, *packed[1:])  # ok: TL305
        return pad_packed_sequence(self.read(packed)[0])[0]

    def forward(self, x, lengths):
        h = self.encode(x, lengths)[:, 0]
        longer, spans = self.durations(h)
        return Out(frames=self.write(longer), spans=spans)


def objective(out, wanted, level):
    return {"level": (out.frames.mean() - level).square(), "span": F.l1_loss(out.spans.to(wanted.dtype), wanted)}


def demonstrate():
    for kind, learns in ((Durations, False), (DurationsFixed, True)):
        torch.manual_seed(0)
        voice = Voice(kind)
        out = voice(torch.randn(4, 1, 3), torch.tensor([4]))
        losses = objective(out, torch.full((4,), 3.0), 0.1)
        sum(losses.values()).backward()  # never raises: the other term has a graph
        grad = voice.durations.head.weight.grad
        assert (grad is not None and bool(grad.abs().sum() > 0)) is learns, kind
        assert voice.read.weight_ih_l0.grad.abs().sum() > 0
