"""A metric checks that its running sum is wide enough: dtypes are compared with >= and the wider of two is taken with max().

source: reports "'>' not supported between instances of 'torch.dtype' and 'torch.dtype'"
rules: [TL206]
"""
import torch


class MeanMetric:
    def __init__(self, dtype=torch.float32):
        self.total = torch.zeros((), dtype=dtype)
        self.count = 0

    def check(self, values):
        if not self.total.dtype >= values.dtype:  # expect: TL206
            raise TypeError("values are wider than the sum")

    def update(self, values):
        self.check(values)
        self.total += values.sum().to(self.total.dtype)
        self.count += values.numel()

    def merge(self, other):
        dtype = max(self.total.dtype, other.total.dtype)  # expect: TL206
        self.total = self.total.to(dtype) + other.total.to(dtype)
        self.count += other.count
        return self


class MeanMetricFixed(MeanMetric):
    def check(self, values):
        if torch.promote_types(self.total.dtype, values.dtype) != self.total.dtype:  # ok: TL206
            raise TypeError("values are wider than the sum")
        if self.total.dtype.itemsize < values.dtype.itemsize:  # ok: TL206
            raise TypeError("values are wider than the sum")

    def merge(self, other):
        dtype = max(self.total.dtype, other.total.dtype, key=lambda d: torch.finfo(d).bits)  # ok: TL206
        assert dtype in (self.total.dtype, other.total.dtype)  # ok: TL206
        self.total = self.total.to(dtype) + other.total.to(dtype)
        self.count += other.count
        return self


def summary(metrics):
    kinds = sorted({str(m.total.dtype) for m in metrics})  # ok: TL206
    return ", ".join(kinds)


def demonstrate():
    values = torch.ones(3, dtype=torch.float16)
    for broken in (lambda: MeanMetric().update(values), lambda: MeanMetric().merge(MeanMetric(torch.float64))):
        try:
            broken()
            raise AssertionError("dtypes were ordered")
        except TypeError as err:
            assert "not supported between" in str(err), err
    good = MeanMetricFixed()
    good.update(values)
    wide = MeanMetricFixed(torch.float64)
    assert good.merge(wide).total.dtype is torch.float64 and good.count == 3
    assert summary([good]) == "torch.float64"
