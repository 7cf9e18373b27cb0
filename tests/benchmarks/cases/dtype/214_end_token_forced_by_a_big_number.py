"""A chain of score processors forces and forbids tokens with huge numbers; the model is served in half.

source: QwenLM/Qwen#32, QwenLM/Qwen#746, NVIDIA/apex#1052
rules: [TL302]
"""
import torch
from torch import nn

FORBID = -1e8


class ForceEnd:
    def __init__(self, end):
        self.end = end

    def __call__(self, seen, scores):
        done = seen[:, -1] == self.end
        for row in done.nonzero().flatten().tolist():
            scores[row, self.end] = float(2**30)  # expect: TL302
        return scores


class NoRepeat:
    def __call__(self, seen, scores):
        used = torch.zeros_like(scores, dtype=torch.bool).scatter_(1, seen, True)
        return scores.masked_fill(used, FORBID)  # expect: TL302


class ForceEndByRow:
    def __init__(self, end):
        self.end = end

    def __call__(self, seen, scores):
        done = seen[:, -1] == self.end
        scores[done] = torch.finfo(scores.dtype).min  # ok: TL302
        scores[done, self.end] = 100.0  # ok: TL302
        return scores


class NoRepeatWide:
    def __call__(self, seen, scores):
        used = torch.zeros_like(scores, dtype=torch.bool).scatter_(1, seen, True)
        return scores.float().masked_fill(used, FORBID)  # ok: TL302


class Sampler:
    def __init__(self, net, steps):
        self.net, self.steps = net.half().eval(), steps

    @torch.inference_mode()
    def next(self, seen):
        scores = self.net(seen)[:, -1]
        for step in self.steps:
            scores = step(seen, scores)
        return scores.softmax(-1)


def language_model(vocab=6, dim=4):
    return nn.Sequential(nn.Embedding(vocab, dim), nn.Linear(dim, vocab))


def serve(seen, careful=True):
    steps = [ForceEndByRow(5), NoRepeatWide()] if careful else [ForceEnd(5), NoRepeat()]
    return Sampler(language_model(), steps).next(seen)


def demonstrate():
    seen = torch.tensor([[1, 5], [1, 2]])
    scores = torch.randn(2, 6).half()
    for step in (ForceEnd(5), NoRepeat()):
        try:
            out = step(seen, scores.clone())
        except RuntimeError as err:
            assert "overflow" in str(err)
        else:
            assert out.isinf().any()
            assert out.softmax(-1).isnan().any(), "inf minus inf"
    assert serve(seen).isfinite().all()
