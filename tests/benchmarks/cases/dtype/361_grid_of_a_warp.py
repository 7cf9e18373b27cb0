"""Optical flow: a warp adds a pixel grid to the flow; the grid helper has a device parameter that one caller leaves at its default.

source: RAFT-style coords_grid helpers; jeshraghian/snntorch#188 kind (device argument left at "cpu")
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


def pixel_grid(height, width, device=None):
    y, x = torch.meshgrid(
        torch.arange(height, device=device), torch.arange(width, device=device), indexing="ij"  # ok: TL204
    )
    return torch.stack([x, y]).float()


class Warp(nn.Module):
    """Samples a map where the flow points to."""

    def grid(self, flow):
        rows = torch.linspace(-1, 1, flow.size(2))  # expect: TL204
        cols = torch.linspace(-1, 1, flow.size(3))  # expect: TL204
        return torch.stack(torch.meshgrid(cols, rows, indexing="xy"))

    def forward(self, image, flow):
        at = self.grid(flow)[None] + flow
        return F.grid_sample(image, at.permute(0, 2, 3, 1), align_corners=True)


class PixelWarp(Warp):
    def grid(self, flow):
        return pixel_grid(*flow.shape[-2:], device=flow.device)

    def forward(self, image, flow):
        at = self.grid(flow) + flow
        size = at.new_tensor([image.size(3) - 1, image.size(2) - 1])  # ok: TL204
        return F.grid_sample(image, 2 * at.permute(0, 2, 3, 1) / size - 1, align_corners=True)


class Pyramid(nn.Module):
    warp = Warp

    def __init__(self, levels=2):
        super().__init__()
        self.warps = nn.ModuleList(self.warp() for _ in range(levels))
        self.flow = nn.Conv2d(1, 2, 3, padding=1)

    def forward(self, first, second):
        for w in self.warps:
            second = w(second, self.flow(first))
        return second - first


class PixelPyramid(Pyramid):
    warp = PixelWarp


class TypedWarp(Warp):
    """Built on the CPU, but type_as() takes type and device of the flow."""

    def grid(self, flow):
        return pixel_grid(*flow.shape[-2:]).type_as(flow)


class TypedPyramid(Pyramid):
    warp = TypedWarp


def demonstrate():
    assert Pyramid()(torch.randn(1, 1, 4, 4), torch.randn(1, 1, 4, 4)).shape == (1, 1, 4, 4)
    first, second = torch.randn(2, 1, 1, 4, 4, device="meta")
    try:
        Pyramid().to("meta")(first, second)
        raise AssertionError("a grid of the CPU was added to a flow elsewhere")
    except RuntimeError as err:
        assert "is not on the expected device" in str(err), err
    assert PixelPyramid().to("meta")(first, second).device.type == "meta"
    assert TypedPyramid()(first.new_zeros(1, 1, 4, 4, device="cpu"), torch.randn(1, 1, 4, 4)).shape == (1, 1, 4, 4)
