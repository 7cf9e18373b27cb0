"""A feature pipeline normalises batch['wav'].to(device) in place; on the same device that is the data set's own memory.

source: pytorch/vision#680 ("the dataset becomes more and more normalized"), pytorch/vision#217
rules: [TL308]
"""
import torch
from torch import nn


class Features(nn.Module):
    def __init__(self, bins=4):
        super().__init__()
        self.register_buffer("window", torch.hann_window(8))
        self.lin = nn.Linear(8, bins)

    def level(self, wav):
        wav = wav.to(self.window.device, torch.float32)
        wav -= wav.mean(-1, keepdim=True)  # expect: TL308
        return wav

    def forward(self, batch):
        return self.lin(self.level(batch["wav"]) * self.window)


class FeaturesPure(Features):
    def level(self, wav):
        wav = wav.to(self.window.device, torch.float32)
        wav = wav - wav.mean(-1, keepdim=True)
        wav /= wav.abs().amax(-1, keepdim=True).clamp(min=1e-3)  # ok: TL308
        return wav


class FeaturesOfFrames(Features):
    """unfold + clone: the write stays here."""

    def level(self, wav):
        frames = wav.contiguous().clone()
        frames[..., 0] = 0.0  # ok: TL308
        return frames.to(self.window.dtype)


class FeaturesInt(Features):
    """Division makes a new tensor before anything is written."""

    def level(self, wav):
        wav = wav / 32768.0
        wav = wav.to(self.window)
        wav.clamp_(-1.0, 1.0)  # ok: TL308
        return wav


# ---- demonstration ----
def demonstrate():
    def kept(cls):
        torch.manual_seed(0)
        data = [{"wav": 0.5 + torch.rand(2, 8)} for _ in range(2)]
        before = [d["wav"].clone() for d in data]
        net = cls()
        for d in data:
            net(d)
        return all(torch.equal(a, d["wav"]) for a, d in zip(before, data))

    assert not kept(Features)
    for cls in (FeaturesPure, FeaturesOfFrames, FeaturesInt):
        assert kept(cls), cls
