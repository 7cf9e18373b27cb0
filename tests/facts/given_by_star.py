"""What *args and **kwargs of a function hold when its call is known, and what a call spreads of values made elsewhere."""
import torch


def second(first, *others, scale=1, **options):
    return others[1]


def rest(first, *others):
    return others


def by_name(**options):
    return options["kept"]


def made(size, dtype=torch.float16, *, kind=torch.bool):
    return torch.zeros(size, dtype=dtype)


def settings(dtype):
    return {"size": 2, "dtype": dtype}


def pair():
    return 2, torch.float64


def calls(x: torch.Tensor, *anything, **more):
    second(x, x.half(), x.long(), scale=2)  # fact: tensor int64
    second(x, *anything)  # fact: not known
    second(x, x.half(), *anything)  # fact: not known
    rest(x)  # fact: container
    rest(x, x.double())  # fact: container of tensor float64
    rest(x, *anything)  # fact: container
    by_name(kept=x.half(), other=3)  # fact: tensor float16
    by_name(**{"kept": x, **more})  # fact: not known
    made(*pair())  # fact: tensor float64
    made(*pair()[:1])  # fact: tensor float16
    made(*anything)  # fact: tensor dtype ?
    made(**settings(torch.int64))  # fact: tensor int64
    made(2, **more)  # fact: tensor dtype ?
    made(2, kind=more)  # fact: tensor float16
    changed = [2, torch.float64]
    changed[1] = torch.int32
    made(*changed)  # fact: tensor dtype ?
    grown = [2]
    grown.append(torch.int32)
    made(*grown)  # fact: tensor dtype ?


def demo():
    calls(torch.zeros(2), 2, torch.float32)
