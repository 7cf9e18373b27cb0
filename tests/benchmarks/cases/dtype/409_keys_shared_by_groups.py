"""Grouped attention: a few key heads are expanded over many query heads and folded with view, through a mapped helper.

source: grouped-query attention written with view in place of reshape ("view size is not compatible with input tensor's size and stride")
rules: [TL205]
"""
import torch
import torch.nn.functional as F
from torch import nn


def widen(heads, times):
    b, k, t, d = heads.shape
    wide = heads.unsqueeze(2).expand(-1, -1, times, -1, -1)
    return wide.view(b, k * times, t, d)  # expect: TL205


def widen_fixed(heads, times):
    b, k, t, d = heads.shape
    wide = heads[:, :, None].expand(b, k, times, t, d)
    return wide.reshape(b, k * times, t, d)  # ok: TL205


def widen_repeat(heads, times):
    b, k, t, d = heads.shape
    wide = heads[:, :, None].repeat(1, 1, times, 1, 1)
    return wide.view(b, k * times, t, d)  # ok: TL205


def widen_lazily(heads, times):
    """The new dimension stays a dimension of its own; view only splits one that is whole."""
    b, k, t, d = heads.shape
    wide = heads.unsqueeze(2).expand(b, k, times, t, d)
    return wide.view(b, k, times, t, d, 1).squeeze(-1).flatten(1, 2)  # ok: TL205


class Attention(nn.Module):
    def __init__(self, dim, heads, groups, widen=widen):
        super().__init__()
        self.heads, self.groups, self.widen = heads, groups, widen
        self.size = dim // heads
        self.q = nn.Linear(dim, dim)
        self.kv = nn.Linear(dim, 2 * groups * self.size)
        self.o = nn.Linear(dim, dim)

    def split(self, x, count):
        return x.view(*x.shape[:2], count, self.size).transpose(1, 2)

    def forward(self, x):
        q = self.split(self.q(x), self.heads)
        pair = (self.split(part, self.groups) for part in self.kv(x).chunk(2, dim=-1))
        k, v = map(lambda h: self.widen(h, self.heads // self.groups), pair)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(out.transpose(1, 2).reshape(x.shape))  # ok: TL205


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 8)
    try:
        Attention(8, 4, 2)(x)
        raise AssertionError("an expanded dimension was merged by view")
    except RuntimeError as err:
        assert "view size" in str(err), err
    assert Attention(8, 4, 4)(x).shape == x.shape  # one head per group: a dimension of size one hides it
    outs = []
    for fn in (widen_fixed, widen_repeat, widen_lazily):
        torch.manual_seed(1)
        outs.append(Attention(8, 4, 2, fn)(x))
    assert torch.allclose(outs[0], outs[1]) and torch.allclose(outs[0], outs[2])
