"""Comprehensions and generators: what their elements are, and what their variables stand for."""
import torch
from torch import nn


def made(anything, tensors: list[torch.Tensor], halves: tuple[torch.HalfTensor, ...]):
    [torch.zeros(1) for _ in range(3)]  # fact: container of tensor float32
    [t.half() for t in tensors]  # fact: container from tensors of tensor float16
    [t for t in tensors]  # fact: container from tensors of tensor
    {name: torch.zeros(1).long() for name in "ab"}  # fact: container of tensor int64
    {t.dtype for t in tensors}  # fact: container of other
    (t.long() for t in tensors)  # fact: container of tensor int64
    [n * 2 for n in range(3)]  # fact: container of number integral
    [x for x in anything]  # fact: container from anything of unknown
    [x.half() for x in anything]  # fact: container of unknown float16
    [x.name for x in anything]  # fact: container of unknown
    [anything(t) for t in tensors]  # fact: container of unknown
    [h for h in halves]  # fact: container of unknown
    [[t.long() for t in tensors] for _ in range(2)]  # fact: container of container
    torch.stack([t.half() for t in tensors])  # fact: tensor float16 from tensors
    torch.stack([t for t in tensors])  # fact: tensor dtype ? from tensors
    torch.cat([x for x in anything])  # fact: tensor dtype ? from anything
    sum(t.half() for t in tensors)  # fact: tensor float16 from tensors
    next(t.long() for t in tensors)  # fact: tensor int64
    torch.tensor([n for n in range(3)])  # fact: tensor int64
    torch.tensor([n / 2 for n in range(3)])  # fact: tensor float32
    torch.tensor([x for x in anything])  # fact: tensor dtype ?
    torch.tensor([len(t) for t in tensors])  # fact: tensor int64
    max(n for n in anything)  # fact: unknown dtype ?
    return any(t.isnan().any() for t in tensors)  # fact: number bool


def guessed(anything, tensors: list[torch.Tensor]):
    [t.name for t in tensors]  # fact: container of other
    [t + x for t, x in zip(tensors, anything)]  # fact: container of tensor
    [x + 1 for x in anything]  # fact: container of unknown
    {x: x for x in anything}  # fact: container of unknown
    torch.stack([anything(t) for t in tensors])  # fact: tensor dtype ?
    sum(x for x in anything)  # fact: unknown dtype ?
    next(iter(anything))  # fact: unknown dtype ?
    [t.half() if anything else t for t in tensors]  # fact: container of tensor
    return [(t, x) for t in tensors for x in anything]  # fact: container of container


def scoped(t, rows: list[list[torch.Tensor]]):
    found = [t for t in [torch.zeros(1)]]
    t  # fact: not known
    [inner for row in rows for inner in row]  # fact: container of tensor
    [a for a, b in [(torch.zeros(1), 1)] if b]  # fact: container of tensor float32
    [b for a, b in [(torch.zeros(1), 1)] if b]  # fact: container of number integral
    [(key, value) for key, value in {"a": 1}.items()]  # fact: container of container
    [last := x for x in found]  # fact: container of tensor float32
    last  # todo: tensor float32  a walrus in a comprehension binds outside of it
    return found  # fact: container of tensor float32


def generated(count: int):
    for index in range(count):
        yield torch.zeros(1).half()


def consumed(anything):
    for value in generated(2):
        value  # fact: tensor float16
    list(generated(2))  # fact: container of tensor float16
    for value in anything():
        value  # fact: not known
    first, second = generated(2)
    first  # fact: tensor float16
    return generated(2)  # fact: container of tensor float16


class Stack(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in sizes])
        self.plain = [nn.Linear(2, 2) for _ in sizes]
        self.tables = [torch.zeros(2) for _ in sizes]

    def forward(self, x):
        for layer in self.layers:
            layer  # fact: module
            layer(x)  # fact: tensor floating
        self.plain  # fact: container of module
        self.tables  # fact: container of tensor float32
        return self.tables[0]  # fact: tensor float32


def demo():
    made(Callable(), [torch.ones(1)], (torch.ones(1).half(),))
    guessed(Callable(), [Named(torch.ones(1))])
    scoped(1, [[torch.ones(1)]])
    consumed(lambda: [1])
    Stack([1, 2])(torch.ones(2))


class Named(torch.Tensor):
    name = "name"


class Callable:
    """Anything: a function, and a list of tensors."""

    def __call__(self, value):
        return value

    def __iter__(self):
        return iter([Named(torch.ones(1))])
