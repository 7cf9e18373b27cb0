"""A vocoder keeps its last stage out of autocast; the learned activation there is a layer with float32 slopes and gets a bf16 map.

source: pytorch/pytorch#42358 kind (types that differ inside autocast code); vocoder tails with nn.PReLU under autocast(enabled=False)
rules: [TL409]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def exact():
    return torch.autocast(device_type=KIND, enabled=False)


class Tail(nn.Module):
    def __init__(self, channels: int = 4):
        super().__init__()
        self.up = nn.ConvTranspose1d(2, channels, 4, 2, 1)
        self.norm = nn.GroupNorm(2, channels)
        self.act = nn.PReLU(channels)
        self.out = nn.Conv1d(channels, 1, 3, padding=1)

    def finish(self, h):
        raise NotImplementedError

    def forward(self, mel):
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            h = self.up(mel)
            return self.finish(h)


class RawTail(Tail):
    def forward(self, mel):
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            h = self.up(mel)
            with torch.autocast(device_type=KIND, enabled=False):
                h = self.act(h)  # expect: TL409
                return torch.tanh(self.out(h))  # use: TL409


class SplitTail(Tail):
    """The branch that is added is wide; the one that is filtered is not."""

    def forward(self, mel):
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            h = self.up(mel)
            low = h[..., ::2].repeat_interleave(2, -1)
            with exact():
                return torch.tanh(h.float().mean(1, keepdim=True) + self.out(low))  # expect: TL409


class CastTail(Tail):
    def finish(self, h):
        with exact():
            h = self.act(h.float())  # ok: TL409
            return torch.tanh(self.out(h))


class NormTail(Tail):
    """The norm accepts bf16, and what leaves it is widened before the next layer."""

    def finish(self, h):
        with exact():
            h = self.norm(h).float()  # ok: TL409
            return torch.tanh(self.out(self.act(h)))


class PlainTail(Tail):
    """Only functions without parameters inside."""

    def finish(self, h):
        h = self.out(h)
        with exact():
            return torch.tanh(nn.functional.leaky_relu(h, 0.1))  # ok: TL409


def demonstrate():
    mel = torch.randn(1, 2, 6, device=KIND)
    for cls, works in ((RawTail, False), (SplitTail, False), (CastTail, True), (NormTail, True), (PlainTail, True)):
        try:
            assert cls().to(KIND)(mel).shape == (1, 1, 12)
            ok = True
        except RuntimeError as err:
            assert "prelu" in str(err) or "dtype" in str(err) or "type" in str(err), err
            ok = False
        assert ok is works, cls
