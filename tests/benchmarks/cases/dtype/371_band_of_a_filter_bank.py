"""A vocoder splits its signal with a fixed filter "in full precision"; the convolution stands under the decorator of the method.

source: alias-free vocoder and filter-bank layers; huggingface/diffusers#13920 kind
rules: [TL401]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Bank(nn.Module):
    def __init__(self, taps=5):
        super().__init__()
        self.scale = nn.Conv1d(1, 1, 1)
        self.taps = taps
        self.register_buffer("kernel", torch.hann_window(taps + 2)[1:-1][None, None])

    @torch.autocast(KIND, dtype=torch.bfloat16)
    def forward(self, wave):
        wave = self.scale(wave)
        wide = wave.to(torch.float32)  # expect: TL401
        smooth = F.conv1d(wide, self.kernel, padding=self.taps // 2)
        return smooth / self.kernel.sum()


class BankSpectral(Bank):
    """fft is not on autocast's list of low precision: the cast holds (and is needed)."""

    @torch.autocast(KIND, dtype=torch.bfloat16)
    def forward(self, wave):
        wide = self.scale(wave).to(torch.float32)  # ok: TL401
        return torch.fft.irfft(torch.fft.rfft(wide)[..., : self.taps], n=wide.size(-1))


class BankPooled(Bank):
    """Pooling is computed in the type that it is given."""

    @torch.autocast(KIND, dtype=torch.bfloat16)
    def forward(self, wave):
        wide = self.scale(wave).to(torch.float32)  # ok: TL401
        return F.avg_pool1d(wide, self.taps, stride=1, padding=self.taps // 2)


class BankSplit(Bank):
    """The decorated method only runs the trained layer."""

    @torch.autocast(KIND, dtype=torch.bfloat16)
    def low(self, wave):
        return self.scale(wave)

    def forward(self, wave):
        wide = self.low(wave).to(torch.float32)  # ok: TL401
        return F.conv1d(wide, self.kernel, padding=self.taps // 2) / self.kernel.sum()


def demonstrate():
    torch.manual_seed(0)
    wave = torch.randn(1, 1, 32, device=KIND)
    assert Bank().to(KIND)(wave).dtype is torch.bfloat16
    for cls in (BankSpectral, BankPooled, BankSplit):
        assert cls().to(KIND)(wave).dtype is torch.float32, cls
