"""Losses that inherit from torch's own underscored loss bases: what the base registers stays, what the child adds does not.

source: class-balanced and label-distribution losses of long-tail code; woven-by-toyota/l5kit#305 (weights left on the CPU)
rules: [TL101]
"""
import torch
import torch.nn.functional as F
from torch.nn.modules import loss as _losses


def inverse_frequency(counts, power: float = 1.0) -> torch.Tensor:
    freq = torch.as_tensor(counts, dtype=torch.get_default_dtype())
    w = freq.sum() / (freq.clamp_min(1) ** power)
    return w / w.mean()


class AdjustedCrossEntropy(_losses._WeightedLoss):
    """Logit adjustment: the prior is added to the scores, the weights are those of the base."""

    def __init__(self, counts, tau: float = 1.0, **kw):
        super().__init__(weight=inverse_frequency(counts), **kw)
        total = float(sum(counts))
        self.tau = tau
        self.shift = tau * torch.tensor([c / total for c in counts]).log()  # expect: TL101
        self.classes = self.shift.numel()  # ok: TL101

    def forward(self, input, target):
        return F.cross_entropy(input + self.shift, target, weight=self.weight, reduction=self.reduction)


class RescaledCrossEntropy(_losses._WeightedLoss):
    """The base has registered `weight`; assigning to the name replaces the buffer."""

    def __init__(self, counts, power: float = 0.5, **kw):
        super().__init__(weight=torch.ones(len(counts)), **kw)
        self.weight = inverse_frequency(counts, power)  # ok: TL101
        self.floor = inverse_frequency(counts).min().item()  # ok: TL101

    def forward(self, input, target):
        w = self.weight.clamp_min(self.floor)
        return F.cross_entropy(input, target, weight=w, reduction=self.reduction)


class OrdinalSmoothing(_losses.KLDivLoss):
    """Soft targets come from a row of a distance table."""

    def __init__(self, classes: int, sharpness: float = 2.0):
        super().__init__(reduction="batchmean")
        steps = torch.arange(classes, dtype=torch.float32)
        gap = (steps[:, None] - steps).abs()
        self.rows = torch.softmax(-sharpness * gap, dim=-1)  # expect: TL101

    def forward(self, input, target):
        return super().forward(input.log_softmax(-1), self.rows[target])


class OrdinalSmoothingOnTheFly(_losses.KLDivLoss):
    def __init__(self, classes: int, sharpness: float = 2.0):
        super().__init__(reduction="batchmean")
        self.classes, self.sharpness = classes, sharpness

    def forward(self, input, target):
        steps = torch.arange(self.classes, device=input.device, dtype=input.dtype)
        rows = torch.softmax(-self.sharpness * (steps[target][:, None] - steps).abs(), dim=-1)
        return super().forward(input.log_softmax(-1), rows)


# ---- demonstration: not part of the graded code ----
def _moves(crit, classes=3) -> bool:
    crit.to("meta")
    x, y = torch.randn(4, classes, device="meta"), torch.zeros(4, dtype=torch.long, device="meta")
    try:
        return crit(x, y).is_meta
    except (RuntimeError, NotImplementedError):
        return False


def demonstrate():
    counts = [90, 9, 1]
    x, y = torch.randn(4, 3), torch.tensor([0, 1, 2, 0])
    for make, follows in (
        (lambda: AdjustedCrossEntropy(counts), False),
        (lambda: RescaledCrossEntropy(counts), True),
        (lambda: OrdinalSmoothing(3), False),
        (lambda: OrdinalSmoothingOnTheFly(3), True),
    ):
        assert torch.isfinite(make()(x, y))
        assert _moves(make()) is follows
    assert torch.allclose(OrdinalSmoothing(3)(x, y), OrdinalSmoothingOnTheFly(3)(x, y))
    assert set(RescaledCrossEntropy(counts).state_dict()) == {"weight"}
