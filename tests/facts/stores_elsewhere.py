"""What functions and methods store on a module that is passed to them, or that they reach through super()."""
import torch
from torch import nn


def build(module, size):
    module.table = torch.zeros(size)
    module.register_buffer("mask", torch.zeros(size).bool())


def build_deeper(target, size):
    build(target, size)
    setattr(target, "deep", torch.zeros(size).long())


def build_named(module, name, value=None):
    setattr(module, name, value)


def build_all(module, names):
    for name in names:
        setattr(module, name, torch.zeros(1))


def build_by_keyword(*, module, scale):
    module.scale = scale


def build_other(module, other):
    other.elsewhere = torch.zeros(1)


def replace(module, anything):
    module.replaced = anything


def hide(module):
    hidden = module
    hidden.alias = torch.zeros(1).half()


class Built(nn.Module):
    def __init__(self, size, other, anything):
        super().__init__()
        build_deeper(self, size)
        build_named(self, "named", torch.zeros(size).half())
        build_named(self, name="empty")
        build_all(self, ("first", "second"))
        build_by_keyword(module=self, scale=torch.zeros(size).double())
        build_other(self, other)
        build_other(other, self)
        self.replaced = torch.zeros(size)
        replace(self, anything)
        hide(self)
        anything.attach(self)
        self._prepare(torch.zeros(1).bfloat16())
        self._prepare_named("width", 3)
        self.child = nn.Module()
        self.child.table = torch.zeros(size)
        for name, value in {"left": torch.zeros(1)}.items():
            self.register_buffer(name, value)

    def _prepare(self, value, again=None):
        self.prepared = value
        self.again = again

    def _prepare_named(self, name, value):
        setattr(self, name, value)

    def forward(self, x):
        self.table  # fact: tensor float32 plain
        self.mask  # fact: buffer bool registered buffer
        self.deep  # fact: tensor int64 plain
        self.named  # fact: tensor float16 plain
        self.empty  # fact: none plain
        self.first  # fact: tensor float32 plain
        self.second  # fact: tensor float32 plain
        self.scale  # fact: tensor float64 plain
        self.elsewhere  # fact: tensor float32 plain
        self.replaced  # fact: unknown dtype ? plain
        self.alias  # fact: tensor float16 plain
        self.attached  # fact: unknown dtype ?
        self.prepared  # fact: tensor bfloat16 plain
        self.again  # fact: none
        self.width  # fact: number integral
        self.child.table  # fact: unknown dtype ?
        self.left  # fact: buffer float32 registered buffer
        self.not_built  # fact: unknown dtype ?
        return self.child  # fact: module registered module


class Parent(nn.Module):
    def __init__(self):
        super().__init__()
        self.build()

    def build(self):
        self.made = torch.zeros(1)

    def reset(self, value):
        self.value = value

    def forward(self, x):
        return x


class Child(Parent):
    def __init__(self, anything):
        super().__init__()
        self.reset(torch.zeros(1).half())
        self.reset(anything)
        outer = self

        def inner(value):
            outer.inner = value
            self.captured = torch.zeros(1).bool()

        inner(torch.zeros(1))
        (lambda: setattr(self, "by_lambda", torch.zeros(1)))()

    def build(self):
        super().build()
        self.made_too = torch.zeros(1).long()

    def forward(self, x):
        self.made  # fact: tensor float32 plain
        self.made_too  # fact: tensor int64 plain
        self.value  # fact: unknown dtype ? plain
        self.inner  # todo: tensor float32  what a nested function stores by a name for self is not seen with its argument
        self.captured  # todo: tensor bool  what a nested function stores in construction
        self.by_lambda  # todo: tensor float32  what a lambda stores in construction
        self.unwritten  # fact: unknown dtype ?
        return x.stored  # fact: unknown dtype ?


class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = None
        self.state = {}

    def store(self, x: torch.Tensor):
        self.cache = x.detach()

    def forward(self, x: torch.Tensor):
        self.store(x)
        self.cache  # fact: tensor dtype ? attached from self.cache, x plain
        self.state["x"] = x
        self.state  # fact: container plain
        self.state["x"]  # fact: unknown dtype ?
        self.cache = x.half()
        self.cache  # fact: tensor float16 plain
        self.store(x)
        self.cache  # fact: tensor dtype ? plain
        self.cache = x.long()
        print(x)
        return self.cache  # fact: tensor int64 plain


class Anything:
    def attach(self, module):
        module.attached = 1


def demo():
    x = torch.ones(1)
    built = Built(1, nn.Module(), Anything())
    built.not_built = 1
    built(x)
    child = Child(1)
    child.unwritten = 1
    x.stored = 1
    child(x)
    Cached()(x)
