"""float64 is the dtype that autocast leaves alone: the product gets it beside lowered weights and raises."""
import torch
import torch.nn.functional as F
from torch import nn


def by_layer(x):
    layer = nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return layer(x.double())  # expect: TL401


def by_function(weight, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return F.linear(x.to(torch.float64), weight)  # expect: TL401


def in_arithmetic(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x.double().cumsum(-1) + x  # ok: TL401


def after_arithmetic(x):
    layer = nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scaled = x.double() * 3.0  # expect: TL401
        return layer(torch.sin(scaled.abs() + 1))


def narrowed_after_arithmetic(x):
    layer = nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scaled = torch.sin(x.double() * 3.0)  # ok: TL401
        return layer(scaled.type_as(x) * 2)


def compared_after_arithmetic(x):
    layer = nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        far = x.double() * 3.0 > 1  # ok: TL401
        return layer(x * far)


def moved_before(x, device="cpu"):
    layer = nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return layer(x.double().to(device))  # expect: TL401


def cast_back(x):
    layer = nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        exact = x.double().cumsum(-1)  # ok: TL401
        return layer(exact.to(x.dtype))  # ok: TL401


def demonstrate():
    x = torch.rand(3, 4)
    for call in (lambda: by_layer(x), lambda: by_function(x, x)):
        try:
            call()
            raise AssertionError("float64 met bfloat16")
        except RuntimeError as error:
            assert "dtype" in str(error)
    assert in_arithmetic(x).dtype == torch.float64
    assert cast_back(x).dtype == torch.bfloat16
