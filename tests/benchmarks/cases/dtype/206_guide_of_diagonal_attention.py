"""A text-to-speech loss draws its diagonal guide per sample on the default device, pads the guides and weighs the attention.

source: mozilla/TTS#473
rules: [TL204]
"""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class DiagonalLoss(nn.Module):
    def __init__(self, sigma=0.4):
        super().__init__()
        self.sigma = sigma

    def axis(self, n, like):
        return torch.arange(n) / n  # expect: TL204

    def sheet(self, rows, cols, like):
        y, x = torch.meshgrid(self.axis(rows, like), self.axis(cols, like), indexing="ij")
        return 1.0 - torch.exp(-((y - x) ** 2) / (2 * self.sigma**2))

    def guides(self, align, rows, cols):
        sheets = [self.sheet(r, align.size(2), align) for r in rows]
        return pad_sequence(sheets, batch_first=True)

    def forward(self, align, rows, cols):
        return (align * self.guides(align, rows, cols)).mean()


class DiagonalLossFollows(DiagonalLoss):
    def axis(self, n, like):
        return torch.arange(n, device=like.device) / n  # ok: TL204


class DiagonalLossMoved(DiagonalLoss):
    """Draws on the CPU and hands the whole pile over at once."""

    def axis(self, n, like):
        return torch.arange(n) / n  # ok: TL204

    def guides(self, align, rows, cols):
        return super().guides(align, rows, cols).to(align)


class DiagonalLossSliced(DiagonalLoss):
    """Writes every sheet into a tensor that lives where the attention lives."""

    def sheet(self, rows, cols, like):
        out = like.new_zeros(rows, cols)
        out[:, :] = torch.linspace(0, 1, rows)[:, None] - torch.linspace(0, 1, cols)[None]  # ok: TL204
        return out.abs()


def demonstrate():
    assert DiagonalLoss()(torch.rand(2, 5, 4), [5, 3], [4, 4]) > 0  # the CPU hides it
    align = torch.rand(2, 5, 4, device="meta")
    try:
        DiagonalLoss()(align, [5, 3], [4, 4])
        raise AssertionError("CPU guide times attention of another device")
    except RuntimeError as err:
        assert "device" in str(err)
    for cls in (DiagonalLossFollows, DiagonalLossMoved, DiagonalLossSliced):
        assert cls()(align, [5, 3], [4, 4]).device.type == "meta", cls
