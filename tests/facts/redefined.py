"""Names with more than one meaning: conditional definitions, nonlocal, async, a default dtype that is changed."""
import torch

if torch.cuda.is_available():

    def chosen():
        return torch.zeros(1).long()

else:

    def chosen():
        return torch.zeros(1)


try:
    from torch import not_there as helper
except ImportError:

    def helper():
        return torch.zeros(1).half()


def twice():
    return torch.zeros(1)


def twice():
    return torch.zeros(1).half()


class Table:
    def row(self):
        return torch.zeros(1)

    def row(self):
        return torch.zeros(1).half()


async def waited():
    return torch.zeros(1)


def nonlocals(anything):
    value, kept = torch.zeros(1), torch.zeros(1)

    def change():
        nonlocal value
        value = value.long()
        kept = anything
        return kept

    change()
    value  # todo: tensor int64  what a nested function assigns to an outer variable
    kept  # fact: tensor float32
    return change()  # fact: unknown dtype ?


def called(x: torch.Tensor, anything):
    chosen()  # fact: unknown dtype ?
    helper()  # fact: unknown dtype ?
    twice()  # fact: tensor float16
    Table().row()  # fact: tensor float16
    waited()  # todo: unknown dtype ?  a call of an async function is no value yet
    torch.set_default_dtype(torch.float64)
    torch.zeros(1)  # todo: tensor dtype ?  set_default_dtype changes what factories make
    torch.set_default_dtype(torch.float32)
    return anything  # fact: not known


def shadowed(anything):
    if anything:
        twice = anything
    twice()  # fact: unknown dtype ?
    twice = torch.ones
    return twice(1)  # fact: tensor float32


def demo():
    nonlocals(1)
    called(torch.ones(1), 1)
    shadowed(lambda: 1)
