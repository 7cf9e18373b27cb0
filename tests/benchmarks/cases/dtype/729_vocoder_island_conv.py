"""The last convolution of a vocoder sits in a float32 island, but it is handed the bf16 activation of the region around it.

source: speech synthesis models that keep waveform output layers out of AMP
rules: [TL409]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Vocoder(nn.Module):
    def __init__(self, mels=6, width=8):
        super().__init__()
        self.pre = nn.Conv1d(mels, width, 3, padding=1)
        self.norm = nn.GroupNorm(2, width)
        self.post = nn.Conv1d(width, 1, 7, padding=3)
        self.pitch = nn.Linear(mels, 1)

    def forward(self, mel):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = F.leaky_relu(self.pre(mel), 0.1)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                wave = self.post(h)  # expect: TL409
            return torch.tanh(wave)

    def gain(self, mel):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            scores = torch.matmul(mel.transpose(1, 2), mel)
            with torch.autocast(DEVICE_TYPE, dtype=torch.float32, enabled=False):
                return self.pitch(scores).exp()  # expect: TL409


class VocoderFixed(Vocoder):
    def forward(self, mel):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = F.leaky_relu(self.pre(mel), 0.1)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                wave = self.post(h.float())  # ok: TL401, TL409
            return torch.tanh(wave)

    def gain(self, mel):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.pre(mel)
            energy = h.pow(2).mean(dim=1, keepdim=True)
            with torch.autocast(DEVICE_TYPE, enabled=False):
                pitch = self.pitch(mel.transpose(1, 2))  # ok: TL409
                return pitch.exp() * energy.transpose(1, 2).log1p()


class VocoderSplit(Vocoder):
    """The cast stands in front of the island, and the region ends before the last layer."""

    def forward(self, mel):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = F.leaky_relu(self.pre(mel), 0.1)
            h = h.to(torch.float32)  # ok: TL401
            with torch.autocast(DEVICE_TYPE, enabled=False):
                h = self.norm(h)  # ok: TL409
                wave = self.post(h)  # ok: TL409
        return torch.tanh(wave)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    mel = torch.randn(2, 6, 6, device=DEVICE_TYPE)
    bad, good = Vocoder().to(DEVICE_TYPE), VocoderFixed().to(DEVICE_TYPE)
    for broken in (lambda: bad(mel), lambda: bad.gain(mel)):
        try:
            broken()
            raise AssertionError("a float32 layer took a bf16 input outside autocast")
        except RuntimeError as err:
            assert "type" in str(err), err
    split = VocoderSplit().to(DEVICE_TYPE)
    assert good(mel).dtype is torch.float32 and good(mel).shape == (2, 1, 6)
    assert split(mel).dtype is torch.float32
    assert good.gain(mel).shape == (2, 6, 1)
