"""Crops of a cached volume are standardised 'in float32': the volume is float32, so each crop rewrites a part of the cache.

source: ScrollPrize/villa#1446 (normalisers writing through to the cached supercrop)
rules: [TL308]
"""
from collections import OrderedDict

import numpy as np
import torch


def standardised(crop, eps=1e-6):
    crop = crop.to(torch.float32)
    crop -= crop.mean()  # expect: TL308
    crop /= crop.std() + eps  # use: TL308
    return crop


def standardised_fixed(crop, eps=1e-6):
    crop = crop.to(torch.float32)
    crop = crop - crop.mean()
    crop /= crop.std() + eps  # ok: TL308
    return crop


def clipped(crop, low=-1.0, high=1.0):
    return crop.to(torch.float32).clamp(low, high)  # ok: TL308


def ranked(crop):
    flat = crop.float().flatten().argsort().argsort().float()
    flat /= flat.numel()  # ok: TL308
    return flat.view(crop.shape)


class Volumes:
    def __init__(self, load, keep=2):
        self.load, self.keep, self.kept = load, keep, OrderedDict()

    def volume(self, key):
        if key not in self.kept:
            self.kept[key] = torch.from_numpy(self.load(key))
            while len(self.kept) > self.keep:
                self.kept.popitem(last=False)
        return self.kept[key]

    def crop(self, key, start, size):
        return self.volume(key)[tuple(slice(s, s + size) for s in start)]


class Crops(torch.utils.data.Dataset):
    def __init__(self, volumes, places, size=3, prepare=standardised):
        self.volumes, self.places, self.size, self.prepare = volumes, places, size, prepare

    def __len__(self):
        return len(self.places)

    def __getitem__(self, i):
        key, start = self.places[i]
        return self.prepare(self.volumes.crop(key, start, self.size))


def read(key):
    return np.random.default_rng(key).normal(5.0, 2.0, (4, 4, 4)).astype(np.float32)


def demonstrate():
    for prepare, clean in ((standardised, False), (standardised_fixed, True), (clipped, True), (ranked, True)):
        data = Crops(Volumes(read), [(0, (0, 0, 0)), (0, (1, 1, 1))], prepare=prepare)
        first = data[0].clone()
        data[1]
        assert torch.equal(data[0], first) is clean, prepare
        assert torch.equal(data.volumes.volume(0), torch.from_numpy(read(0))) is clean, prepare
