"""A mask value of -1e9 in code that is written for any dtype: masked_fill raises in half, other forms store -inf."""

import math
import sys

import numpy as np
import torch
from torch import nn

NEGATIVE = -1e9


class Attention(nn.Module):
    def __init__(self, fill=-1e9):
        super().__init__()
        self.project = nn.Linear(4, 4)
        self.fill = fill
        self.lowest = -1e10

    def forward(self, x, pad):
        scores = self.project(x) @ x.mT
        return scores.masked_fill(pad, -1e9).softmax(-1).to(x.dtype)  # expect: TL302

    def by_name(self, scores, pad):
        return scores.masked_fill(pad, NEGATIVE)  # expect: TL302

    def by_attribute(self, scores, pad):
        return scores.masked_fill(pad, self.lowest)  # expect: TL302

    def by_power(self, scores, pad):
        return scores.masked_fill(pad, -(2**32) + 1.0)  # expect: TL302

    def by_text(self, scores, pad):
        return scores.masked_fill(pad, float("-1e9"))  # expect: TL302

    def by_keyword(self, scores, pad):
        return scores.masked_fill(mask=pad, value=-1e30)  # expect: TL302

    def by_limit(self, scores, pad):
        return scores.masked_fill(pad, -torch.finfo(torch.float32).max)  # expect: TL302

    def by_numpy_limit(self, scores, pad):
        return scores.masked_fill_(pad, np.finfo(np.float32).min)  # expect: TL302

    def by_where(self, scores, pad):
        return torch.where(pad, -1e9, scores)  # expect: TL302

    def by_method(self, scores, pad):
        return scores.where(~pad, torch.tensor(-1e9))  # expect: TL302

    def by_item(self, scores, pad):
        scores[:, pad] = -1e9  # expect: TL302
        return scores

    def by_product(self, scores, pad):
        return scores + (1.0 - pad.to(scores.dtype)) * -1e9  # expect: TL302

    def by_new_tensor(self, scores, pad):
        return torch.full_like(scores, -1e9)  # expect: TL302

    def by_factory(self, scores):
        return torch.full((2, 2), -1e9, dtype=scores.dtype)  # expect: TL302

    def by_clamp(self, scores):
        return scores.clamp(min=-1e6)  # expect: TL302

    def in_range(self, scores, pad):
        return scores.masked_fill(pad, -1e4)  # ok: TL302

    def infinite(self, scores, pad):
        return scores.masked_fill(pad, float("-inf")) + scores.masked_fill(pad, -math.inf)  # ok: TL302

    def by_own_limit(self, scores, pad):
        return scores.masked_fill(pad, torch.finfo(scores.dtype).min)  # ok: TL302

    def in_float(self, scores, pad):
        return scores.float().masked_fill(pad, -1e9).softmax(-1).type_as(scores)  # ok: TL302

    def in_float_before(self, scores, pad):
        scores = scores.to(torch.float32, copy=True)
        scores[:, pad] = -1e9  # ok: TL302
        return scores

    def made_here(self, size, pad):
        return torch.zeros(size).masked_fill(pad, -1e9)  # ok: TL302  float32 by default

    def of_integers(self, ids, pad):
        return ids.masked_fill(pad, 100000)  # ok: TL302  whole numbers

    def tested(self, scores, pad):
        if scores.dtype == torch.float16:
            return scores.masked_fill(pad, -1e4)  # ok: TL302
        return scores.masked_fill(pad, -1e9)  # ok: TL302  the test rules half out

    def chosen(self, scores, pad, half: bool):
        value = -1e4 if half else -1e9
        return scores.masked_fill(pad, value)  # ok: TL302

    def given(self, scores, pad, value):
        return scores.masked_fill(pad, value)  # ok: TL302

    def of_list(self, costs, at):
        costs[at] = 1e9  # ok: TL302  a list, for all that is known
        return costs

    def nanoseconds(self, seconds):
        return seconds * 1e9  # ok: TL302  nothing says that this is a tensor of another dtype

    def greatest_number(self, x):
        return min(x, sys.float_info.max)  # ok: TL302


def demonstrate():
    module = Attention().half()
    x, pad = torch.rand(3, 4).half(), torch.tensor([True, False, False])
    scores = torch.zeros(3, 3).half()
    raising = (module.by_name, module.by_attribute, module.by_power, module.by_text, module.by_keyword, module.by_limit)
    for call in (*raising, module.by_numpy_limit, module.by_new_tensor):
        try:
            call(scores, pad)
            raise AssertionError(call.__name__)
        except (RuntimeError, TypeError) as error:
            assert "overflow" in str(error) or "must be" in str(error)
    for call in (lambda: module(x, pad), lambda: module.by_factory(scores), lambda: module.by_clamp(scores)):
        try:
            call()
            raise AssertionError("fits")
        except RuntimeError as error:
            assert "overflow" in str(error)
    for call in (module.by_where, module.by_method, module.by_item, module.by_product):
        assert call(scores.clone(), pad).isinf().any(), call
    for call in (module.in_range, module.by_own_limit, module.in_float, module.in_float_before, module.tested):
        assert torch.isfinite(call(scores.clone(), pad)).all()
    module.infinite(scores, pad), module.made_here(3, pad), module.chosen(scores, pad, True)
    module.of_integers(torch.zeros(3, dtype=torch.int64), pad), module.given(scores, pad, 0.0)
    module.of_list([0.0], 0), module.nanoseconds(1.0), module.greatest_number(1.0)
