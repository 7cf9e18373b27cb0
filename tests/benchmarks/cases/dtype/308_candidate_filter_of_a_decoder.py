"""A decoder keeps k candidates and closes the rest through scatter and index_fill with a number beside `float('-inf')` defaults.

source: QwenLM/Qwen#746, vllm-project/vllm-ascend#1382 (value cannot be converted to type at::Half without overflow)
rules: [TL302]
"""
import functools

import torch
from torch import nn

CLOSED = -1e8


def keep_best(scores, k):
    worst = scores.argsort(-1)[..., :-k]
    return scores.scatter(-1, worst, CLOSED)  # expect: TL302


def keep_best_open(scores, k, closed=-float("inf")):
    worst = scores.argsort(-1)[..., :-k]
    return scores.scatter(-1, worst, closed)  # ok: TL302


def forbid(scores, ids):
    return scores.index_fill(-1, ids, -3e4)  # ok: TL302


def pad_vocabulary(scores, size):
    short = size - scores.shape[-1]
    return nn.functional.pad(scores, (0, short), value=-1e6)  # expect: TL302


def pad_vocabulary_single(scores, size):
    short = size - scores.shape[-1]
    return nn.functional.pad(scores.float(), (0, short), value=-1e6)  # ok: TL302


class Writer(nn.Module):
    def __init__(self, steps, vocab=6):
        super().__init__()
        self.embed, self.out = nn.Embedding(vocab, 4), nn.Linear(4, vocab)
        self.steps = steps

    @torch.no_grad()
    def forward(self, ids):
        scores = self.out(self.embed(ids).mean(1))
        for step in self.steps:
            scores = step(scores)
        return scores.softmax(-1)


def writer(*steps, fp16=True):
    torch.manual_seed(0)
    model = Writer(list(steps))
    if fp16:
        model = model.half()
    return model


BAD = (functools.partial(keep_best, k=2), functools.partial(pad_vocabulary, size=8))
GOOD = (
    functools.partial(keep_best_open, k=2), functools.partial(pad_vocabulary_single, size=8),
    functools.partial(forbid, ids=torch.tensor([1])),
)


def demonstrate():
    ids = torch.tensor([[1, 2]])
    for step in BAD:
        assert writer(step, fp16=False)(ids).isfinite().all()
        try:
            writer(step)(ids)
            raise AssertionError("the number fits half")
        except RuntimeError as err:
            assert "without overflow" in str(err)
    for step in GOOD:
        assert writer(step)(ids).isfinite().all()
