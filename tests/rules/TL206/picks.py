"""min(), max(), sorted(), sort() and reduce() order what they are given, or what their key returns."""
from functools import reduce
from operator import attrgetter

import torch
from torch import nn


def widest_of_two(a, b):
    return max(a.dtype, b.dtype)  # expect: TL206


def widest(tensors):
    return sorted({t.dtype for t in tensors})[-1]  # expect: TL206


def narrowest(model: nn.Module):
    return min(p.dtype for p in model.parameters())  # expect: TL206


def in_a_set(model: nn.Module):
    dtypes = {p.dtype for p in model.parameters()}
    return max(dtypes)  # expect: TL206


def in_a_list(tensors):
    dtypes = [t.dtype for t in tensors]
    dtypes.sort()  # expect: TL206
    return dtypes


def spread(tensors):
    return max(*[t.dtype for t in tensors])  # expect: TL206


def one_after_the_other(tensors):
    return reduce(max, [t.dtype for t in tensors])  # expect: TL206


def with_a_key(tensors):
    return sorted(tensors, key=lambda t: t.dtype)  # expect: TL206


def by_the_parameters(model: nn.Module):
    return sorted(model.parameters(), key=attrgetter("dtype"))  # expect: TL206


def in_tuples(model: nn.Module):
    return max((p.dtype, name) for name, p in model.named_parameters())  # expect: TL206


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(1, 1).half(), nn.Linear(1, 1)

    @property
    def dtype(self):
        return max(self.left.weight.dtype, self.right.weight.dtype)  # expect: TL206

    @property
    def common(self):
        return torch.promote_types(self.left.weight.dtype, self.right.weight.dtype)  # ok: TL206


def by_itemsize(tensors):
    return max((t.dtype for t in tensors), key=lambda d: d.itemsize)  # ok: TL206


def by_name(tensors):
    return sorted({str(t.dtype) for t in tensors})  # ok: TL206


def named_key(tensors):
    return sorted({t.dtype for t in tensors}, key=str)  # ok: TL206


def by_bits(tensors):
    return max(torch.finfo(t.dtype).bits for t in tensors)  # ok: TL206


def by_size(tensors):
    return sorted(tensors, key=lambda t: t.numel())  # ok: TL206


def by_count(tensors):
    dtypes = [t.dtype for t in tensors]
    return max(set(dtypes), key=dtypes.count)  # ok: TL206


def promoted(tensors):
    return reduce(torch.promote_types, [t.dtype for t in tensors])  # ok: TL206


def only_one(x: torch.Tensor):
    return max([x.dtype])  # ok: TL206


def grouped(tensors):
    groups = {t.dtype: [] for t in tensors}
    return max(groups.values(), key=len)  # ok: TL206


def by_largest(a: torch.Tensor, b: torch.Tensor):
    return max(a, b, key=lambda t: t.shape).dtype  # ok: TL206


def demonstrate():
    half, single = torch.ones(1).half(), torch.ones(2)
    tensors, model = [half, single], Mixed()
    for call in (
        lambda: widest_of_two(half, single),
        lambda: widest(tensors),
        lambda: narrowest(model),
        lambda: in_a_set(model),
        lambda: in_a_list(tensors),
        lambda: spread(tensors),
        lambda: one_after_the_other(tensors),
        lambda: with_a_key(tensors),
        lambda: by_the_parameters(model),
        lambda: in_tuples(model),
        lambda: Mixed.dtype.fget(model),
    ):
        try:
            call()
        except TypeError as error:
            assert "not supported between instances" in str(error)
        else:
            raise AssertionError("dtypes were ordered")
    assert model.common is torch.float32 is by_itemsize(tensors) is promoted(tensors) is only_one(single)
    assert by_name(tensors)[0] == "torch.float16" and named_key(tensors)[0] is torch.float16
    assert by_bits(tensors) == 32 and by_size(tensors)[0] is half and by_count(tensors) in (half.dtype, single.dtype)
    assert grouped(tensors) == [] and by_largest(half, single) is torch.float32
