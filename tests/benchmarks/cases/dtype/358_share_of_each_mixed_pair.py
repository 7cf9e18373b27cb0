"""Mixup with one share per sample: a vector of beta draws widens the images, a single draw would not have.

source: timm-style per-element mixup written by hand ("Input type (double) and bias type (float) should be the same")
rules: [TL203]
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Mixer:
    per_sample = True

    def __init__(self, alpha=0.4, seed=0):
        self.alpha, self.rng = alpha, np.random.default_rng(seed)

    def draw(self, count):
        return self.rng.beta(self.alpha, self.alpha, size=count)

    def share(self, images):
        lam = np.maximum(self.draw(len(images)), 0.5)
        return torch.from_numpy(lam).to(images.device)  # expect: TL203

    def __call__(self, images):
        lam = self.share(images)
        lam = lam.reshape(-1, *[1] * (images.dim() - 1))
        return lam * images + (1 - lam) * images.flip(0), lam.flatten()


class OneShareMixer(Mixer):
    """One number for the batch: a 0-dim tensor does not widen anything."""

    def share(self, images):
        return torch.tensor(self.rng.beta(self.alpha, self.alpha))  # ok: TL203


class LikeMixer(Mixer):
    def share(self, images):
        return torch.from_numpy(self.draw(len(images))).to(images)  # ok: TL203


class LegacyMixer(Mixer):
    def share(self, images):
        return torch.FloatTensor(self.draw(len(images)))  # ok: TL203


def step(net, mixer, images, labels):
    mixed, lam = mixer(images)
    out = net(mixed)
    first, second = (F.cross_entropy(out, t, reduction="none") for t in (labels, labels.flip(0)))
    return (lam * first + (1 - lam) * second).mean()


def demonstrate():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2, 3))
    images, labels = torch.randn(4, 1, 6, 6), torch.randint(0, 3, (4,))
    try:
        step(net, Mixer(), images, labels)
        raise AssertionError("double images went through a float layer")
    except RuntimeError as err:
        assert "type" in str(err), err
    for cls in (OneShareMixer, LikeMixer, LegacyMixer):
        assert step(net, cls(), images, labels).dtype is torch.float32, cls
