"""Wrappers of several networks forward train() by hand; the wrapper's own mode, or the chain of calls, gets lost.

source: meta-pytorch/botorch#2702, open-mmlab/mmpretrain#1383; GAN wrappers of the pix2pix kind
rules: [TL108]
"""
from __future__ import annotations

import torch
from torch import nn


class PairBase(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.gen = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.5))
        self.dis = nn.Sequential(nn.Linear(dim, 1), nn.Dropout(0.5))

    def forward(self, x):
        fake = self.gen(x)
        return self.dis(fake) if self.training else fake


class ByHandPair(PairBase):
    def train(self, mode: bool = True):  # expect: TL108
        for part in (self.gen, self.dis):
            part.train(mode)
        return self


class DefaultPair(PairBase):
    """Called as train(False) by eval() the discriminator is told True."""

    def train(self, mode=True):  # expect: TL108
        super().train(mode)
        self.dis.train()


class AttributePair(PairBase):
    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self


class FrozenDisPair(PairBase):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.dis.eval()
        return self


class KeywordPair(PairBase):
    def train(self, mode: bool = True) -> "KeywordPair":  # ok: TL108
        return super(KeywordPair, self).train(mode=mode)

    def eval(self) -> "KeywordPair":  # ok: TL108
        return self.train(False)


class PairTrainer:
    def __init__(self, pair: PairBase):
        self.pair = pair

    def train(self, rounds: int):  # ok: TL108
        for _ in range(rounds):
            self.pair.train()

    def eval(self):  # ok: TL108
        self.pair.eval()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 3)
    m = ByHandPair()
    m.eval()
    assert m.training and m(x).shape == (2, 1), "the pair itself never leaves training mode"
    m = DefaultPair()
    assert m.eval() is None and m.dis.training
    for cls in (AttributePair, FrozenDisPair, KeywordPair):
        m = cls()
        assert m.eval() is m and not m.training and not m.gen[1].training and not m.dis[1].training
        assert m.train() is m and m.training and m.gen[1].training
    PairTrainer(KeywordPair()).train(1)
