"""What map(), filter(), zip(*rows) and `yield from` give, methods called through their class, and lists of Parameters."""
import torch
from torch import nn


class Tables(nn.Module):
    def __init__(self, starts):
        super().__init__()
        self.single = nn.ParameterList(nn.Parameter(torch.ones(2)) for _ in range(2))
        self.named = nn.ParameterDict({name: nn.Parameter(start) for name, start in starts.items()})
        self.layers = nn.ModuleList()
        self.layers.append(nn.Linear(2, 2))  # fact: module made by torch.nn.ModuleList

    def weights(self):
        yield from self.single

    def chosen(self, x, name: str):
        raise NotImplementedError

    def train(self, mode: bool = True):
        return nn.Module.train(self, mode)  # fact: module

    def _apply(self, fn, recurse=True):
        return super()._apply(fn, recurse)  # fact: module

    def forward(self, x, name: str):
        self.named[name]  # fact: parameter
        self.single[0]  # fact: parameter float32
        for weight in self.single:
            weight  # fact: parameter float32
        for weight in self.weights():
            weight  # fact: parameter float32
        self.layers[0].weight  # fact: parameter dtype ?
        nn.Linear(2, 2).weight  # fact: parameter floating
        self.chosen(x, name)  # fact: not known
        self.named[name].dtype  # fact: other dtype ?


class Chosen(Tables):
    def chosen(self, x, name: str):
        return x


def turned(value):
    return value.to(torch.float16)


def of_nothing_known(function, anything):
    for value in map(function, anything):
        value  # fact: not known
    for value in filter(function, anything):
        value  # fact: not known
    for value in map(function, [torch.zeros(1)]):
        value  # fact: unknown dtype ?
    first, second = zip(*anything)
    first  # fact: container of unknown
    for value in first:
        value  # fact: not known
    for value in zip(anything, anything):
        value[0]  # fact: not known
    for value in map(function, anything, [1]):
        value  # fact: not known
    return zip(*anything)  # fact: container of container


def through_functions(rows: torch.Tensor):
    for value in map(torch.zeros, [1, 2]):
        value  # fact: tensor float32
    for value in map(turned, [torch.zeros(2)]):
        value  # fact: tensor float16
    for value in map(lambda one, two: one + two.double(), [torch.zeros(2)], [torch.ones(2)]):
        value  # fact: tensor float64
    for value in filter(None, [torch.ones(1).long()]):
        value  # fact: tensor int64
    names, values = zip(*[("a", torch.zeros(2)), ("b", torch.ones(2))])
    for value in values:
        value  # fact: tensor float32
    for first, second in zip([torch.zeros(1), torch.ones(1)], (1, 2)):
        first  # fact: tensor float32
        second  # fact: number integral
    columns = [(value, value.long()) for value in values]
    floats, wholes = zip(*columns)
    for value in wholes:
        value  # fact: tensor int64
    torch.Tensor.long(rows)  # fact: tensor int64
    torch.Tensor.to(rows, dtype=torch.float64)  # fact: tensor float64


def counted(count, step, like: torch.Tensor):
    torch.arange(count)  # fact: tensor int64
    torch.arange(0, count, 2, device=like.device)  # fact: tensor int64
    torch.arange(0, count, step)  # fact: tensor dtype ?
    torch.arange(0, step=step, end=count)  # fact: tensor dtype ?
    torch.arange(0, count, 0.5)  # fact: tensor float32


def demo():
    Chosen({"low": torch.zeros(2, dtype=torch.float64)})(torch.zeros(1), "low")
    Chosen({}).train().double()
    of_nothing_known(lambda *rows: len(rows), [(1, 2), (3, 4)])
    through_functions(torch.ones(2))
    counted(4, 2, torch.zeros(1))
