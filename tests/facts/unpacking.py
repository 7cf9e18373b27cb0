"""Tuple unpacking: displays, nested and starred targets, swaps, and functions of torch that return several tensors."""
import torch


def displays(anything, pair):
    a, b = torch.zeros(1), torch.zeros(1).long()
    a  # fact: tensor float32
    b  # fact: tensor int64
    a, b = b, a
    a  # fact: tensor int64
    b  # fact: tensor float32
    (c, d), e = (torch.zeros(1).half(), 3), "text"
    c  # fact: tensor float16
    d  # fact: number integral
    e  # fact: other
    f, g = anything, torch.zeros(1)
    f  # fact: not known
    g  # fact: tensor float32
    h, i = pair
    h  # fact: unknown dtype ? from pair
    [j, k] = [torch.zeros(1).bool(), anything]
    j  # fact: tensor bool
    return k  # fact: not known


def starred(anything):
    first, *rest = torch.zeros(1), torch.zeros(1).long(), torch.zeros(1).long()
    first  # fact: tensor float32
    rest  # todo: container of tensor int64  what a starred target takes is not followed
    *start, last = anything
    start  # fact: not known
    last  # fact: not known
    one, *_, two = [torch.zeros(1), torch.zeros(1).half()]
    one  # fact: tensor float32
    two  # todo: tensor float16  the position of a target behind a starred one counts from the end
    tensors = [torch.zeros(1), *anything]
    three, four = tensors
    three  # fact: unknown dtype ?
    return four  # fact: unknown dtype ?


def of_torch(x: torch.Tensor, anything):
    values, indices = torch.topk(x, 2)
    values  # fact: tensor dtype ? from x
    indices  # fact: tensor int64 detached from x
    values, indices = x.half().max(dim=0)
    values  # fact: tensor float16 from x
    indices  # fact: tensor int64 from x
    values, indices = x.half().max(dim=1)
    indices  # fact: tensor int64 from x
    x.half().max()  # fact: tensor float16 from x
    left, right = torch.zeros(4).half().chunk(2)
    left  # fact: tensor float16
    rows, columns = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
    rows  # fact: tensor int64
    mixed, other = torch.meshgrid(anything, torch.arange(2), indexing="ij")
    mixed  # fact: tensor int64
    batch, width = x.shape
    batch  # fact: number integral
    unique, inverse = torch.unique(torch.zeros(3).half(), return_inverse=True)
    unique  # fact: tensor float16
    inverse  # fact: tensor int64
    where = torch.where(x > 0)
    row, column = where
    row  # todo: tensor int64  torch.where of a condition alone gives indices
    u, s, v = torch.linalg.svd(torch.zeros(2, 2))
    s  # fact: tensor float32
    sign, log = torch.linalg.slogdet(x)
    return log  # fact: tensor dtype ?


def of_something_unknown(x, anything, pair, function):
    values, indices = x.topk(2)
    values  # fact: tensor dtype ? from x
    values, indices = function(x)
    values  # fact: unknown dtype ? from x
    indices  # fact: unknown dtype ? from x
    both = torch.zeros(1), anything
    both[0]  # fact: tensor float32
    both[1]  # fact: not known
    both[pair]  # fact: unknown dtype ?
    a, b, c = torch.zeros(3).half()
    a  # fact: tensor float16
    (a, b), c = anything
    b  # fact: not known
    c  # fact: not known
    a, b = (torch.zeros(1), torch.zeros(1).long()) if anything else pair
    a  # fact: unknown dtype ? from pair
    a, b = (torch.zeros(1), torch.zeros(1).long()) if anything else (torch.zeros(1), torch.zeros(1))
    a  # fact: tensor float32
    b  # fact: tensor dtype ?
    a, b = zip(*anything)
    a  # fact: container of unknown
    a, b = map(function, anything)
    a  # fact: unknown dtype ?
    a, b = sorted(anything)
    a  # fact: unknown dtype ?
    (a, b), indices = x.max(dim=1), anything
    a  # fact: tensor dtype ? from x
    return indices  # fact: not known


def iterated(anything):
    for a, b in zip([torch.zeros(1)], [torch.zeros(1).long()]):
        a  # fact: tensor float32
        b  # fact: tensor int64
    for a, b in anything:
        a  # fact: not known
    for index, (key, value) in enumerate({"a": torch.zeros(1).half()}.items()):
        index  # fact: number integral
        key  # fact: other
        value  # fact: tensor float16
    return a  # fact: unknown dtype ?


def demo():
    displays(torch.ones(1), (1, 2))
    starred([torch.ones(1)])
    of_torch(torch.ones(2, 2), torch.arange(3))
    iterated([(1, 2)])
    of_something_unknown(torch.ones(2, 2), [(1, 2), (3, 4)], 1, lambda value: (1, 2))
