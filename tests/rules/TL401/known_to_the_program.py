"""Casts that the program has a reason for: a test of the dtype or of a flag, storage, a buffer of that dtype."""
import torch
import torch.nn.functional as F
from torch import nn


def under_flag(a, b, fp16: bool):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        if fp16:
            a = a.half()  # ok: TL401  a flag decides
        return a @ b.to(a.dtype)


def under_dtype_test(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        if a.dtype != torch.float32:
            a = a.float()  # ok: TL401  a test of the dtype decides
        return a @ b


def when_switched_off(a, b, amp: bool):
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=amp):
        if not amp:
            a, b = a.float(), b.float()  # ok: TL401  the region is off here
        return a @ b


def stored(a):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return a.half().cpu()  # ok: TL401  narrowed for storage


def into_buffer(a):
    total = torch.zeros(3, dtype=torch.float16, device=a.device)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        total += a.sum(-1).half()  # ok: TL401  it joins its own kind
    return total


def fed_in_island(layer: nn.Linear, a):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        wide = (a @ a.t()).float()  # ok: TL401  the island honours it
        with torch.autocast("cpu", enabled=False):
            return layer(wide)


def fed_after(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        wide = a.float()  # ok: TL401  the product stands after the region
    return wide @ b


def as_autocast_does(layer: nn.Linear, a):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return layer(a.bfloat16())  # ok: TL401  autocast does the same


def in_float64(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return a.double() @ b.double()  # ok: TL401  float64 stays as it is


def on_cuda(a, b):
    with torch.autocast("cuda", dtype=torch.float16):
        return torch.mv(a.float(), b)  # expect: TL401


def on_cpu(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.mv(a.float(), b)  # ok: TL401  on the CPU mv keeps float32


def each(a, b, c):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        a, b, c = (one.float() for one in (a, b, c))  # expect: TL401
        return F.scaled_dot_product_attention(a, b, c)


def listed(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.linalg.multi_dot([a.float(), b])  # expect: TL401


def chosen(a, b, exact: bool):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        a = a.float() if exact else a  # expect: TL401
        return a @ b


def converted(layer, a):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        layer = layer.half() if a is None else layer  # ok: TL401  a module
        return layer(a)


def demonstrate():
    a = torch.rand(3, 3)
    for run in (under_dtype_test, fed_after, on_cpu):
        given = (a, a[0]) if run is on_cpu else (a, a)
        assert run(*given).dtype == (torch.bfloat16 if run is under_dtype_test else torch.float32), run
    assert when_switched_off(a, a, False).dtype == torch.float32
    assert fed_in_island(nn.Linear(3, 3), a).dtype == torch.float32
    assert as_autocast_does(nn.Linear(3, 3), a).dtype == torch.bfloat16
    assert in_float64(a, a).dtype == torch.float64
    assert each(a[None], a[None], a[None]).dtype == listed(a, a).dtype == chosen(a, a, True).dtype == torch.bfloat16
    assert into_buffer(a).dtype == stored(a).dtype == torch.float16
    assert under_flag(a, a, False).dtype == torch.bfloat16 and converted(nn.Linear(3, 3), a).dtype == torch.bfloat16
