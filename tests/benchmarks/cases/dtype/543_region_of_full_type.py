"""A decoder stage is wrapped in autocast(dtype=float32) to make it exact; such a region switches autocast off and casts nothing.

source: Stability-AI/StableCascade#93 (Float against BFloat16 inside autocast(dtype=torch.float32)), pytorch/pytorch#79085
rules: [TL409]
"""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"
low = partial(torch.autocast, KIND, dtype=torch.bfloat16)


class Cascade(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.prior, self.decoder, self.effnet = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)

    def condition(self, x):
        return F.silu(self.effnet(x))

    def decode(self, z, x):
        raise NotImplementedError

    def forward(self, x):
        with low():
            z = F.silu(self.prior(x))
            return self.decode(z, x)


class FullTypeCascade(Cascade):
    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            z = F.silu(self.prior(x))
            with torch.autocast(KIND, dtype=torch.float32):
                return self.decoder(z)  # expect: TL409


class ConditionCascade(Cascade):
    """The condition is computed inside the full-type stage, from the raw input: right. The latent is not."""

    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            z = self.prior(x)
            with torch.autocast(device_type=KIND, dtype=torch.float32):
                c = self.condition(x)  # ok: TL409
                return c + F.linear(z, self.decoder.weight)  # expect: TL409


class CastCascade(Cascade):
    def decode(self, z, x):
        with torch.autocast(KIND, dtype=torch.float32):
            return self.decoder(z.to(torch.float32))  # ok: TL409


class LowCascade(Cascade):
    """The inner region is another low one: it casts."""

    def decode(self, z, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return self.decoder(z)  # ok: TL409


class RawCascade(Cascade):
    def decode(self, z, x):
        with torch.autocast(KIND, dtype=torch.float32):
            return z + self.decoder(x)  # ok: TL409


def demonstrate():
    import warnings

    warnings.simplefilter("ignore")
    x = torch.randn(2, 4, device=KIND)
    for cls, works in (
        (FullTypeCascade, False), (ConditionCascade, False), (CastCascade, True), (LowCascade, True), (RawCascade, True),
    ):
        try:
            assert cls().to(KIND)(x).shape == (2, 4)
            ok = True
        except RuntimeError as err:
            assert "dtype" in str(err), err
            ok = False
        assert ok is works, cls
