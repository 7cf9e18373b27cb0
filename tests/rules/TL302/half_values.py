"""Values that are half by the code itself: literals, eps and counters."""

import torch


def overflow(x):
    x = x.half()
    return x * 1e6 + 1  # expect: TL302


def summed(x):
    x = x.to(torch.float16)
    return x + 1e5  # expect: TL302


def promoted(x):
    x = x.half()
    return x * torch.full((1,), 1e6, device=x.device)  # ok: TL302  float32 beside half is float32


def log_of(x):
    x = x.half()
    return torch.log(x + 1e-10)  # expect: TL302


def root_of(x):
    x = x.half()
    return x / x.norm().clamp(min=1e-12)  # expect: TL302


def subnormal(x):
    x = x.half()
    return x / (x.norm() + 1e-7)  # ok: TL302  small, and not zero


def no_divisor(x):
    x = x.half()
    return x + 1e-10  # ok: TL302  nothing is divided by it


def counted(items):
    count = torch.zeros((), dtype=torch.float16)
    total = torch.zeros(1, dtype=torch.bfloat16)
    exact = torch.zeros(1)
    whole = torch.zeros(1, dtype=torch.int32)
    for _ in items:
        count += 1  # expect: TL302
        total.add_(1)  # expect: TL302
        exact += 1  # ok: TL302
        whole += 1  # ok: TL302
    return count, total, exact, whole


def shifted(x):
    x = x.half()
    x += 0.5  # expect: TL308
    return x


def filled(size):
    return torch.full((size,), 1e6, dtype=torch.half)  # expect: TL302


def demonstrate():
    x = torch.ones(3)
    assert overflow(x).isinf().all() and summed(x).isinf().all() and promoted(x).isfinite().all()
    zero = torch.zeros(3)
    assert log_of(zero).isinf().all() and root_of(zero).isnan().all() and subnormal(x).isfinite().all()
    shifted(x), no_divisor(x)
    count, total, exact, whole = counted(range(3000))
    assert (count, total, exact, whole) == (2048, 256, 3000, 3000)
    try:
        filled(2)
        raise AssertionError("fits")
    except RuntimeError as error:
        assert "overflow" in str(error)
