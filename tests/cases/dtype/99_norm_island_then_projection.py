"""A block computes its norm in an island and, in the same island, the projection that follows: the cast comes one line too late.

source: pytorch/pytorch#79085; attention code with `disable_autocast` helpers
rules: [TL409]
"""
from contextlib import ExitStack
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"
no_amp = partial(torch.autocast, device_type=DEVICE_TYPE, enabled=False)


class Mixer(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.inp, self.out = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.inp(x).relu()
            with no_amp():
                z = self.out(h)  # expect: TL409
                z = self.norm(z.float())
            return z


class MixerCastFirst(Mixer):
    def forward(self, x):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.inp(x).relu()
            with no_amp():
                wide = self.norm(h.float())
                return self.out(wide)  # ok: TL409


class MixerPromoted(Mixer):
    """The sum with the float32 input is float32 already."""

    def forward(self, x):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.inp(x) + x
            with no_amp():
                return self.out(h)  # ok: TL409


class MixerStacked(Mixer):
    def forward(self, x):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.inp(x)
        with ExitStack() as stack:
            stack.enter_context(no_amp())
            return self.out(F.gelu(h.to(x.dtype)))  # ok: TL409


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 8, device=DEVICE_TYPE)
    try:
        Mixer().to(DEVICE_TYPE)(x)
        raise AssertionError("a float32 layer took a bf16 value")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    for cls in (MixerCastFirst, MixerPromoted, MixerStacked):
        assert cls().to(DEVICE_TYPE)(x).dtype is torch.float32
