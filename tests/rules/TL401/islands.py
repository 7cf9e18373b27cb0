"""Where autocast is off or runs in float32 a cast is right: every way to write such an island."""
from functools import partial

import torch
from torch.amp import autocast

full_precision = partial(torch.autocast, "cpu", enabled=False)


def maybe_autocast(device: str, enabled: bool = True):
    return torch.autocast(device, dtype=torch.bfloat16, enabled=enabled)


def disabled(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.autocast("cpu", enabled=False):
        return a.float() @ b.float()  # ok: TL401


def in_float32(a, b):
    with autocast("cpu", dtype=torch.float32):
        return a.float() @ b.float()  # ok: TL401


def by_position(a, b):
    with torch.autocast("cpu", torch.bfloat16, False):
        return a.float() @ b.float()  # ok: TL401


def by_partial(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        with full_precision():
            return a.float() @ b.float()  # ok: TL401


def by_helper(a, b):
    with maybe_autocast("cpu", enabled=False):
        return a.float() @ b.float()  # ok: TL401


@torch.autocast("cpu", enabled=False)
def by_decorator(a, b):
    return a.float() @ b.float()  # ok: TL401


def reopened(a, b):
    with torch.autocast("cpu", enabled=False):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return a.float() @ b  # expect: TL401


def enabled_by_helper(a, b):
    with maybe_autocast("cpu"):
        return a.float() @ b  # expect: TL401


def demonstrate():
    a = torch.rand(3, 3)
    for function in (disabled, in_float32, by_position, by_partial, by_helper, by_decorator):
        assert function(a, a).dtype == torch.float32, function
    for function in (reopened, enabled_by_helper):
        assert function(a, a).dtype == torch.bfloat16, function
