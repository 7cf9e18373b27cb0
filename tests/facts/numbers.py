"""What math returns: a float but where it counts, rounds or asks."""
import math

import torch


def made(n: int = 4, anything=(2, 3.0), known=2):
    whole = torch.tensor(math.trunc(n / 3))  # fact: tensor int64
    root = torch.tensor(math.isqrt(n))  # fact: tensor int64
    ways = torch.tensor(math.perm(n, 2))  # fact: tensor int64
    floating = torch.tensor(math.sqrt(n))  # fact: tensor float32
    asked = torch.tensor(math.isnan(n))  # fact: tensor bool
    exponent = torch.tensor(math.frexp(n)[1])  # fact: tensor int64
    fraction = torch.tensor(math.modf(n)[0])  # fact: tensor float32
    product = torch.tensor(math.prod((2, 3)))  # fact: tensor int64
    mixed = torch.tensor(math.prod(anything))  # fact: tensor dtype ?
    joined = torch.tensor(math.prod((2, 0.5)))  # fact: tensor dtype ?
    part = torch.tensor(math.frexp(n)[known - 1])  # fact: tensor dtype ?
    either = torch.tensor(math.trunc(n) if n else math.sqrt(n))  # fact: tensor dtype ?
    return whole, root, ways, floating, asked, exponent, fraction, product, mixed, joined, part, either


made()
