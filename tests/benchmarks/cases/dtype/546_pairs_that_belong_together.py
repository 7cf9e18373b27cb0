"""Picture-text matching: the pairs are joined as right, wrong, wrong; their class numbers are ones and zeros, which are floating.

source: Thunderbeee/ZSCL#6, burlachenkok/flpytorch#14 (class labels must be integers for cross_entropy); matching losses of two-tower models
rules: [TL201]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Matcher(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.fuse = nn.Sequential(nn.Linear(2 * dim, 8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def labels(self, right, wrong, device):
        raise NotImplementedError

    def forward(self, picture, text):
        n = len(picture)
        pairs = torch.cat(
            [
                torch.cat([picture, text], -1),
                torch.cat([picture.roll(1, 0), text], -1),
                torch.cat([picture, text.roll(1, 0)], -1),
            ]
        )
        y = self.labels(n, 2 * n, picture.device)
        return F.cross_entropy(self.head(self.fuse(pairs)), y)  # use: TL201


class FloatMatcher(Matcher):
    def labels(self, right, wrong, device):
        return torch.cat([torch.ones(right, device=device), torch.zeros(wrong, device=device)])  # expect: TL201


class LongMatcher(Matcher):
    def labels(self, right, wrong, device):
        one = torch.ones(right, dtype=torch.long, device=device)
        return torch.cat([one, one.new_zeros(wrong)])  # ok: TL201


class ComparedMatcher(Matcher):
    """Compared, then cast: places below the first wrong pair are right."""

    def labels(self, right, wrong, device):
        place = torch.arange(right + wrong, device=device)
        return (place < right).long()  # ok: TL201


class SoftMatcher(Matcher):
    """Shares of both classes: floating targets of the logits' shape are meant to be floating."""

    def labels(self, right, wrong, device):
        soft = torch.full((right + wrong, 2), 0.05, device=device)  # ok: TL201
        soft[:right, 1], soft[right:, 0] = 0.95, 0.95
        return soft


class BinaryMatcher(Matcher):
    """One logit instead of two: there the labels have to be floating."""

    def forward(self, picture, text):
        scores = self.head(self.fuse(torch.cat([picture, text], -1)))[:, 1]
        want = torch.ones(len(scores), device=scores.device)  # ok: TL201
        return F.binary_cross_entropy_with_logits(scores, want)


def demonstrate():
    picture, text = torch.randn(3, 4), torch.randn(3, 4)
    for cls, works in (
        (FloatMatcher, False), (LongMatcher, True), (ComparedMatcher, True), (SoftMatcher, True), (BinaryMatcher, True),
    ):
        try:
            assert cls()(picture, text).isfinite()
            ok = True
        except RuntimeError as err:
            assert "Long" in str(err), err
            ok = False
        assert ok is works, cls
