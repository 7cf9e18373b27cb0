"""torch.Tensor(shape) with a tuple makes a tensor that holds the sizes instead of a tensor of that size.

source: forum threads on torch.Tensor((h, w)); layers whose size arrives as one tuple from a config
rules: [TL202]
"""
import torch
from torch import nn


class LearnedGrid(nn.Module):
    """Adds one learned value per cell."""

    def __init__(self, cfg):
        super().__init__()
        size = (cfg["rows"], cfg["cols"])
        self.cells = nn.Parameter(torch.Tensor(size))  # expect: TL202
        nn.init.zeros_(self.cells)

    def forward(self, x):
        return x + self.cells


class LearnedGridFixed(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        size = (cfg["rows"], cfg["cols"])
        self.cells = nn.Parameter(torch.empty(size))  # ok: TL202
        self.reset()

    def reset(self):
        nn.init.zeros_(self.cells)

    def forward(self, x):
        return x + self.cells


class SizedGrid(LearnedGridFixed):
    def bias_like(self, image: torch.Tensor) -> torch.Tensor:
        height, width = image.shape[-2:]
        offset = torch.tensor((height, width), dtype=torch.float32)  # ok: TL202
        return image - offset.mean().item()


# ---- demonstration ----
def demonstrate():
    cfg = {"rows": 3, "cols": 4}
    bad, good = LearnedGrid(cfg), LearnedGridFixed(cfg)
    assert bad.cells.shape == (2,), bad.cells.shape
    assert good.cells.shape == (3, 4)
    x = torch.randn(2, 3, 4)
    try:
        bad(x)
        raise AssertionError("the tuple was taken as sizes")
    except RuntimeError as err:
        assert "must match the size" in str(err), err
    assert good(x).shape == (2, 3, 4)
    assert SizedGrid(cfg).bias_like(x).shape == x.shape
