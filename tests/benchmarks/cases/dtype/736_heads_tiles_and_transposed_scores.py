"""Heads are merged with .view after a permute, beams after an expand; both need a copy that view does not make.

source: aimagelab/show-control-and-tell#23, pytorch/pytorch#141107
rules: [TL205]
"""
import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self, dim=8, heads=2, beam=3):
        super().__init__()
        self.heads, self.beam, self.dim = heads, beam, dim
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def split(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return [t.reshape(b, n, self.heads, -1).transpose(1, 2) for t in (q, k, v)]

    def attend(self, x):
        q, k, v = self.split(x)
        ctx = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        ctx = ctx.permute(0, 2, 1, 3).view(x.size(0), x.size(1), self.dim)  # expect: TL205
        return self.out(ctx)

    def tile(self, memory):
        b, n, d = memory.shape
        tiled = memory.unsqueeze(1).expand(b, self.beam, n, d)
        return tiled.view(b * self.beam, n, d)  # expect: TL205


class CaptionerFixed(Captioner):
    def attend(self, x):
        q, k, v = self.split(x)
        ctx = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        ctx = ctx.permute(0, 2, 1, 3).contiguous().view(x.size(0), x.size(1), self.dim)  # ok: TL205
        return self.out(ctx)

    def tile(self, memory):
        return memory.repeat_interleave(self.beam, dim=0)  # ok: TL205

    def token_groups(self, x):
        # the last dimension is only split, nothing is merged
        b, n, d = x.shape
        return x.transpose(0, 1).view(n, b, self.heads, d // self.heads)  # ok: TL205


def grid_to_tokens(b=2, c=3, h=4, w=5):
    grid = torch.arange(b * c * h * w, dtype=torch.float32).view(b, c, h, w)
    return grid.permute(0, 2, 3, 1).view(b, h * w, c)  # ok: TL205


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 8)
    bad, good = Captioner(), CaptionerFixed()
    for call in (bad.attend, bad.tile):
        try:
            call(x)
            raise AssertionError("view merged dimensions that are not adjacent")
        except RuntimeError as err:
            assert "view size is not compatible" in str(err)
    assert good.attend(x).shape == (2, 5, 8)
    tiled = good.tile(x)
    assert tiled.shape == (6, 5, 8) and torch.equal(tiled[0], tiled[2])
    assert good.token_groups(x).shape == (5, 2, 2, 4)
    assert grid_to_tokens().shape == (2, 20, 3)  # h and w stay adjacent, so this view is free
