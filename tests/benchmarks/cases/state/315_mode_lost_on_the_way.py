"""train() of a two-part segmenter: the mode is not passed on, and eval() works where train(False) does not.

source: open-mmlab/mmpretrain#1383 and wangsr126/MAE-Lite#11 (mode handling of backbones), Lightning calls train(mode) itself
rules: [TL108]
"""
import torch
from torch import nn


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5))
        self.decoder = nn.Linear(4, 2)
        self.tta = False

    def forward(self, x):
        if self.tta:
            return (self.decoder(self.encoder(x)) + self.decoder(self.encoder(x.flip(-1)))) / 2
        return self.decoder(self.encoder(x))


class AugmentedAtEval(Parts):
    """A caller that writes train(False), as frameworks do, gets no test-time flipping."""

    def eval(self):  # expect: TL108
        self.tta = True
        return super().eval()


class AugmentedByMode(Parts):
    def train(self, mode: bool = True):  # ok: TL108
        self.tta = not mode
        return super().train(mode)


class AlwaysTraining(Parts):
    def train(self, mode: bool = True):  # expect: TL108
        if self.encoder[1].p > 0:
            super().train()
        else:
            super().train(False)
        return self


class PinnedEncoder(Parts):
    def train(self, mode: bool = True):  # ok: TL108
        result = super().train(mode)
        self.encoder.train(False)
        return result


class KeywordForwarding(Parts):
    def train(self, *args, **kwargs):  # ok: TL108
        out = super().train(*args, **kwargs)
        self.tta = not self.training
        return out


class Owner(nn.Module):
    def __init__(self, part: nn.Module):
        super().__init__()
        self.part = part


# ---- demonstration: not part of the graded code ----
def demonstrate():
    owner = Owner(AugmentedAtEval())
    owner.eval()
    assert not owner.part.tta, "a parent's eval() calls train(False) of its children"
    for cls in (AugmentedByMode, KeywordForwarding):
        assert Owner(cls()).eval().part.tta
    stuck = Owner(AlwaysTraining()).eval().part
    assert stuck.training and stuck.encoder[1].training
    pinned = Owner(PinnedEncoder()).train().part
    assert pinned.training and not pinned.encoder.training
