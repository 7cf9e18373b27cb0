"""A ranking student copies normalised scores of a half teacher; the guard of the normalisation is lost, equal scores give NaN.

source: lightonai/pylate#239, lightonai/pylate#240 (1e-8 in the denominator is zero in fp16)
rules: [TL302]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Scorer(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.query, self.doc = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, q, docs):
        return (self.query(q).unsqueeze(1) @ self.doc(docs).transpose(1, 2)).squeeze(1)


class Distil(nn.Module):
    EPS = 1e-8

    def spread(self, scores):
        low, high = scores.amin(-1, keepdim=True), scores.amax(-1, keepdim=True)
        return (scores - low) / (high - low + self.EPS)  # expect: TL302

    def forward(self, student, teacher):
        want = self.spread(teacher).softmax(-1)
        return F.kl_div(self.spread(student).log_softmax(-1), want, reduction="batchmean")


class ClampedDistil(Distil):
    def spread(self, scores):
        low, high = scores.amin(-1, keepdim=True), scores.amax(-1, keepdim=True)
        return (scores - low) / (high - low).clamp_min(torch.finfo(scores.dtype).eps)  # ok: TL302


class WideDistil(Distil):
    def spread(self, scores):
        scores = scores.to(torch.float32)
        low, high = scores.amin(-1, keepdim=True), scores.amax(-1, keepdim=True)
        return (scores - low) / (high - low + self.EPS)  # ok: TL302


class PaddedScorer(Scorer):
    """Lists of different length are padded; a short one gets the lowest score there is."""

    floor = -1e9

    def forward(self, q, docs):
        return F.pad(super().forward(q, docs), (0, 1), value=self.floor)  # expect: TL302


class SafePaddedScorer(Scorer):
    def forward(self, q, docs):
        s = super().forward(q, docs)
        return F.pad(s, (0, 1), value=torch.finfo(s.dtype).min)  # ok: TL302


def serve(short_lists: bool, safe: bool = False):
    kind = (SafePaddedScorer if safe else PaddedScorer) if short_lists else Scorer
    return kind().half().eval()


def train_step(student: Scorer, teacher: Scorer, loss: Distil, q, docs):
    """Both networks run in half; the loss is what is compared."""
    student, teacher = student.half(), teacher.half().requires_grad_(False)
    return loss(student(q.half(), docs.half()), teacher(q.half(), docs.half()))


def demonstrate():
    q = torch.randn(2, 4)
    same = torch.randn(2, 1, 4).repeat(1, 3, 1)  # three copies of one document
    assert train_step(Scorer(), Scorer(), Distil(), q, same).isnan()
    for loss in (ClampedDistil(), WideDistil()):
        assert train_step(Scorer(), Scorer(), loss, q, same).isfinite()
    try:
        serve(True)(q.half(), same.half())
        raise AssertionError("-1e9 fits half")
    except RuntimeError as err:
        assert "without overflow" in str(err), err
    assert serve(True, safe=True)(q.half(), same.half()).shape == (2, 4)
    assert Distil()(Scorer()(q, same), Scorer()(q, same)).isfinite()
