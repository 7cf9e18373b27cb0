"""State that is converted and stored back is the state from then on; some conversions copy by their names."""
import torch
from torch import nn


class KeyCache(nn.Module):
    def __init__(self, length: int):
        super().__init__()
        self.register_buffer("keys", torch.zeros(length, 2))
        self.register_buffer("centre", torch.ones(2))
        self.gain = nn.Parameter(torch.ones(2))

    @torch.no_grad()
    def forward(self, positions, key):
        self.keys = self.keys.to(key.dtype)
        return self.keys.index_copy_(0, positions, key)  # ok: TL308

    @torch.no_grad()
    def by_name(self, positions, key):
        keys = self.keys.to(key.dtype)
        self.keys = keys
        keys[positions] = key  # ok: TL308
        return keys

    @torch.no_grad()
    def raised(self):
        self.gain.data = self.gain.data.float()
        self.gain.data.add_(1)  # ok: TL308
        return self.gain

    def beside(self, x):
        self.keys = self.keys.to(x.dtype)
        centre = self.centre.to(x.dtype)
        centre -= x.mean(0)  # expect: TL308
        return centre


def additive(mask):
    bias = mask.int()
    bias[mask == 0] = -1  # ok: TL308
    bias[mask == 1] = 0  # ok: TL308
    return bias


def floating(mask):
    bias = mask.float()
    bias[mask == 0] = -1  # expect: TL308
    return bias


def dequantised(quantized_data, scale):
    return quantized_data.float().mul_(scale)  # ok: TL308


def scaled(data, scale):
    return data.float().mul_(scale)  # expect: TL308


def demonstrate():
    codes, values = torch.ones(2, dtype=torch.int8), torch.ones(2)
    dequantised(codes, 0.5), scaled(values, 0.5)
    assert codes.tolist() == [1, 1] and values.tolist() == [0.5, 0.5]
    cache = KeyCache(3)
    cache(torch.tensor([1]), torch.ones(1, 2)), cache.by_name(torch.tensor([2]), torch.ones(1, 2))
    assert cache.keys.sum() == 4
    cache.raised(), cache.beside(torch.ones(1, 2))
    assert (cache.centre == 0).all()
    mask = torch.tensor([True, False])
    additive(mask)
    assert mask.tolist() == [True, False]
    mask = torch.tensor([1.0, 0.0])
    floating(mask)
    assert mask.tolist() == [1.0, -1.0]
