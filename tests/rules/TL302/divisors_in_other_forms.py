"""A small number keeps a division from zero, however the division is written and whatever shape the divisor gets."""

import torch


def by_power(x):
    x = x.half()
    return x * (x.square().mean(-1, keepdim=True) + 1e-9).pow(-0.5)  # expect: TL302


def by_operator(x):
    x = x.half()
    return x * (x.square().mean(-1, keepdim=True) + 1e-9) ** -0.5  # expect: TL302


def by_reshaped(x):
    x = x.half()
    return x / (x.sum(-1) + 1e-9).unsqueeze(-1)  # expect: TL302


def by_function(x):
    x = x.half()
    return torch.div(x, x.sum(-1, keepdim=True).add(1e-9))  # expect: TL302


def of_dividend(x):
    x = x.half()
    return torch.div(x.sum(-1, keepdim=True).add(1e-9), 2)  # ok: TL302


def by_square(x):
    x = x.half()
    return x * (x.square().mean(-1, keepdim=True) + 1e-9) ** 2  # ok: TL302  zero is no trouble


def in_branches(x, is_short):
    x = x.half()
    eps = 1e-4 if is_short else 1e-9
    return x / (x.sum(-1, keepdim=True) + eps)  # ok: TL302  one of them is in range


def in_float(x):
    wide = x.float()
    length = wide.pow(2).sum(-1, keepdim=True).clamp(max=9.0)
    return x.half() * (length + 1e-9).rsqrt()  # ok: TL302


def demonstrate():
    zero = torch.zeros(1, 3)
    for call in (by_power, by_operator, by_reshaped, by_function):
        assert not call(zero).isfinite().any(), call
    for harmless in (of_dividend, by_square, in_float, lambda x: in_branches(x, True)):
        assert harmless(zero).isfinite().all()
