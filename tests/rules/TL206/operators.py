"""Each operator that orders dtypes, and what may be asked of them."""
import operator

import torch


def narrower(x):
    return x.dtype < torch.float32  # expect: TL206


def at_least(x, dtype: torch.dtype):
    return x.dtype >= dtype  # expect: TL206


def in_range(x: torch.Tensor):
    return torch.float16 <= x.dtype <= torch.float64  # expect: TL206


def in_a_local(x, y):
    left, right = x.dtype, y.dtype
    if left > right:  # expect: TL206
        return x
    return y


def by_function(x: torch.Tensor, y: torch.Tensor):
    return operator.lt(x.dtype, y.dtype)  # expect: TL206


def of_the_default(x):
    return x.dtype > torch.get_default_dtype()  # expect: TL206


def in_a_lambda():
    return lambda a, b: a.dtype < b.dtype  # expect: TL206


def beside_a_number(x: torch.Tensor):
    return x.dtype < 32  # expect: TL206


def equal(x, y):
    return x.dtype == y.dtype  # ok: TL206


def the_same(x):
    return x.dtype is torch.float16 or x.dtype != torch.int64  # ok: TL206


def one_of(x):
    return x.dtype in (torch.float16, torch.bfloat16)  # ok: TL206


def both_equal(x, y):
    return x.dtype == y.dtype == torch.float32  # ok: TL206


def by_bytes(x):
    return x.dtype.itemsize < torch.float32.itemsize  # ok: TL206


def by_bits(x, y):
    return torch.finfo(x.dtype).bits <= torch.finfo(y.dtype).bits  # ok: TL206


def by_range(x):
    return torch.finfo(x.dtype).max > 65504  # ok: TL206


def by_text(x, y):
    return str(x.dtype) < str(y.dtype)  # ok: TL206


def by_table(x, y):
    order = {torch.float16: 0, torch.float32: 1}
    return order[x.dtype] < order[y.dtype]  # ok: TL206


def demonstrate():
    half, single = torch.ones(1).half(), torch.ones(1)
    for call in (
        lambda: narrower(half),
        lambda: at_least(half, torch.float32),
        lambda: in_range(half),
        lambda: in_a_local(half, single),
        lambda: by_function(half, single),
        lambda: of_the_default(half),
        lambda: in_a_lambda()(half, single),
        lambda: beside_a_number(half),
    ):
        try:
            call()
        except TypeError as error:
            assert "not supported between instances" in str(error)
        else:
            raise AssertionError("dtypes were ordered")
    assert not equal(half, single) and the_same(half) and one_of(half) and not both_equal(half, single)
    assert by_bytes(half) and by_bits(half, single) and not by_range(half)
    assert by_text(half, single) and by_table(half, single)
