"""A segmentation meter adds counts to torch.Tensor(n, n), whose memory was never filled; a legend takes a tuple as sizes.

source: semantic segmentation evaluation helpers
rules: [TL202]
"""
import torch


class ConfusionMeter:
    def __init__(self, classes: int):
        self.classes = classes
        self.hist = torch.Tensor(classes, classes)  # expect: TL202

    def add(self, pred, label):
        cell = label.flatten() * self.classes + pred.flatten()
        count = torch.bincount(cell, minlength=self.classes**2)
        self.hist += count.view(self.classes, self.classes)

    def iou(self):
        hit = self.hist.diag()
        return hit / (self.hist.sum(0) + self.hist.sum(1) - hit).clamp(min=1)


def pixel_share(label, classes):
    share = torch.FloatTensor(classes)  # expect: TL202
    for c in range(classes):
        share[c] += (label == c).sum()
    return share / label.numel()


def palette(classes):
    colors = torch.Tensor((classes, 3))  # expect: TL202
    return colors.uniform_(0, 255).round()


class ConfusionMeterFixed(ConfusionMeter):
    def __init__(self, classes: int):
        self.classes = classes
        self.hist = torch.zeros(classes, classes)  # ok: TL202

    def merge(self, other):
        extra = other if isinstance(other, torch.Tensor) else other.hist  # ok: TL202
        self.hist += extra


def pixel_share_fixed(label: torch.Tensor, classes: int) -> torch.Tensor:  # ok: TL202
    share = torch.empty(classes)  # ok: TL202
    for c in range(classes):
        share[c] = (label == c).sum()
    return share / label.numel()


def palette_fixed(classes):
    colors = torch.empty((classes, 3))  # ok: TL202
    return colors.uniform_(0, 255).round()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    label = torch.randint(0, 3, (2, 5, 5))
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)  # fills uninitialised memory with NaN and so makes it visible
    try:
        bad, good = ConfusionMeter(3), ConfusionMeterFixed(3)
        bad.add(label, label)
        good.add(label, label)
        good.merge(torch.zeros(3, 3))
        assert bad.iou().isnan().all()
        assert torch.equal(good.iou(), torch.ones(3))
        assert pixel_share(label, 3).isnan().all()
        assert torch.isclose(pixel_share_fixed(label, 3).sum(), torch.tensor(1.0))
    finally:
        torch.use_deterministic_algorithms(before)
    assert palette(5).shape == (2,)  # two numbers, not five colours
    assert palette_fixed(5).shape == (5, 3)
