"""lru_cache on methods of a field network: the encoded pixel grid outlives a cast, a load and the network itself.

source: huggingface/transformers#45412 (method cache keeps models alive), meta-pytorch/botorch#1650; classes written from scratch
rules: [TL112]
"""
import functools

import torch
from torch import nn


@functools.lru_cache(maxsize=8)  # ok: TL112
def pixel_grid(height: int, width: int, device: torch.device, dtype: torch.dtype) -> torch.Tensor:
    ys = torch.linspace(-1, 1, height, device=device, dtype=dtype)
    xs = torch.linspace(-1, 1, width, device=device, dtype=dtype)
    return torch.stack(torch.meshgrid(ys, xs, indexing="ij"), -1).reshape(-1, 2)


class FieldBase(nn.Module):
    def __init__(self, freqs: int = 3, hidden: int = 8):
        super().__init__()
        self.bands = nn.Parameter(torch.randn(2, freqs))
        self.body = nn.Sequential(nn.Linear(2 * freqs, hidden), nn.ReLU(), nn.Linear(hidden, 3))

    @staticmethod
    @functools.lru_cache(maxsize=None)  # ok: TL112
    def tiles(height: int, width: int, size: int) -> tuple[tuple[int, int], ...]:
        return tuple((y, x) for y in range(0, height, size) for x in range(0, width, size))

    def encode(self, xy: torch.Tensor) -> torch.Tensor:
        phase = xy @ self.bands
        return torch.cat([phase.sin(), phase.cos()], -1)

    def features(self, height: int, width: int) -> torch.Tensor:
        grid = pixel_grid(height, width, self.bands.device, self.bands.dtype)
        return self.encode(grid)

    def forward(self, height: int, width: int) -> torch.Tensor:
        return self.body(self.features(height, width)).view(height, width, 3)


class MemoisedField(FieldBase):
    @functools.lru_cache(maxsize=8)  # expect: TL112
    def features(self, height: int, width: int) -> torch.Tensor:
        with torch.no_grad():
            return super().features(height, width)


class MemoisedCoordinates(FieldBase):
    @functools.cache  # expect: TL112
    def coordinates(self, height: int, width: int) -> torch.Tensor:
        like = {"device": self.bands.device, "dtype": self.bands.dtype}
        return torch.cartesian_prod(torch.linspace(-1, 1, height, **like), torch.linspace(-1, 1, width, **like))

    def features(self, height, width):
        return self.encode(self.coordinates(height, width))


class CountingField(FieldBase):
    @functools.cached_property
    def num_weights(self) -> int:  # ok: TL112
        return sum(p.numel() for p in self.parameters())

    def features(self, height, width):
        return super().features(height, width) / self.num_weights**0.5


# ---- demonstration: not part of the graded code ----
def demonstrate():
    import gc
    import weakref

    for cls, right in ((MemoisedField, False), (MemoisedCoordinates, False), (CountingField, True), (FieldBase, True)):
        net = cls()
        net(2, 3)
        net.double()
        try:
            ok = net(2, 3).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is right, cls
        ref = weakref.ref(net)
        del net
        gc.collect()
        assert (ref() is None) is right, cls
    a = MemoisedField()
    with torch.no_grad():
        before = a(2, 3)
        a.bands.add_(1.0)
        assert torch.equal(a(2, 3), before), "the bands changed, the features did not"
    assert FieldBase.tiles(4, 4, 2) == ((0, 0), (0, 2), (2, 0), (2, 2))
