"""What a call of a function of the project returns: defaults, keywords, stars, recursion, lambdas, closures, partial."""
from functools import partial

import torch


def make(size, dtype=torch.float16):
    return torch.zeros(size, dtype=dtype)


def same(x):
    return x


def swapped(first, *, second=None):
    return second


def gathered(*tensors, **named):
    return tensors[0]


def halved(x: torch.Tensor) -> torch.Tensor:
    return x.half()


def promised(x) -> torch.Tensor:
    return x.contiguous()


def pair(x):
    return x.long(), torch.zeros(1)


def repeated(x, count):
    if count == 0:
        return torch.zeros(1)
    return repeated(x, count - 1)


def forever(x):
    return forever(x)


def nothing(x):
    x + 1


def outer(x, anything):
    scale = torch.ones(1).half()

    def inner(y):
        scale  # todo: tensor int64  a closure sees the last value of a variable
        x  # fact: unknown dtype ? from x
        return y * scale  # fact: tensor floating from y

    def renamed():
        return scale

    scale = scale.long()
    inner(x)  # todo: tensor dtype ? from x  a closure sees the last value of a variable
    renamed()  # todo: tensor int64  a closure sees the last value of a variable
    add = lambda z: z + torch.ones(1)
    add(torch.zeros(1))  # fact: tensor float32
    add(x)  # fact: tensor floating from x
    (lambda: torch.zeros(1).bool())()  # fact: tensor bool
    return anything(inner)  # fact: not known


def defaults(anything, x):
    make(3)  # fact: tensor float16
    make(3, torch.int64)  # fact: tensor int64
    make(dtype=torch.int64, size=3)  # fact: tensor int64
    make(3, anything)  # fact: tensor dtype ?
    make(**{"size": 3, "dtype": torch.int64})  # fact: tensor int64
    make(*(3, torch.int64))  # fact: tensor int64
    same(torch.zeros(1))  # fact: tensor float32
    same(anything)  # fact: unknown dtype ? from anything
    swapped(1, second=torch.zeros(1))  # fact: tensor float32
    swapped(torch.zeros(1))  # fact: none
    gathered(torch.zeros(1))  # fact: tensor float32
    gathered(anything, x)  # fact: unknown dtype ? from anything
    halved(x)  # fact: tensor float16 from x
    promised(x)  # fact: tensor dtype ? from x
    nothing(x)  # fact: none
    pair(x)[0]  # fact: unknown int64 from x
    pair(x)[1]  # fact: tensor float32 from nothing
    whole, zeros = pair(torch.zeros(1))
    whole  # fact: tensor int64
    zeros  # fact: tensor float32
    repeated(x, 3)  # fact: tensor float32
    return same(same)(torch.zeros(1).half())  # fact: tensor float16


def passed_on(function, x):
    function(x)  # fact: unknown dtype ? from x
    return function()  # fact: not known


def partially(x, anything):
    halves = partial(torch.zeros, dtype=torch.float16)
    halves  # fact: callable
    halves(3)  # fact: tensor float16
    longs = partial(make, dtype=torch.int64)
    longs(3)  # fact: tensor int64
    partial(anything, x)()  # fact: unknown dtype ?
    map(halved, [x])  # fact: container of tensor float16
    forever  # fact: callable is forever
    torch.zeros  # fact: callable made by torch.zeros
    anything  # fact: not known
    return anything(halved)(x)  # fact: unknown dtype ?


@torch.no_grad()
def without_gradients(x: torch.Tensor):
    return x * 2


def decorated(x: torch.Tensor):
    without_gradients(x)  # fact: tensor detached from x
    return halved(x)  # fact: tensor float16 attached from x


def replaced(function):
    return lambda *arguments: 3


@replaced
def wrapped(x):
    return torch.zeros(1)


def undone():
    return wrapped(1)  # todo: not known  a decorator of the project may return something else


def plain(value):
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if hasattr(value, "contents"):
        return plain(value.contents())
    if hasattr(value, "fields"):
        return {field: plain(getattr(value, field)) for field in value.fields}
    if callable(getattr(value, "dump", None)):
        return plain(value.dump())
    return value


def rendered(batches, **others):
    return plain({"batches": [{"x": torch.zeros(2), "names": [(1, "a")]}], "others": others, "all": batches})


def half_of_each(nest):
    return [half_of_each(part) for part in nest] if isinstance(nest, list) else nest.half()


def innermost(nest):
    return innermost(nest[0]) if isinstance(nest, list) else torch.zeros(1)


def parts_of_parts():
    rendered([torch.zeros(3)])  # fact: unknown dtype ?
    half_of_each([[torch.zeros(3)]])[0]  # fact: unknown dtype ?
    innermost([[torch.zeros(3)]])  # fact: tensor float32


def demo():
    x = torch.ones(1, requires_grad=True)
    outer(x, lambda value: value)
    defaults(torch.float64, x)
    passed_on(lambda *_: 1, x)
    partially(x, lambda value: (lambda y: y))
    decorated(x)
    undone()
    parts_of_parts()
