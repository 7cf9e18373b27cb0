"""The last convolutions of a decoder run in full precision, but the maps that enter come from the bf16 part.

source: pytorch/pytorch#42358, upsamplers and vocoder tails decorated with autocast(enabled=False)
rules: [TL409]
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import autocast

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Tail(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.act, self.to_rgb = nn.PReLU(dim), nn.Conv2d(dim, 3, 1)

    @autocast(DEVICE_TYPE, enabled=False)
    def forward(self, maps):
        return torch.tanh(self.to_rgb(maps))  # expect: TL409


class TailCast(Tail):
    @autocast(DEVICE_TYPE, enabled=False)
    def forward(self, maps):
        maps = maps.to(self.to_rgb.weight.dtype)
        return torch.tanh(self.to_rgb(self.act(maps)))  # ok: TL409


class TailPooled(Tail):
    """Norm-like and pooling work accepts the narrow type; the convolution stays in the region."""

    def forward(self, maps):
        rgb = self.to_rgb(maps)
        with autocast(DEVICE_TYPE, enabled=False):
            return F.avg_pool2d(rgb, 2).sigmoid()  # ok: TL409


class Decoder(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.grow = nn.Conv2d(dim, dim, 3, padding=1)
        self.tail = self.make_tail(dim)

    def make_tail(self, dim):
        return Tail(dim)

    def forward(self, z):
        with autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            maps = F.relu(self.grow(z))
            return self.tail(maps)


class CastDecoder(Decoder):
    def make_tail(self, dim):
        return TailCast(dim)


class PooledDecoder(Decoder):
    def make_tail(self, dim):
        return TailPooled(dim)


class SkipDecoder(Decoder):
    """What enters the island is the float32 input."""

    def forward(self, z):
        with autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            maps = self.grow(z)
            with autocast(DEVICE_TYPE, enabled=False):
                skip = self.grow(z)  # ok: TL409
            return maps + skip


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    z = torch.randn(1, 4, 4, 4, device=DEVICE_TYPE)
    try:
        Decoder().to(DEVICE_TYPE)(z)
        raise AssertionError("a float32 convolution took bf16 maps")
    except RuntimeError as err:
        assert "type" in str(err), err
    assert CastDecoder().to(DEVICE_TYPE)(z).dtype is torch.float32
    assert PooledDecoder().to(DEVICE_TYPE)(z).shape == (1, 3, 2, 2)
    assert SkipDecoder().to(DEVICE_TYPE)(z).dtype is torch.float32
