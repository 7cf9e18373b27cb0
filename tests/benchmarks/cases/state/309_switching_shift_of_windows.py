"""Shifted-window attention: the mask is kept per resolution, although the shift can be changed through a property.

source: shifted-window backbones with a mask dict per size; key reviews of flashinfer-ai/flashinfer#4320 (arguments left out)
rules: [TL104]
"""
import torch
from torch import nn


def shift_mask(h: int, w: int, win: int, shift: int, like: torch.Tensor) -> torch.Tensor:
    label = torch.zeros(h, w, device=like.device)
    if shift:
        label[-shift:] += 1
        label[:, -shift:] += 2
    tiles = label.view(h // win, win, w // win, win).transpose(1, 2).reshape(-1, win * win)
    gap = tiles[:, None] != tiles[..., None]
    return torch.zeros(gap.shape, dtype=like.dtype, device=like.device).masked_fill(gap, -100.0)


class WindowMixer(nn.Module):
    def __init__(self, dim: int = 4, win: int = 2, shift: int = 1):
        super().__init__()
        self.qk = nn.Linear(dim, 2 * dim)
        self.win = win
        self._shift = shift
        self._masks: dict = {}  # ok: TL105

    @property
    def shift(self) -> int:
        return self._shift

    @shift.setter
    def shift(self, value: int) -> None:
        self._shift = value

    def mask_for(self, x):
        key = self.key(x)
        try:
            return self._masks[key]
        except KeyError:
            return self._fill(key, x)

    def _fill(self, key, x):
        made = shift_mask(x.shape[1], x.shape[2], self.win, self._shift, x)
        self._masks[key] = made  # expect: TL104
        return made

    def key(self, x):
        return (*x.shape[1:3], x.device, x.dtype)

    def forward(self, x):
        b, h, w, c = x.shape
        x = x.roll((-self._shift, -self._shift), (1, 2))
        t = x.view(b, h // self.win, self.win, w // self.win, self.win, c).transpose(2, 3).reshape(b, -1, self.win**2, c)
        q, k = self.qk(t).chunk(2, -1)
        return torch.softmax(q @ k.mT + self.mask_for(x), -1) @ t


class ForgettingMixer(WindowMixer):
    """The setter empties the dict."""

    @property
    def shift(self) -> int:
        return self._shift

    @shift.setter
    def shift(self, value: int) -> None:
        self._shift = value
        self._masks.clear()

    def _fill(self, key, x):
        return self._masks.setdefault(key, shift_mask(*x.shape[1:3], self.win, self._shift, x))  # ok: TL104, TL102


class FullKeyMixer(WindowMixer):
    def key(self, x):
        return (*x.shape[1:3], self.win, self._shift, x.device, x.dtype)

    def _fill(self, key, x):
        made = self._masks[key] = shift_mask(*key[:4], like=x)  # ok: TL104, TL102
        return made


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(1, 4, 4, 4)
    for cls, right in ((WindowMixer, False), (ForgettingMixer, True), (FullKeyMixer, True)):
        net = cls()
        net(x)
        net.shift = 0
        fresh = cls(shift=0)
        fresh.load_state_dict(net.state_dict())
        assert torch.allclose(net(x), fresh(x)) is right, cls
