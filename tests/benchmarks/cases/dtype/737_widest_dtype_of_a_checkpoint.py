"""A checkpoint merger looks for the widest dtype with max() and sorts dtypes for its report; torch.dtype has no order.

source: seen in merge tools; torch raises TypeError
rules: [TL206]
"""
import torch


def storage_dtype(tensors):
    kinds = {t.dtype for t in tensors if t.is_floating_point()}
    return max(kinds)  # expect: TL206


def needs_upcast(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.dtype < b.dtype  # expect: TL206


def storage_dtype_fixed(tensors):
    kinds = {t.dtype for t in tensors if t.is_floating_point()}
    return max(kinds, key=lambda d: (d.itemsize, torch.finfo(d).bits))  # ok: TL206


def needs_upcast_fixed(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.dtype.itemsize < b.dtype.itemsize and a.dtype != b.dtype  # ok: TL206


def common_dtype(tensors):
    kind = tensors[0].dtype
    for t in tensors[1:]:
        kind = torch.promote_types(kind, t.dtype)
    return kind


def report(tensors):
    names = sorted({str(t.dtype) for t in tensors})  # ok: TL206
    largest = max(t.numel() * t.element_size() for t in tensors)  # ok: TL206
    return ", ".join(names), largest


def merge(left, right, alpha=0.5):
    merged = {}
    for name, a in left.items():
        b = right[name]
        wide = common_dtype([a, b])
        merged[name] = torch.lerp(a.to(wide), b.to(wide), alpha)
    return merged


def demonstrate():
    mixed = [torch.zeros(2, dtype=torch.float16), torch.zeros(3), torch.zeros(1, dtype=torch.long)]
    for call in (lambda: storage_dtype(mixed), lambda: needs_upcast(mixed[0], mixed[1])):
        try:
            call()
            raise AssertionError("dtypes were ordered")
        except TypeError as err:
            assert "not supported" in str(err)
    assert storage_dtype([torch.zeros(1)] * 2) is torch.float32  # one kind only: the fault stays hidden
    assert storage_dtype_fixed(mixed) is torch.float32
    assert needs_upcast_fixed(mixed[0], mixed[1])
    assert common_dtype(mixed[:2]) is torch.float32
    assert report(mixed) == ("torch.float16, torch.float32, torch.int64", 12)
    out = merge({"w": mixed[0]}, {"w": torch.ones(2)})
    assert torch.equal(out["w"], torch.full((2,), 0.5))
