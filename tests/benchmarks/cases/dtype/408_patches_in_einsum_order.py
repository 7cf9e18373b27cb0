"""Patches are put in order by a one-operand einsum, which only permutes; the view that follows merges what is no longer adjacent.

source: masked-autoencoder re-implementations that use view where the original reshapes; pytorch/pytorch#141107 kind
rules: [TL205]
"""
import torch
from torch import nn


class Patcher(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def cut(self, images):
        p = self.size
        n, c, height, width = images.shape
        grid = images.view(n, c, height // p, p, width // p, p)  # ok: TL205
        return torch.einsum("nchpwq->nhwpqc", grid)

    def tokens(self, grid):
        n, h, w = grid.shape[:3]
        return grid.view(n, h * w, -1)  # expect: TL205

    def forward(self, images):
        return self.tokens(self.cut(images))

    def picture(self, tokens, h, w):
        p, n = self.size, tokens.size(0)
        grid = tokens.view(n, h, w, p, p, -1)  # ok: TL205
        return torch.einsum("nhwpqc->nchpwq", grid).reshape(n, -1, h * p, w * p)  # ok: TL205


class PatcherFixed(Patcher):
    def tokens(self, grid):
        n, h, w = grid.shape[:3]
        return grid.reshape(n, h * w, -1)  # ok: TL205


class PatcherFlat(Patcher):
    """Rows of patches in front; what the view merges was adjacent all the time."""

    def cut(self, images):
        p = self.size
        n, c, height, width = images.shape
        grid = images.view(n, c, height // p, p * width)  # ok: TL205
        return torch.einsum("nchr->hncr", grid)

    def tokens(self, grid):
        h, n = grid.shape[:2]
        return grid.view(h, n, grid.size(2), self.size, -1).squeeze(1)  # ok: TL205


class Loss(nn.Module):
    def __init__(self, patcher):
        super().__init__()
        self.patcher = patcher

    def forward(self, guess, images):
        return (guess - self.patcher(images)).pow(2).mean()


def demonstrate():
    torch.manual_seed(0)
    images = torch.randn(2, 3, 4, 4)
    guess = torch.zeros(2, 4, 12)
    try:
        Loss(Patcher(2))(guess, images)
        raise AssertionError("the view merged dimensions that are not adjacent")
    except RuntimeError as err:
        assert "view size" in str(err), err
    fixed = PatcherFixed(2)
    assert Loss(fixed)(guess, images) > 0
    assert torch.equal(fixed.picture(fixed(images), 2, 2), images)
    assert PatcherFlat(2)(images).shape == (2, 2, 3, 2, 4)
