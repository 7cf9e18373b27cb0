"""A segmentation score keeps its confusion counts in tables that reset() takes from the legacy constructor; nothing clears them.

source: metric classes of segmentation code; gordicaleksa/pytorch-GAT#11 kind (raw memory of the legacy constructor is read)
rules: [TL202]
"""
import torch


class Score:
    def __init__(self, classes, parts=("val", "test")):
        self.classes, self.parts = classes, parts
        self.reset()

    def blank(self):
        return torch.FloatTensor(self.classes, self.classes)  # expect: TL202

    def reset(self):
        self.tables = {part: self.blank() for part in self.parts}

    def add(self, part, guess, truth):
        flat = truth.flatten() * self.classes + guess.flatten()
        seen = torch.bincount(flat, minlength=self.classes**2).view(self.classes, self.classes)
        self.tables[part] += seen

    def mean_iou(self, part):
        table = self.tables[part]
        hit = table.diagonal()
        return (hit / (table.sum(0) + table.sum(1) - hit).clamp(min=1)).mean()


class ZeroedScore(Score):
    def blank(self):
        return torch.FloatTensor(self.classes, self.classes).zero_()  # ok: TL202


class ModernScore(Score):
    def blank(self):
        return torch.zeros(self.classes, self.classes)  # ok: TL202


class LastOnly(Score):
    """Every cell is overwritten before anybody reads it."""

    def blank(self):
        return torch.empty(self.classes, self.classes)  # ok: TL202

    def add(self, part, guess, truth):
        flat = truth.flatten() * self.classes + guess.flatten()
        self.tables[part].copy_(torch.bincount(flat, minlength=self.classes**2).view(self.classes, -1))


def demonstrate():
    guess = torch.tensor([0, 1, 1, 0])
    torch.use_deterministic_algorithms(True)  # makes torch.empty show what it does: memory is filled with NaN
    try:
        bad = Score(2)
        ruined = [torch.full((2, 2), float("nan")) for _ in range(64)]
        del ruined
        good = [ZeroedScore(2), ModernScore(2), LastOnly(2)]
        for score in good:
            score.add("val", guess, guess)
            assert score.mean_iou("val") == 1
        raw = [Score(2).tables["val"] for _ in range(8)]
        bad.add("val", guess, guess)
        assert not all(torch.equal(r, torch.zeros(2, 2)) for r in raw), "raw memory happened to be clear"
    finally:
        torch.use_deterministic_algorithms(False)
