"""A base class merges the attention heads with .view; a subclass hands it the transposed result of its own attention.

source: NVIDIA/Megatron-LM#875, zichaow/QG-Net#11 (view after a transpose)
rules: [TL205]
"""
import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.heads, self.inner = heads, dim // heads
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def apart(self, x):
        b, t, _ = x.shape
        return x.view(b, t, self.heads, self.inner).transpose(1, 2)  # ok: TL205

    def together(self, ctx):
        ctx = ctx.transpose(1, 2)
        return self.close(ctx)

    def close(self, ctx):
        return ctx.view(*ctx.shape[:2], self.heads * self.inner)  # expect: TL205

    def forward(self, x):
        q, k, v = (self.apart(part) for part in self.qkv(x).chunk(3, dim=-1))
        weight = (q @ k.transpose(-1, -2) / self.inner**0.5).softmax(-1)
        return self.proj(self.together(weight @ v))


class HeadsCopied(Heads):
    def close(self, ctx):
        ctx = ctx.contiguous()
        return ctx.view(*ctx.shape[:2], -1)  # ok: TL205


class HeadsFlattened(Heads):
    def close(self, ctx):
        return ctx.flatten(2)  # ok: TL205


class LinearTokens(nn.Module):
    """(b, c, h, w) to tokens: transpose first, then a view that only splits the token dimension."""

    def __init__(self, dim=4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)

    def forward(self, image):
        b, c, h, w = image.shape
        tokens = image.flatten(2).transpose(1, 2)
        grid = tokens.view(b, h, w, c)  # ok: TL205
        return self.mix(grid).view(b, h * w, c)  # ok: TL205


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 8)
    try:
        Heads()(x)
        raise AssertionError("view merged transposed heads")
    except RuntimeError as err:
        assert "view size is not compatible" in str(err), err
    for cls in (HeadsCopied, HeadsFlattened):
        assert cls()(x).shape == (2, 5, 8)
    assert LinearTokens()(torch.randn(2, 4, 3, 3)).shape == (2, 9, 4)
