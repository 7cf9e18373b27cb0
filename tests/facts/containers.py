"""Lists, tuples, dicts: what their elements are after displays, growth, items(), zip, enumerate, and assignment by index."""
import collections

import torch
from torch import nn


def asked_of_torch():
    return torch.cuda.is_available()  # fact: number bool


def displays(anything, x: torch.Tensor):
    [torch.zeros(1), torch.ones(1)]  # fact: container detached from nothing of tensor float32
    (torch.zeros(1), torch.zeros(1).half())  # fact: container of tensor floating
    (torch.zeros(1), 3)  # fact: container of unknown
    (torch.zeros(1), torch.zeros(1).long())[1]  # fact: tensor int64
    (torch.zeros(1), torch.zeros(1).long())[-1]  # fact: tensor int64
    [torch.zeros(1), torch.zeros(1).long()][anything]  # fact: tensor dtype ?
    [torch.zeros(1), anything][1]  # fact: not known
    [torch.zeros(1), anything]  # fact: container from anything of unknown
    [torch.zeros(1), None]  # fact: container of tensor float32
    []  # fact: container of unknown
    {"a": torch.zeros(1), "b": torch.ones(1)}  # fact: container of tensor float32
    {"a": torch.zeros(1)}["a"]  # fact: tensor float32
    {"a": torch.zeros(1), "b": torch.zeros(1).long()}["b"]  # fact: tensor int64
    {"a": torch.zeros(1), "b": 3}["a"]  # fact: tensor float32
    {"a": torch.zeros(1)}.get("a")  # fact: tensor float32
    {"a": torch.zeros(1)}.keys()  # fact: container of other
    {"a": torch.zeros(1)}.values()  # fact: container of tensor float32
    {**anything, "a": torch.zeros(1)}["b"]  # fact: unknown dtype ?
    dict(a=torch.zeros(1))["a"]  # fact: tensor float32
    dict(anything)["b"]  # fact: unknown dtype ?
    {torch.zeros(1).half()}  # fact: container of tensor float16
    [[torch.zeros(1)], [torch.ones(1)]]  # fact: container of container
    [[torch.zeros(1)], [torch.ones(1)]][0][0]  # fact: tensor float32
    [*[torch.zeros(1)], *[torch.ones(1)]]  # fact: container of tensor float32
    [*anything, torch.zeros(1)]  # fact: container of unknown
    [torch.zeros(1)] + [torch.ones(1)]  # fact: container of tensor float32
    [torch.zeros(1)] * 3  # fact: container of tensor float32
    [torch.zeros(1)] + anything  # fact: unknown dtype ?
    [torch.zeros(1)][1:]  # fact: container of tensor float32
    list(x.half())  # fact: container of tensor float16
    tuple([torch.zeros(1)])  # fact: container of tensor float32
    list(anything)  # fact: container of unknown
    sorted([torch.zeros(1)])  # fact: container of tensor float32
    return len([torch.zeros(1)])  # fact: number integral


def grown(anything, x: torch.Tensor):
    tensors = []
    tensors.append(torch.zeros(1).half())
    tensors  # fact: container of tensor float16
    tensors[0]  # fact: tensor float16
    torch.stack(tensors)  # fact: tensor float16
    tensors.append(anything)
    tensors  # fact: container of unknown
    tensors[0]  # fact: unknown dtype ?
    mixed = [torch.zeros(1).half()]
    mixed.extend([torch.zeros(1)])
    mixed  # fact: container of tensor floating
    mixed += [anything]
    mixed  # fact: container of unknown
    listed = list()
    for _ in range(2):
        listed.append(x.long())
    torch.cat(listed)  # fact: tensor int64 from x
    table = {}
    table["a"] = torch.zeros(1)
    table["a"]  # fact: tensor float32
    table.update(a=anything)
    table["a"]  # fact: unknown dtype ?
    replaced = [torch.zeros(1)]
    replaced[0] = anything
    replaced[0]  # todo: unknown dtype ?  what is assigned to an element of a list is not followed
    alias = other = [torch.zeros(1)]
    alias.append(anything)
    other  # todo: container of unknown  two names of one list grow together
    filled = [torch.zeros(1)]
    anything.fill(filled)
    filled  # todo: container of unknown  a function may change a list that it is given
    queue = collections.deque()
    queue.append(torch.zeros(1))
    return queue  # fact: unknown dtype ?


def iterated(anything, x: torch.Tensor, tensors: dict[str, torch.Tensor]):
    for row in x.half():
        row  # fact: tensor float16
    for key, value in tensors.items():
        key  # fact: other
        value  # fact: tensor from tensors
    for key in {"a": torch.zeros(1)}:
        key  # fact: other
    for index, value in enumerate([torch.zeros(1)]):
        index  # fact: number integral
        value  # fact: tensor float32
    for left, right in zip([torch.zeros(1)], anything):
        left  # fact: tensor float32
        right  # fact: not known
    for value in reversed([torch.zeros(1)]):
        value  # fact: tensor float32
    for index in range(3):
        index  # fact: number integral
    for key, value in anything.items():
        value  # fact: not known
    for value in anything:
        value  # fact: not known
    for value in map(torch.zeros, anything):
        value  # fact: tensor float32
    for name, parameter in nn.Linear(1, 1).named_parameters():
        name  # fact: other
        parameter  # fact: parameter dtype ?
    min([1, 2])  # fact: number integral
    max(anything)  # fact: unknown dtype ?
    return sum([1.0, 2.0])  # fact: number floating


class Tables(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.tables = []
        self.named = {}
        for size in sizes:
            self.tables.append(torch.zeros(size))
            self.named[size] = torch.zeros(size)
        self.pair = (torch.zeros(1), torch.zeros(1).long())
        self.parameters_list = nn.ParameterList([nn.Parameter(torch.zeros(1))])
        self.layers = nn.ModuleDict({"a": nn.Linear(1, 1)})

    def forward(self, x, name):
        self.tables  # todo: container of tensor float32  growth of an attribute is not followed
        self.tables[0]  # todo: tensor float32  growth of an attribute is not followed
        self.named[1]  # fact: unknown dtype ?
        self.pair  # fact: container plain
        self.pair[0]  # fact: tensor float32
        self.pair[1]  # fact: tensor int64
        self.pair[x]  # fact: tensor dtype ?
        self.parameters_list[0]  # fact: parameter
        self.layers[name]  # fact: module
        self.layers[name](x.float())  # fact: tensor floating
        return self.layers  # fact: module registered module


class Anything(list):
    def fill(self, filled):
        filled[0] = 1

    def items(self):
        return [(1, 1)]

    def keys(self):
        return ["b"]

    def __getitem__(self, key):
        return 1

    def __index__(self):
        return 0


def demo():
    asked_of_torch()
    anything = Anything([1])
    displays(anything, torch.ones(1))
    grown(anything, torch.ones(1))
    iterated(anything, torch.ones(1), {"a": torch.ones(1)})
    Tables([1])(torch.tensor([0]), "a")
