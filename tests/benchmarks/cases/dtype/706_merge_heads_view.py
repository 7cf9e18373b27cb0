"""Attention heads are merged with .transpose(1, 2).view(b, n, c) and the .contiguous() was forgotten.

source: hand-written transformer blocks, issues "view size is not compatible with input tensor's size and stride"
rules: [TL205]
"""
import math

import torch
from torch import nn


class HeadAttention(nn.Module):
    def __init__(self, dim=16, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def split(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.reshape(b, n, self.heads, c // self.heads).transpose(1, 2)
        k = k.reshape(b, n, self.heads, c // self.heads).transpose(1, 2)
        v = v.reshape(b, n, self.heads, c // self.heads).transpose(1, 2)
        return q, k, v

    def attend(self, x):
        q, k, v = self.split(x)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(q.size(-1))
        return att.softmax(dim=-1) @ v

    def forward(self, x):
        b, n, c = x.shape
        y = self.attend(x)
        y = y.transpose(1, 2).view(b, n, c)  # expect: TL205
        return self.proj(y)


class HeadAttentionFixed(HeadAttention):
    def forward(self, x):
        b, n, c = x.shape
        y = self.attend(x)
        y = y.transpose(1, 2).contiguous().view(b, n, c)  # ok: TL205
        return self.proj(y)


class HeadAttentionReshape(HeadAttention):
    def forward(self, x):
        b, n, c = x.shape
        return self.proj(self.attend(x).transpose(1, 2).reshape(b, n, c))  # ok: TL205


class TokensToMap(nn.Module):
    """[batch, tokens, dim] -> [batch, dim, h, w] and back."""

    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Conv2d(dim, dim, 3, padding=1)

    def forward(self, tokens, h, w):
        b, _, c = tokens.shape
        grid = tokens.transpose(1, 2).view(b, c, h, w)  # ok: TL205
        grid = self.conv(grid)
        return grid.flatten(2).transpose(1, 2)

    def windows(self, tokens, size):
        b, n, c = tokens.shape
        parts = tokens.view(b, n // size, size, c).transpose(0, 1)
        return parts.view(n // size, b, size * c)  # ok: TL205

    def windows_first(self, tokens, size):
        b, n, c = tokens.shape
        parts = tokens.view(b, n // size, size, c).permute(1, 0, 2, 3)
        return parts.view(-1, size, c)  # expect: TL205


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 6, 16)
    grid = TokensToMap()
    bad, good = HeadAttention(), HeadAttentionReshape()
    for broken in (lambda: bad(x), lambda: grid.windows_first(x, 3)):
        try:
            broken()
            raise AssertionError("view merged dimensions that are not adjacent")
        except RuntimeError as err:
            assert "view size is not compatible" in str(err)
    other = HeadAttentionFixed()
    other.load_state_dict(good.state_dict())
    assert torch.allclose(good(x), other(x))
    assert grid(x, 2, 3).shape == (2, 6, 16)
    assert grid.windows(x, 3).shape == (2, 2, 48)
