"""A conversion that stands under a test of its own dtype always copies; without the test it may not."""
import torch


def mean_in(grads, dtype):
    values = grads.to(dtype) if grads.dtype != dtype else grads.clone()
    return values.mul_(0.5)  # ok: TL308


class Reduced:
    def __init__(self, dtype=torch.float32):
        self.dtype = dtype

    def scaled(self, grads):
        if self.dtype != grads.dtype:
            values = grads.to(self.dtype)
            values.mul_(0.5)  # ok: TL308  here it is another dtype
            return values
        return grads * 0.5

    def scaled_otherwise(self, grads):
        if grads.dtype == self.dtype:
            return grads * 0.5
        else:
            values = grads.to(self.dtype)
            values.mul_(0.5)  # ok: TL308
            return values

    def scaled_anyhow(self, grads, wide):
        if wide != self.dtype:
            grads = grads.to(self.dtype)
            grads.mul_(0.5)  # expect: TL308
        return grads

    def scaled_at_once(self, grads):
        values = grads.to(self.dtype)
        return values.mul_(0.5)  # expect: TL308


def doubled(x, dtype):
    if x.dtype != dtype:
        x = x.to(dtype)
    x.mul_(2)  # expect: TL308  where it is that dtype already, it is the caller's
    return x


def dequantize_rows(weight, scale, dtype):
    rows = weight.to(dtype)
    return rows.mul_(scale)  # ok: TL308  quantized values are floats of no width that one computes in


def product(x, weight, scale):
    return x @ dequantize_rows(weight, scale, x.dtype)  # ok: TL308  nor through the caller


def rows_of(weight, scale, dtype):
    rows = weight.to(dtype)
    return rows.mul_(scale)  # expect: TL308


def demonstrate():
    for dtype, factor in ((torch.float32, 0.5), (torch.float64, 1.0)):
        grads = torch.ones(2, dtype=dtype)
        Reduced().scaled_at_once(grads)
        assert grads.tolist() == [factor, factor]
        for method in ("scaled", "scaled_otherwise"):
            grads = torch.ones(2, dtype=dtype)
            assert getattr(Reduced(), method)(grads).tolist() == [0.5, 0.5] and grads.tolist() == [1.0, 1.0]
    x = torch.ones(2)
    doubled(x, torch.float32)
    assert x.tolist() == [2.0, 2.0]
    weight = torch.ones(2)
    rows_of(weight, 3.0, torch.float32)
    assert weight.tolist() == [3.0, 3.0]
    levels = torch.ones(2, dtype=torch.int8)
    dequantize_rows(levels, 3.0, torch.float32)
    product(torch.ones(1, 2), levels.view(2, 1), 3.0)
    assert levels.tolist() == [1, 1]
