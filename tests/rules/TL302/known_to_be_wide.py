"""Branches that leave a tensor in float32 or bfloat16, and helpers to which every caller passes float32."""
import torch

EMPTY = -1e9


def bias(query, padding):
    query = query.float()
    if query.dtype == torch.float32:
        query = query.bfloat16()
    fill = torch.full((2,), -1e9, dtype=query.dtype)  # ok: TL302
    return torch.where(padding, torch.zeros((2,), dtype=query.dtype), fill)


def bias_as_given(query, padding):
    fill = torch.full((2,), -1e9, dtype=query.dtype)  # expect: TL302
    return torch.where(padding, torch.zeros((2,), dtype=query.dtype), fill)


def _fill(scores, empty):
    return scores.masked_fill(empty, EMPTY)  # ok: TL302


def _fill_any(scores, empty):
    return scores.masked_fill(empty, EMPTY)  # expect: TL302


def similarity(a, b, mask, empty):
    scores = (a @ b.t()).masked_fill(mask, torch.finfo(a.dtype).min)
    total = scores.max(dim=-1).values.float() * 2
    return _fill(total, empty), _fill_any(scores.sum(-1), empty), _fill_any(total, empty)


def nothing(a, empty):
    return _fill(torch.zeros(len(a), dtype=torch.float32), empty)


def demonstrate():
    a, mask = torch.ones(2, 2, dtype=torch.float16), torch.zeros(2, 2, dtype=torch.bool)
    assert bias(a, mask).isfinite().all() and nothing(a, ~mask[0]).isfinite().all()
    _fill((a @ a.t()).max(dim=-1).values.float(), mask[0])
    for function in (lambda: bias_as_given(a, mask), lambda: similarity(a, a, mask, mask[0])):
        try:
            function()
        except RuntimeError as error:
            assert "overflow" in str(error)
        else:
            raise AssertionError("float16 took -1e9")
