"""What an attribute holds: the join of all that construction and other methods write to it."""
import torch
from torch import nn


class Written(nn.Module):
    steps = torch.arange(4)
    count = 3

    def __init__(self, size, given, flag: bool):
        super().__init__()
        self.plain = torch.zeros(3)  # fact: tensor float32 detached from nothing plain
        self.register_buffer("buffer", torch.zeros(3, dtype=torch.int64))
        self.register_buffer("later", None)
        self.weight = nn.Parameter(torch.ones(3))  # fact: parameter float32 attached registered parameter
        self.given_back = nn.init.ones_(nn.Parameter(torch.zeros(3)))  # fact: parameter float32 registered parameter
        self.viewed = nn.init.ones_(nn.Parameter(torch.zeros(3))).view(1, 3)  # fact: tensor float32 plain
        self.layer = nn.Linear(2, 2)  # fact: module made by torch.nn.Linear registered module
        self.wrapped = nn.Buffer(torch.ones(2))  # fact: buffer float32 registered buffer
        self.given = given  # fact: not known
        self.size = size  # fact: unknown plain
        self.both = torch.zeros(2)
        if flag:
            self.both = torch.zeros(2, dtype=torch.int64)
        self.same = torch.zeros(2) if flag else torch.ones(2)
        self.optional = None
        self.replaced = torch.zeros(1)
        self.replaced = given
        self.dropped = torch.zeros(1)
        self.register_buffer("forgotten", torch.zeros(1))
        del self.forgotten

    def prepare(self, x):
        self.later = torch.ones(3)
        self.optional = x.new_zeros(3).long()
        self.both = 3
        self.plain = torch.ones(2)

    def forward(self, x):
        self.buffer  # fact: buffer int64 from self.buffer registered buffer
        self.later  # fact: buffer float32 from self.later registered buffer
        self.plain  # fact: tensor float32 from self.plain plain
        self.weight  # fact: parameter float32 from self.weight
        self.weight.data  # fact: tensor float32 detached from self.weight
        self.layer.weight  # fact: parameter from self.layer
        self.layer(x)  # fact: tensor floating from self.layer, x made by torch.nn.Linear
        self.given  # fact: unknown dtype ? from given, self.given plain
        self.both  # fact: unknown dtype ? plain
        self.same  # fact: tensor float32 plain
        self.optional  # fact: tensor int64 from self.optional, x plain
        self.replaced  # fact: unknown dtype ?
        self.steps  # fact: tensor int64 from self.steps plain
        self.count  # fact: number integral from self.count
        self.never_assigned  # fact: unknown dtype ?
        self.training  # todo: number bool  nn.Module sets training itself
        self.forgotten  # fact: tensor float32 plain
        return self.size  # fact: unknown dtype ?


class Described(nn.Module):
    table: torch.Tensor
    names: list[str]
    layer: nn.Module
    width: int = 4
    extra = None

    def __init__(self, extra):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))
        self.layer = nn.ReLU()
        self.names = ["a"]
        self.extra = extra

    @property
    def half(self):
        return self.table.half()

    @property
    def anything(self):
        return self.extra

    @property
    def promised(self) -> torch.Tensor:
        return self.extra

    def forward(self, x):
        self.table  # fact: buffer float32 registered buffer
        self.half  # fact: tensor float16 from self.table
        self.anything  # fact: unknown dtype ? from extra, self.extra
        self.promised  # fact: tensor dtype ? from extra, self.extra
        self.names  # fact: container of other
        self.width  # fact: number integral
        self.extra  # fact: unknown dtype ?
        self.half.dtype  # fact: other float16
        x.dtype  # fact: other dtype ?
        return self.half + x  # fact: tensor floating from self.table, x


def demo():
    module = Written(2, torch.ones(2), True)
    module.prepare(torch.ones(2))
    module.forgotten = torch.ones(2)
    module.never_assigned = None
    module.both = torch.ones(2)
    module(torch.ones(2))
    Described(torch.ones(2))(torch.ones(2))
