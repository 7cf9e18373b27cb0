"""A codebook layer projects in an island; the projection's input is a slice of a dict that the encoder filled under the region.

source: lbin/DCNv2#2, vector-quantize layers with their quantisation kept out of autocast
rules: [TL409]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Coder(nn.Module):
    def __init__(self, dim=8, small=4):
        super().__init__()
        self.enc = nn.Linear(dim, 2 * dim)
        self.small = nn.Parameter(torch.randn(small, dim) / dim**0.5)
        self.codes = nn.Embedding(6, small)

    def encode(self, x):
        values, gates = self.enc(x).chunk(2, -1)
        return {"values": values, "gates": gates.sigmoid()}

    def place(self, got):
        z = got["values"] * got["gates"]
        return F.linear(z, self.small)  # expect: TL409

    def forward(self, x):
        with torch.autocast(KIND, torch.bfloat16):
            got = self.encode(x)
            with torch.autocast(KIND, torch.float32, enabled=False):
                z = self.place(got)
                near = torch.cdist(z, self.codes.weight).argmin(-1)
            return near, got["gates"]


class WideCoder(Coder):
    """Everything that enters the island is widened at once."""

    def encode(self, x):
        return {k: v.float() for k, v in super().encode(x).items()}

    def place(self, got):
        return F.linear(got["values"] * got["gates"], self.small)  # ok: TL409


class EarlyCoder(Coder):
    """Projects before the island, where autocast still matches the types."""

    def forward(self, x):
        with torch.autocast(KIND, torch.bfloat16):
            got = self.encode(x)
            z = F.linear(got["values"] * got["gates"], self.small)  # ok: TL409
            with torch.autocast(KIND, enabled=False):
                near = torch.cdist(z.float(), self.codes.weight).argmin(-1)
            return near, got["gates"]


class LookupCoder(Coder):
    """An embedding in the island reads integers."""

    def forward(self, x):
        with torch.autocast(KIND, torch.bfloat16):
            got = self.encode(x)
            with torch.autocast(KIND, enabled=False):
                near = got["values"][..., :6].argmax(-1)
                code = self.codes(near)
            return near, F.linear(code, self.small.t())  # ok: TL409


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 8, device=KIND)
    try:
        Coder().to(KIND)(x)
        raise AssertionError("bf16 was projected by a float32 weight")
    except RuntimeError as err:
        assert "type" in str(err), err
    for cls in (WideCoder, EarlyCoder, LookupCoder):
        assert cls().to(KIND)(x)[0].shape == (3,), cls
