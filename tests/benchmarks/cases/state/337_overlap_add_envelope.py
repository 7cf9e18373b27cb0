"""Overlap-add synthesis divides by the summed squares of its window; the sum is remembered per number of frames.

source: inverse short-time transforms in vocoders (window sum cached by frame count), csteinmetz1/auraloss#41
rules: [TL104]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Synthesis(nn.Module):
    def __init__(self, size: int = 4, hop: int = 2):
        super().__init__()
        self.size, self.hop = size, hop
        self.register_buffer("window", torch.hann_window(size) + 0.1, persistent=False)
        self._count, self._env = -1, None

    def set_hop(self, hop: int) -> None:
        self.hop = hop

    def overlap(self, frames: torch.Tensor) -> torch.Tensor:
        length = (frames.shape[-1] - 1) * self.hop + self.size
        return F.fold(frames, (1, length), (1, self.size), stride=(1, self.hop)).flatten(1)

    def _fits(self, frames: torch.Tensor) -> bool:
        return self._count == frames.shape[-1]

    def envelope(self, frames):
        if not self._fits(frames):
            self._count = frames.shape[-1]
            squares = self.window.square()[None, :, None].expand(1, -1, self._count)
            self._env = self.overlap(squares.contiguous())  # expect: TL104
        return self._env

    def forward(self, frames):
        return self.overlap(frames * self.window[:, None]) / self.envelope(frames)


class KeyedSynthesis(Synthesis):
    def _key(self, frames):
        return (frames.shape[-1], self.hop, self.window.device, self.window.dtype)

    def envelope(self, frames):
        if self._count != self._key(frames):
            self._count = self._key(frames)
            squares = self.window.square()[None, :, None].expand(1, -1, frames.shape[-1])
            self._env = self.overlap(squares.contiguous())  # ok: TL104, TL102
        return self._env


class DirectSynthesis(Synthesis):
    """Remembers how many frames there were, for the progress bar."""

    def envelope(self, frames):
        self._count = frames.shape[-1]  # ok: TL104, TL102
        squares = self.window.square()[None, :, None].expand(1, -1, self._count)
        return self.overlap(squares.contiguous())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    frames = torch.randn(2, 4, 3)
    for cls, right in ((Synthesis, False), (KeyedSynthesis, True), (DirectSynthesis, True)):
        net, fresh = cls(hop=2), cls(hop=1)
        net(frames)
        net.set_hop(1)
        try:
            ok = torch.allclose(net(frames), fresh(frames))
        except RuntimeError:
            ok = False
        assert ok is right, cls
        net = cls()
        net(frames)
        assert (net.bfloat16()(frames.bfloat16()).dtype == torch.bfloat16) is right, cls
