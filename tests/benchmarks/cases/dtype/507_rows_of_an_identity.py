"""An overlap loss makes one-hot labels by picking rows of an identity matrix; the matrix is on the default device, the labels are not.

source: Dice/Jaccard losses that write torch.eye(classes)[labels]; InfiniTensor/llaisys#11 kind (a helper tensor left on the CPU)
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Overlap(nn.Module):
    def __init__(self, classes: int, smooth: float = 1.0):
        super().__init__()
        self.classes, self.smooth = classes, smooth

    def rows(self, labels):
        raise NotImplementedError

    def forward(self, logits, labels):
        probs = logits.softmax(1)
        truth = self.rows(labels).movedim(-1, 1).to(probs.dtype)
        both = (probs * truth).flatten(2).sum(-1)
        all_ = (probs + truth).flatten(2).sum(-1)
        return 1 - ((2 * both + self.smooth) / (all_ + self.smooth)).mean()


class EyeOverlap(Overlap):
    def rows(self, labels):
        return torch.eye(self.classes)[labels]  # expect: TL204


class ShiftedOverlap(Overlap):
    """Leaves the background out; the list of foreground classes becomes a tensor at every call."""

    def rows(self, labels):
        wanted = torch.arange(1, self.classes)  # expect: TL204
        return labels.unsqueeze(-1) == torch.cat([wanted, wanted.new_tensor([-1])])


class PlacedOverlap(Overlap):
    def rows(self, labels):
        return torch.eye(self.classes, device=labels.device)[labels]  # ok: TL204


class OneHotOverlap(Overlap):
    def rows(self, labels):
        return F.one_hot(labels, self.classes)  # ok: TL204


class RoundTripOverlap(Overlap):
    """Slow, but consistent: picked on the CPU, then sent where the labels are."""

    def rows(self, labels):
        return torch.eye(self.classes)[labels.cpu()].to(labels.device)  # ok: TL204


class FirstRowOverlap(Overlap):
    """A CPU tensor of places may index a device tensor, so this one is right."""

    def rows(self, labels):
        hot = F.one_hot(labels, self.classes)
        return hot[..., torch.arange(self.classes)]  # ok: TL204


def demonstrate():
    logits, labels = torch.randn(2, 3, 4, 4), torch.randint(0, 3, (2, 4, 4))
    for cls, works in (
        (EyeOverlap, False), (ShiftedOverlap, False), (PlacedOverlap, True), (OneHotOverlap, True),
        (FirstRowOverlap, True),
    ):
        try:
            assert cls(3)(logits.to("meta"), labels.to("meta")).is_meta
            ok = True
        except RuntimeError as err:
            assert "device" in str(err), err
            ok = False
        assert ok is works, cls
    for cls in (EyeOverlap, PlacedOverlap, OneHotOverlap, RoundTripOverlap, FirstRowOverlap):
        assert 0 < cls(3)(logits, labels) < 1  # on one device nothing is wrong
