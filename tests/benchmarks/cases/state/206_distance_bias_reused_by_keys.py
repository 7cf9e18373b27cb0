"""Linear attention biases are reused when there are enough key positions; the number of queries is not part of the test.

source: lucidrains/x-transformers#90 (cached bias for differently shaped inputs), mosaicml/examples#132 (rebuild and device catch-up)
rules: [TL104]
"""
import torch
import torch.nn as nn


def slopes(heads: int) -> list[float]:
    return [2.0 ** (-8.0 * (i + 1) / heads) for i in range(heads)]


class DistanceBias(nn.Module):
    """heads x queries x keys, zero at the last key of the last query."""

    def __init__(self, heads: int):
        super().__init__()
        self.register_buffer("slopes", torch.tensor(slopes(heads))[:, None, None], persistent=False)
        self.register_buffer("bias", None, persistent=False)

    def build(self, i: int, j: int) -> torch.Tensor:
        rows = torch.arange(j - i, j, device=self.slopes.device)
        cols = torch.arange(j, device=self.slopes.device)
        return -(rows[:, None] - cols).abs() * self.slopes

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError


class ReusedByKeys(DistanceBias):
    def forward(self, scores):
        i, j = scores.shape[-2:]
        if self.bias is None or self.bias.shape[-1] < j:
            self.bias = self.build(i, j)  # expect: TL104
        return scores + self.bias[..., :i, :j]


class ReusedBothWays(DistanceBias):
    def forward(self, scores):
        i, j = scores.shape[-2:]
        kept = self.bias
        if kept is None or tuple(kept.shape[-2:]) != (i, j):
            kept = self.bias = self.build(i, j)  # ok: TL104, TL102
        return scores + kept.to(scores.dtype)


class LongestSeen(DistanceBias):
    """One square table for the longest sequence so far; every request is a corner of it, and the device is caught up."""

    def __init__(self, heads: int):
        super().__init__(heads)
        self._longest = 0

    def forward(self, scores):
        i, j = scores.shape[-2:]
        if self.bias is None or self._longest < j:
            self.bias = self.build(j, j)  # ok: TL104, TL102
            self._longest = j
        if self.bias.device != scores.device:
            self.bias = self.bias.to(scores.device)
        n = self._longest
        return scores + self.bias[..., j - i : j, :j].to(scores.dtype) if n else scores


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, right in ((ReusedByKeys, False), (ReusedBothWays, True), (LongestSeen, True)):
        m, fresh = cls(2), cls(2)
        m(torch.zeros(1, 2, 1, 8))  # one decoding step over eight keys
        asked = torch.zeros(1, 2, 6, 6)
        try:
            ok = torch.allclose(m(asked), fresh(asked))
        except RuntimeError:
            ok = False
        assert ok is right, cls
        m2 = cls(2)
        m2(torch.zeros(1, 2, 8, 8))
        step = torch.zeros(1, 2, 1, 8)
        assert torch.allclose(m2(step), cls(2)(step)) is right, cls
