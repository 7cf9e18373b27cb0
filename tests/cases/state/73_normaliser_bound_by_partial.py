"""Image statistics are frozen into a partial in the constructor, so the wrapped network moves and the statistics stay.

source: RobustBench/robustbench (normalisation layer as buffers), locuslab/smoothing (NormalizeLayer with means on cuda)
rules: [TL101, TL113]
"""
from functools import partial

import torch
from torch import nn

PRESETS = {"imagenet": ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)), "half": ((0.5,) * 3, (0.5,) * 3)}  # ok: TL113


def standardise(x: torch.Tensor, mu: torch.Tensor, sd: torch.Tensor) -> torch.Tensor:
    return (x - mu) / sd


def column(values) -> torch.Tensor:
    return torch.tensor(values).view(1, -1, 1, 1)


class Guarded(nn.Module):
    def __init__(self, net: nn.Module, preset: str = "imagenet"):
        super().__init__()
        self.net = net
        self.adopt(*PRESETS[preset])

    def adopt(self, mean, std) -> None:
        mu, sd = column(mean), column(std)
        self.pre = partial(standardise, mu=mu, sd=sd)  # expect: TL101

    def forward(self, x):
        return self.net(self.pre(x))


class ParamGuarded(Guarded):
    """The partial holds a bound method; the tensors are found through self at call time."""

    def adopt(self, mean, std):
        for name, values in zip(("mu", "sd"), (mean, std)):
            self.register_buffer(name, column(values), persistent=False)
        self.pre = partial(self._scale, gain=1.0)  # ok: TL101

    def _scale(self, x, gain):
        return standardise(x, self.mu, self.sd) * gain


class FloatGuarded(Guarded):
    def adopt(self, mean, std):
        self.pre = partial(self._scale, mean=tuple(mean), std=tuple(std))  # ok: TL101

    @staticmethod
    def _scale(x, mean, std):
        mu, sd = (x.new_tensor(v).view(1, -1, 1, 1) for v in (mean, std))
        return standardise(x, mu, sd)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.rand(1, 3, 4, 4)
    for cls, follows in ((Guarded, False), (ParamGuarded, True), (FloatGuarded, True)):
        m = cls(nn.Conv2d(3, 2, 1))
        m(x)
        m.half()
        try:
            ok = m(x.half()).dtype == torch.float16
        except RuntimeError as exc:
            assert "Half" in str(exc) or "type" in str(exc), exc
            ok = False
        assert ok is follows, cls
