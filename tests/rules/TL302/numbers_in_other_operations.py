"""Further operations that take a number for the elements of a tensor: they raise, or make an infinity of it."""

import torch
import torch.nn.functional as F

CLOSED = -1e8


def scattered(x, at):
    x = x.half()
    return x.scatter(-1, at, CLOSED)  # expect: TL302


def scattered_open(x, at):
    x = x.half()
    return x.scatter(-1, at, float("-inf"))  # ok: TL302


def scattered_tensor(x, at, given):
    x = x.half()
    return x.scatter(-1, at, given)  # ok: TL302


def diagonal(x):
    x = x.half()
    return x.clone().fill_diagonal_(-1e9)  # expect: TL302


def diagonal_in_range(x):
    x = x.half()
    return x.clone().fill_diagonal_(-6e4)  # ok: TL302


def padded(x):
    x = x.half()
    return F.pad(x, (0, 1), value=-1e6)  # expect: TL302


def padded_in_float(x):
    x = x.half()
    return F.pad(x.float(), (0, 1), value=-1e6)  # ok: TL302


def bounded(x):
    x = x.half()
    return x.clamp_max(1e5)  # expect: TL302


def replaced(x):
    x = x.half()
    return torch.nan_to_num(x.log(), neginf=-1e8)  # expect: TL302


def replaced_in_range(x):
    x = x.half()
    return torch.nan_to_num(x.log(), neginf=-1e4)  # ok: TL302


def summed(x):
    x = x.half()
    return torch.add(x, 1e5)  # expect: TL302


def frequencies(width):
    steps = torch.arange(0, width, 2).half() / width
    return 1.0 / (1_000_000.0**steps)  # expect: TL302


def frequencies_of_short_base(width):
    steps = torch.arange(0, width, 2).half() / width
    return 1.0 / (10_000.0**steps)  # ok: TL302


def frequencies_by_negative_steps(width):
    steps = torch.arange(0, width, 2).half() / width
    return 1_000_000.0**-steps  # ok: TL302  the greatest is 1


def frequencies_in_bfloat16(width):
    steps = torch.arange(0, width, 2).bfloat16() / width
    return 1.0 / (1_000_000.0**steps)  # ok: TL302


def powers(x):
    x = x.half()
    return torch.pow(1e5, x)  # expect: TL302


def masked(x, keep_mask):
    x = x.half().clone()
    x[keep_mask] = -1e9  # expect: TL302
    return x


def demonstrate():
    x, at = torch.rand(3, 3), torch.zeros(3, 1, dtype=torch.long)
    raising = (lambda: scattered(x, at), lambda: diagonal(x), lambda: padded(x), lambda: bounded(x))
    for call in raising:
        try:
            call()
            raise AssertionError("fits")
        except RuntimeError as error:
            assert "overflow" in str(error)
    assert replaced(torch.zeros(3)).isinf().all() and replaced_in_range(torch.zeros(3)).isfinite().all()
    assert summed(x).isinf().all() and powers(torch.ones(1)).isinf().all()
    assert (frequencies(16) == 0).any() and (frequencies_of_short_base(16) > 0).all()
    assert frequencies_by_negative_steps(16).isfinite().all() and (frequencies_in_bfloat16(16) > 0).all()
    assert scattered_open(x, at).dtype is torch.float16 and diagonal_in_range(x).isfinite().all()
    assert padded_in_float(x).isfinite().all() and scattered_tensor(x, at, 0.0).isfinite().all()
    assert masked(x, x > -1).isinf().all()
