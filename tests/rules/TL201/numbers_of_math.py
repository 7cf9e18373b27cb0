"""What math rounds, counts or asks is a whole number or a bool; every other function of math gives a float."""
import math
from math import isqrt

import torch


def rounded_toward_zero(x: torch.Tensor, frames: int, kernel: int, stride: int):
    start = kernel + stride * math.trunc((frames - kernel) / stride)
    return x[:, start:]  # ok: TL201


def whole_root(x: torch.Tensor):
    side = isqrt(x.shape[1])
    return x[:, ::side]  # ok: TL201


def floating_root(x: torch.Tensor):
    side = math.sqrt(x.shape[1])  # expect: TL201
    return x[:, ::side]


def counted(x: torch.Tensor, n: int):
    return x[math.comb(n, 2)], x[math.perm(n, 1)], x[math.factorial(n) % 2], x[math.lcm(n, 2)]  # ok: TL201


def product_of_sizes(x: torch.Tensor):
    return x.reshape(-1)[: math.prod(x.shape)]  # ok: TL201


def product_of_factors(x: torch.Tensor):
    size = math.prod((0.5, x.shape[0]))
    return x[:size]  # todo: TL201  a product of a whole number and a float


def exponent(x: torch.Tensor):
    fraction, power = math.frexp(x.shape[1])
    return x[:, :power]  # ok: TL201


def fraction_of_size(x: torch.Tensor):
    fraction, whole = math.modf(x.shape[1] / 2)  # expect: TL201
    return x[:, :whole]


def demonstrate():
    x = torch.ones(4, 4)
    rounded_toward_zero(x, 4, 1, 2), whole_root(x), counted(x, 2), product_of_sizes(x), exponent(x)
    for function in (floating_root, product_of_factors, fraction_of_size):
        try:
            function(x)
        except TypeError as error:
            assert "integers" in str(error) or "__index__" in str(error), error
        else:
            raise AssertionError("torch took a float for an index")
