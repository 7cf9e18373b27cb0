"""How the operands of torch's functions decide the dtype: numbers beside tensors, keywords, named results, stars."""
import torch

half, single, long, mask = torch.zeros(1).half(), torch.zeros(1), torch.arange(1), torch.zeros(1).bool()
wave = torch.complex(single, single)


def of_where(x: torch.Tensor, anything):
    torch.where(x > 0, half, 0.0)  # fact: tensor float16
    torch.where(x > 0, 1.0, 0.0)  # fact: tensor float32
    torch.where(x > 0, 1, 0)  # fact: tensor int64
    torch.where(x > 0, long, 0.5)  # fact: tensor float32
    torch.where(x > 0, long, anything)  # fact: tensor dtype ?
    torch.where(x > 0, half, anything)  # fact: tensor floating
    torch.where(x > 0, x, 0.0)  # fact: tensor floating
    torch.where(x > 0, anything, 0.0)  # fact: tensor dtype ?
    torch.where(anything > 0, x, x)  # fact: tensor dtype ?
    torch.where(x > 0, x, anything)  # fact: tensor dtype ?
    torch.where(x > 0, anything, x)  # fact: tensor dtype ?
    torch.cat([x, x])  # fact: tensor dtype ?
    torch.add(x, anything)  # fact: tensor dtype ?
    torch.maximum(x, x)  # fact: tensor dtype ?
    return half.where(mask, x)  # fact: tensor floating


def with_numbers(x: torch.Tensor, anything):
    long.mul(half)  # fact: tensor float16
    long.mul(2)  # fact: tensor int64
    long.mul(0.5)  # fact: tensor float32
    long.clamp(min=0.5)  # todo: tensor float32  a number takes part in the promotion of a method
    long.pow(2.0)  # fact: tensor float32
    long.add(anything)  # fact: tensor dtype ?
    long.true_divide(2)  # fact: tensor float32
    long.div(2)  # fact: tensor float32
    long.float_power(2)  # fact: tensor float64
    long.masked_fill(mask, 0.5)  # fact: tensor int64
    long.clamp(0)  # fact: tensor int64
    half.mul(2.5)  # fact: tensor float16
    half.mul(torch.tensor(2.5))  # fact: tensor float16
    half * torch.tensor(2.5)  # fact: tensor float16
    x.mul(0.5)  # fact: tensor floating
    x.clamp(min=0)  # fact: tensor dtype ?
    x.div(2)  # fact: tensor dtype ?
    x.pow(2)  # fact: tensor dtype ?
    x.masked_fill(mask, 0.5)  # fact: tensor dtype ?
    torch.cat((half, anything))  # fact: tensor floating
    torch.cat((half, single))  # fact: tensor float32
    torch.cat([mask, long])  # fact: tensor int64
    torch.stack([half, x])  # fact: tensor floating
    return torch.stack([long, x])  # fact: tensor dtype ?


def with_builtins(x: torch.Tensor, anything):
    sum([half, half])  # fact: tensor float16
    sum([mask, mask])  # fact: tensor int64
    sum([x, x])  # fact: tensor dtype ?
    sum(anything)  # fact: unknown dtype ?
    abs(half)  # fact: tensor float16
    pow(half, 2)  # fact: tensor float16
    round(3.5)  # fact: number integral
    round(3.567, 2)  # fact: number floating
    max([1, 2.5])  # fact: number dtype ?
    max(anything, [2])  # fact: unknown dtype ?
    int(anything)  # fact: number integral
    return float(x)  # fact: number floating


def with_keywords(x: torch.Tensor, anything):
    torch.arange(0, 10, step=0.5)  # fact: tensor float32
    torch.arange(end=10.0)  # fact: tensor float32
    torch.arange(end=x.item())  # fact: tensor dtype ?
    torch.full(size=(2,), fill_value=1.5)  # fact: tensor float32
    torch.full(fill_value=1.5, size=(2,))  # fact: tensor float32
    torch.full((2,), fill_value=x.item())  # fact: tensor dtype ?
    torch.searchsorted(x, x, out_int32=True)  # fact: tensor int32
    torch.zeros(2, requires_grad=True)  # fact: tensor float32 attached
    torch.zeros(2).requires_grad_()  # todo: tensor float32 attached  requires_grad_() starts a graph
    half.to(torch.device("cpu"), torch.int64)  # fact: tensor int64
    half.to(memory_format=torch.contiguous_format)  # fact: tensor float16
    half.to(x.device, non_blocking=True)  # fact: tensor float16
    half.to(device="cpu", dtype=x.dtype)  # fact: tensor dtype ?
    half.to(**anything)  # fact: tensor dtype ?  ** may bring a dtype
    half.to(*anything)  # fact: tensor dtype ?
    torch.mean(half, dtype=torch.float32)  # fact: tensor float32
    torch.mean(half, dtype=x.dtype)  # fact: tensor dtype ?
    return torch.sum(long, 0, dtype=x.dtype)  # fact: tensor dtype ?


def with_named_results(x: torch.Tensor, anything):
    torch.topk(half, 1)[1]  # fact: tensor int64
    torch.topk(half, 1).indices  # fact: tensor int64
    torch.max(half, 0).values  # fact: tensor float16
    torch.max(half, 0)[0]  # fact: tensor float16
    half.sort().indices  # fact: tensor int64
    x.sort()[0]  # fact: tensor dtype ?
    x.sort()[1]  # fact: tensor int64
    anything.sort()  # fact: unknown dtype ?
    half.unbind(0)[0]  # fact: tensor float16
    half.split(1)[0]  # fact: tensor float16
    wave.abs()  # fact: tensor floating
    wave.angle()  # fact: tensor floating
    wave.real  # fact: tensor dtype ?
    half.real  # fact: tensor dtype ?
    return x.angle()  # fact: tensor floating


def demo():
    x, dtype = torch.zeros(1), {"dtype": torch.float64}
    of_where(x, long)
    with_numbers(x, long)
    with_builtins(x, Counts([1]))
    with_keywords(x, Dtypes(dtype=torch.float64))
    with_named_results(x, [1])


class Dtypes(dict):
    """As a mapping it is a dtype by keyword, as a sequence a dtype by position."""

    def __iter__(self):
        return iter([torch.float64])


class Counts(list):
    """A list that is a number as well."""

    def __int__(self):
        return len(self)
