"""Two-dimensional sine embeddings remembered per (height, width) in a dict on the module.

source: huggingface/transformers#45708 (position embedding caches), tatp22/multidim-positional-encoding#19
rules: [TL104]
"""
import torch
from torch import nn


def sine_plane(h: int, w: int, dim: int, device=None, dtype=None) -> torch.Tensor:
    freq = 100.0 ** (-torch.arange(dim // 4, device=device, dtype=torch.float32) / (dim // 4))
    ys = torch.arange(h, device=device)[:, None, None] * freq
    xs = torch.arange(w, device=device)[None, :, None] * freq
    ys, xs = ys.expand(h, w, -1), xs.expand(h, w, -1)
    return torch.cat([ys.sin(), ys.cos(), xs.sin(), xs.cos()], -1).to(dtype)


class PlaneEncoder(nn.Module):
    def __init__(self, dim: int = 8):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.dim = dim
        self.known: dict = {}

    def plane(self, x):
        raise NotImplementedError

    def forward(self, x):
        return self.proj(x + self.plane(x))


class SizeKeyed(PlaneEncoder):
    def plane(self, x):
        size = tuple(x.shape[1:3])
        if size not in self.known:
            self.known[size] = sine_plane(*size, self.dim, x.device, x.dtype)  # expect: TL104
        return self.known[size]


class TryKeyed(PlaneEncoder):
    """The same omission, spelled with an exception."""

    def plane(self, x):
        h, w = x.shape[1:3]
        found = self.known.get((h, w, str(x.device)))
        if found is None:
            found = self.known[h, w, str(x.device)] = sine_plane(h, w, self.dim, x.device, x.dtype)  # expect: TL104
        return found


class FullKeyed(PlaneEncoder):
    def plane(self, x):
        spot = (*x.shape[1:3], x.device, x.dtype)
        if spot not in self.known:
            self.known[spot] = sine_plane(*spot[:2], self.dim, x.device, x.dtype)  # ok: TL104, TL102
        return self.known[spot]


class ConvertedAtRead(PlaneEncoder):
    def plane(self, x):
        size = tuple(x.shape[1:3])
        if size not in self.known:
            self.known[size] = sine_plane(*size, self.dim)  # ok: TL104, TL102
        return self.known[size].to(x)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 3, 2, 8)
    for cls, dtype_ok, dev_ok in (
        (SizeKeyed, False, False), (TryKeyed, False, True), (FullKeyed, True, True), (ConvertedAtRead, True, True),
    ):
        m = cls()
        m(x)
        m.half()
        try:
            ok = m(x.half()).dtype == torch.float16
        except RuntimeError:
            ok = False
        assert ok is dtype_ok, cls
        m = cls()
        m(x)
        m.to("meta")
        try:
            ok = m(x.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is dev_ok, cls
