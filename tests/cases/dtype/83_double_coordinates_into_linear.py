"""Coordinates are made double for accuracy and go into a Linear of the region, and a norm is taken in hard-coded half.

source: coordinate networks and solvers under autocast ("mat1 and mat2 must have the same dtype, but got Double and BFloat16")
rules: [TL401]
"""
import contextlib

import torch
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Field(nn.Module):
    def __init__(self, dim=8, amp=True):
        super().__init__()
        self.amp = amp
        self.inp, self.out = nn.Linear(2, dim), nn.Linear(dim, 1)

    def forward(self, xy):
        ctx = torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16) if self.amp else contextlib.nullcontext()
        with ctx:
            fine = xy.double() * 3.0  # expect: TL401
            return self.out(torch.sin(self.inp(fine)))

    def energy(self, xy):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.inp(xy)
            return h.half().square().sum(-1)  # expect: TL401


class FieldFixed(Field):
    def forward(self, xy):
        ctx = torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16) if self.amp else contextlib.nullcontext()
        with ctx:
            phase = torch.sin(xy.double() * 3.0)  # ok: TL401
            return self.out(torch.sin(self.inp(phase.to(xy.dtype))))

    def energy(self, xy):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.inp(xy)
            return h.double().square().sum(-1)  # ok: TL401

    def stored(self, xy):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.inp(xy)
        return h.half()  # ok: TL401


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    xy = 100 * torch.randn(5, 2, device=DEVICE_TYPE)
    bad, good = Field().to(DEVICE_TYPE), FieldFixed().to(DEVICE_TYPE)
    good.load_state_dict(bad.state_dict())
    try:
        bad(xy)
        raise AssertionError("a double input met the region's linear")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    assert good(xy).dtype is torch.bfloat16
    with torch.no_grad():
        for net in (bad, good):
            net.inp.weight.mul_(20)
    assert bad.energy(xy).isinf().any() and good.energy(xy).isfinite().all()
    assert good.stored(xy).dtype is torch.float16
