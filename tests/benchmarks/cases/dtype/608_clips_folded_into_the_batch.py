"""A video network folds time into the batch after it swapped channels and time; the swap leaves nothing that view could merge.

source: mit-han-lab/temporal-shift-module#235, dmlc/gluon-cv#1618 (permuted videos and view)
rules: [TL205]
"""
import torch
from torch import nn


class ClipEncoder(nn.Module):
    def __init__(self, channels=3, width=4):
        super().__init__()
        self.conv = nn.Conv2d(channels, width, 3, padding=1)

    def forward(self, clip):
        b, c, t, h, w = clip.shape
        frames = clip.transpose(1, 2).view(b * t, c, h, w)  # expect: TL205
        return self.conv(frames).mean((2, 3)).view(b, t, -1)  # ok: TL205


class ClipEncoderReshape(ClipEncoder):
    def forward(self, clip):
        b, c, t, h, w = clip.shape
        frames = clip.transpose(1, 2).reshape(b * t, c, h, w)  # ok: TL205
        return self.conv(frames).mean((2, 3)).view(b, t, -1)  # ok: TL205


class ClipEncoderPixels(ClipEncoder):
    """Only height and width are merged; they are still neighbours after the swap."""

    def forward(self, clip):
        b, c, t, h, w = clip.shape
        pixels = clip.transpose(1, 2).view(b, t, c, h * w)  # ok: TL205
        return pixels.mean(-1)


class ClipEncoderMerged(ClipEncoder):
    def forward(self, clip):
        b, c, t, h, w = clip.shape
        frames = clip.permute(0, 2, 1, 3, 4).contiguous()
        return self.conv(frames.view(b * t, c, h, w)).mean((2, 3)).view(b, t, -1)  # ok: TL205


class SnippetVoting(nn.Module):
    """Votes of the snippets: scores come snippet last."""

    def forward(self, scores, snippets):
        n, k = scores.shape
        by_class = scores.view(n // snippets, snippets, k).permute(0, 2, 1)
        votes = by_class.sigmoid()
        return votes.view(-1, snippets).mean(1)  # expect: TL205


def demonstrate():
    clip = torch.randn(2, 3, 4, 5, 5)
    for broken in (lambda: ClipEncoder()(clip), lambda: SnippetVoting()(torch.randn(6, 4), 3)):
        try:
            broken()
            raise AssertionError("view merged dimensions that are not adjacent")
        except RuntimeError as err:
            assert "view size" in str(err), err
    assert ClipEncoderReshape()(clip).shape == ClipEncoderMerged()(clip).shape == (2, 4, 4)
    assert ClipEncoderPixels()(clip).shape == (2, 4, 3)
