"""Rotary angles come from a matmul of two casts; the model's forward runs in the region, where the matmul is bf16 all the same.

source: huggingface/diffusers#13920 and #13922 (positions collapse), huggingface/transformers#29285
rules: [TL403]
"""
import torch
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Places(nn.Module):
    def __init__(self, dim=8, base=10000.0):
        super().__init__()
        self.register_buffer("inv_freq", base ** (-torch.arange(0, dim, 2).float() / dim), persistent=False)

    def angles(self, pos):
        inv = self.inv_freq[None, :, None].expand(pos.shape[0], -1, 1)
        return (inv.float() @ pos[:, None, :].float()).transpose(1, 2)  # expect: TL403

    def forward(self, pos):
        a = self.angles(pos)
        return a.cos(), a.sin()


class PlacesIsland(Places):
    def angles(self, pos):
        inv = self.inv_freq[None, :, None].expand(pos.shape[0], -1, 1)
        with torch.autocast(pos.device.type, enabled=False):
            return (inv.float() @ pos[:, None, :].float()).transpose(1, 2)  # ok: TL403


class PlacesProduct(Places):
    """An elementwise product is no matmul: autocast leaves it alone."""

    def angles(self, pos):
        return pos[..., None].float() * self.inv_freq.float()  # ok: TL403


class Denoiser(nn.Module):
    def __init__(self, places, dim=8):
        super().__init__()
        self.places, self.proj = places, nn.Linear(dim, dim)

    @torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16)
    def forward(self, x, pos):
        cos, sin = self.places(pos)
        a, b = self.proj(x).float().chunk(2, -1)  # ok: TL403
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def build():
    return Denoiser(Places()).to(DEVICE_TYPE)


def build_fixed():
    return Denoiser(PlacesIsland()).to(DEVICE_TYPE), Denoiser(PlacesProduct()).to(DEVICE_TYPE)


def demonstrate():
    torch.manual_seed(0)
    pos = torch.arange(65536, 65544)[None].to(DEVICE_TYPE)
    x = torch.ones(1, 8, 8, device=DEVICE_TYPE)
    bad = build()(x, pos)
    assert torch.equal(bad[:, 0], bad[:, -1])  # all places are one place
    for good in build_fixed():
        out = good(x, pos)
        assert not torch.equal(out[:, 0], out[:, -1])
