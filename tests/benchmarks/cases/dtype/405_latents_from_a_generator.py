"""A sampler keeps a numpy Generator for reproducible latents; standard_normal gives doubles and the mapping net refuses them.

source: GAN previewers with truncated numpy latents ("mat1 and mat2 must have the same dtype, but got Double and Float")
rules: [TL203]
"""
from functools import partial

import numpy as np
import torch
from torch import nn


class Maker(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.dim = dim
        self.mapping = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, z):
        return torch.tanh(self.mapping(z))


class Sampler:
    def __init__(self, maker, seed=0, limit=1.5):
        self.maker, self.limit = maker, limit
        self.rng = np.random.default_rng(seed)

    def codes(self, count):
        z = self.rng.standard_normal((count, self.maker.dim))
        return np.where(np.abs(z) > self.limit, 0.0, z)

    def preview(self, count):
        z = torch.as_tensor(self.codes(count))  # expect: TL203
        with torch.no_grad():
            return self.maker(z)

    def walk(self, start, stop, frames=3):
        share = torch.from_numpy(np.linspace(0, 1, frames))[:, None]  # expect: TL203
        with torch.no_grad():
            return self.maker(start + share * (stop - start))


class NarrowSampler(Sampler):
    def codes(self, count):
        return self.rng.standard_normal((count, self.maker.dim), dtype=np.float32)

    def preview(self, count):
        z = torch.as_tensor(self.codes(count))  # ok: TL203
        with torch.no_grad():
            return self.maker(z)

    def walk(self, start, stop, frames=3):
        share = torch.from_numpy(np.linspace(0, 1, frames, dtype=np.float32))[:, None]  # ok: TL203
        with torch.no_grad():
            return self.maker(start + share * (stop - start))


single = partial(torch.as_tensor, dtype=torch.float32)


class CastSampler(Sampler):
    def preview(self, count):
        z = single(self.codes(count))  # ok: TL203
        with torch.no_grad():
            return self.maker(z)

    def walk(self, start, stop, frames=3):
        with torch.no_grad():
            return torch.stack([self.maker(start + s * (stop - start)) for s in np.linspace(0, 1, frames).tolist()])


def demonstrate():
    torch.manual_seed(0)
    a, b = torch.zeros(6), torch.ones(6)
    for call in (lambda s: s.preview(2), lambda s: s.walk(a, b)):
        try:
            call(Sampler(Maker()))
            raise AssertionError("double latents were mapped")
        except RuntimeError as err:
            assert "dtype" in str(err), err
        for cls in (NarrowSampler, CastSampler):
            assert call(cls(Maker())).dtype is torch.float32
