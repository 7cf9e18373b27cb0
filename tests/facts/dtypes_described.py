"""What describes a dtype, and what a dtype is computed from."""
import torch
from torch import nn

half, long = torch.zeros(1).half(), torch.arange(1)


def described(x: torch.Tensor, dtype: torch.dtype, anything):
    torch.finfo(torch.float16).max  # fact: number floating
    torch.finfo(x.dtype).min  # fact: number floating
    torch.finfo(dtype).eps  # fact: number floating
    torch.finfo(dtype).bits  # fact: number integral
    torch.iinfo(torch.int64).max  # fact: number integral
    torch.iinfo(long.dtype).bits  # fact: number integral
    half * torch.finfo(half.dtype).max  # fact: tensor float16
    long * torch.iinfo(torch.int32).max  # fact: tensor int64
    torch.full((2,), torch.finfo(torch.float16).min)  # fact: tensor float32
    torch.full((2,), torch.iinfo(torch.int32).max)  # fact: tensor int64
    half.masked_fill(half > 0, torch.finfo(half.dtype).min)  # fact: tensor float16
    x.to(torch.promote_types(torch.float16, dtype))  # fact: tensor dtype ?
    half.to(torch.get_default_dtype())  # fact: tensor dtype ?
    half.to(dtype)  # fact: tensor dtype ?
    torch.zeros(2, dtype=dtype)  # fact: tensor dtype ?
    return torch.result_type(half, long)  # fact: other dtype ?


def quotients(a, b, n: int):
    n / 2  # fact: number floating
    n // 2  # fact: number integral
    n * 0.5  # fact: number floating
    a / b  # fact: unknown floating
    a / 2  # fact: unknown floating
    a // b  # fact: unknown dtype ?
    torch.floor(a / b)  # fact: tensor floating
    (a / b).floor()  # fact: unknown floating
    (a / b).long()  # fact: unknown int64
    (a / b).to(torch.int64)  # fact: unknown int64
    int(n / 2)  # fact: number integral
    torch.arange(n / 2)  # fact: tensor float32
    torch.arange(n // 2)  # fact: tensor int64
    long + n / 2  # fact: tensor float32
    a % b  # fact: unknown dtype ?
    a * b  # fact: unknown dtype ?
    -(a // b)  # fact: unknown dtype ?
    abs(a * b)  # fact: unknown dtype ?
    (a // b).floor_divide(b)  # fact: tensor dtype ?
    long + a * b  # fact: tensor dtype ?
    long + a // b  # fact: tensor dtype ?
    torch.add(long, a * b)  # fact: tensor dtype ?
    torch.floor(a * b)  # fact: tensor dtype ?
    return long + a / b  # fact: tensor floating


def layers(weight: torch.Tensor, ids: torch.Tensor):
    nn.Embedding.from_pretrained(weight)  # fact: module made by torch.nn.Embedding
    nn.Embedding.from_pretrained(weight)(ids)  # fact: tensor floating
    return nn.Sequential(nn.Embedding(1, 2), nn.ReLU())  # fact: module made by torch.nn.Sequential


def typed(x: torch.Tensor):
    return x  # fact: tensor dtype ?


def passed(a, b):
    return typed(a / b)  # fact: tensor floating


def demo():
    described(half, torch.float64, 1)
    quotients(long, long + 1, 2)
    layers(torch.ones(1, 2), long)
    passed(long, long + 1)
