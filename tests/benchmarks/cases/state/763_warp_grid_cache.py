"""Optical flow: the base grid of the warp is cached under the shape alone, the smoothing kernel under nothing.

source: written from scratch; the scheme of the warp cache is common in flow and frame interpolation code
rules: [TL104]
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

_GRIDS: dict[tuple, torch.Tensor] = {}
_KEYED_GRIDS: dict[tuple, torch.Tensor] = {}


def pixel_grid(height: int, width: int, like: torch.Tensor) -> torch.Tensor:
    ys = torch.linspace(-1, 1, height, device=like.device, dtype=like.dtype)
    xs = torch.linspace(-1, 1, width, device=like.device, dtype=like.dtype)
    return torch.stack((xs.expand(height, width), ys[:, None].expand(height, width)), dim=-1)


def backwarp(image: torch.Tensor, flow: torch.Tensor) -> torch.Tensor:
    key = tuple(flow.shape[2:])
    if key not in _GRIDS:
        _GRIDS[key] = pixel_grid(*key, like=flow)  # expect: TL104
    grid = _GRIDS[key] + flow.permute(0, 2, 3, 1)
    return F.grid_sample(image, grid, align_corners=True)


def backwarp_keyed(image: torch.Tensor, flow: torch.Tensor) -> torch.Tensor:
    key = (flow.shape[2], flow.shape[3], flow.device, flow.dtype)
    if key not in _KEYED_GRIDS:
        _KEYED_GRIDS[key] = pixel_grid(flow.shape[2], flow.shape[3], like=flow)  # ok: TL104
    return F.grid_sample(image, _KEYED_GRIDS[key] + flow.permute(0, 2, 3, 1), align_corners=True)


class FlowRefiner(nn.Module):
    def __init__(self, channels: int = 2):
        super().__init__()
        self.conv = nn.Conv2d(2 * channels, 2, 3, padding=1)
        self._blur = None

    def smooth(self, flow: torch.Tensor) -> torch.Tensor:
        if self._blur is None:
            self._blur = torch.full((2, 1, 3, 3), 1 / 9, device=flow.device, dtype=flow.dtype)  # expect: TL104
        return F.conv2d(flow, self._blur, padding=1, groups=2)

    def warp(self, image: torch.Tensor, flow: torch.Tensor) -> torch.Tensor:
        return backwarp(image, flow)

    def forward(self, first: torch.Tensor, second: torch.Tensor, flow: torch.Tensor) -> torch.Tensor:
        flow = self.smooth(flow)
        return flow + self.conv(torch.cat([first, self.warp(second, flow)], dim=1))


class PortableRefiner(FlowRefiner):
    def smooth(self, flow):
        if self._blur is None:
            self._blur = torch.full((2, 1, 3, 3), 1 / 9)  # ok: TL104  (converted wherever it is read)
        return F.conv2d(flow, self._blur.to(flow.device, flow.dtype), padding=1, groups=2)

    def warp(self, image, flow):
        return backwarp_keyed(image, flow)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    a, b, flow = torch.rand(1, 2, 5, 6), torch.rand(1, 2, 5, 6), torch.zeros(1, 2, 5, 6)
    bad, good = FlowRefiner(), PortableRefiner()
    good.load_state_dict(bad.state_dict())
    assert torch.allclose(bad(a, b, flow), good(a, b, flow), atol=1e-6)
    bad.double(), good.double()
    try:
        bad.smooth(flow.double())
        raise AssertionError("a float32 kernel should clash with a float64 flow")
    except RuntimeError:
        pass
    assert good(a.double(), b.double(), flow.double()).dtype == torch.float64
    try:
        backwarp(b.to("meta"), flow.to("meta"))
        raise AssertionError("the cached CPU grid should clash with the moved flow")
    except RuntimeError:
        pass
    good.to("meta")
    assert good(a.double().to("meta"), b.double().to("meta"), flow.double().to("meta")).is_meta
