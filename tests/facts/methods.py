"""Methods: static, class and overridden ones, super() chains, mixins, a diamond, and objects that are no modules."""
import torch
from torch import nn


class Plain:
    def __init__(self, size):
        self.table = torch.zeros(size)
        self.given = size

    def rows(self):
        return self.table.long()

    @staticmethod
    def fixed(size):
        return torch.zeros(size).half()

    @classmethod
    def built(cls, size):
        return cls(size)

    @classmethod
    def counted(cls):
        return torch.zeros(1).bool()


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))
        self.helper = Plain(2)

    def make(self):
        return torch.zeros(2)

    def fixed(self):
        return torch.zeros(2)

    def made_by_make(self):
        return self.make()

    def unknown(self, x):
        return x

    def state(self):
        return self.table

    def not_here(self, x):
        return self.whatever(x)

    def forward(self, x):
        self.make()  # fact: tensor float32
        self.unknown(x)  # fact: unknown dtype ? from x
        self.helper  # fact: object is Plain
        self.helper.table  # todo: tensor float32 from self.helper  an argument of the constructor of another object is no source here
        self.helper.rows()  # fact: tensor int64
        self.helper.given  # fact: number integral
        self.unknown(x)[0]  # fact: unknown dtype ? from x
        Plain.fixed(2)  # fact: tensor float16
        self.helper.fixed(2)  # fact: tensor float16
        Plain.built(2)  # todo: object is Plain  calling cls makes an instance
        Plain.counted()  # fact: tensor bool
        Plain(2).rows()  # fact: tensor int64
        Plain.rows(self.helper)  # fact: tensor int64
        return self.table  # fact: buffer float32


class Middle(Base):
    def make(self):
        super().make()  # fact: tensor float32
        return super().make().long()  # fact: tensor int64

    def fixed(self):
        return Base.fixed(self).half()  # fact: tensor float16

    def unknown(self, x):
        return super().unknown(x)  # fact: unknown dtype ? from x

    def forward(self, x):
        self.make()  # fact: tensor int64
        self.fixed()  # fact: tensor float16
        self.made_by_make()  # fact: tensor int64
        self.unknown(torch.zeros(1))  # fact: tensor float32
        self.unknown(x)  # fact: unknown dtype ? from x
        self.not_here(x)  # fact: unknown dtype ?
        x.make()  # fact: unknown dtype ?
        super().not_here(x)  # fact: not known
        return super().state()  # fact: buffer float32 from self.table


class MixinHalf:
    def make(self):
        return super().make().half()


class Mixed(MixinHalf, Base):
    def forward(self, x):
        return self.make()  # fact: tensor float16


class Left(Base):
    def make(self):
        return super().make() * torch.ones(2).half()


class Right(Base):
    def make(self):
        return super().make().long()


class Diamond(Left, Right):
    def make(self):
        super(Right, self).make()  # fact: tensor float32
        return super().make()  # fact: tensor float16

    def forward(self, x):
        self.make()  # fact: tensor float16
        return self.made_by_make()  # fact: tensor float16


class DiamondOther(Right, Left):
    def forward(self, x):
        return self.make()  # fact: tensor int64


class Cooperating(nn.Module):
    def make(self):
        return super().make()  # fact: not known

    @property
    def size(self):
        return self.make().shape

    @classmethod
    def build(cls, x):
        return cls.read(x)  # fact: unknown dtype ?

    @staticmethod
    def read(x):
        return x  # fact: unknown dtype ? from x

    def forward(self, x):
        self.read(x)  # fact: unknown dtype ? from x
        self.read(torch.zeros(1))  # fact: tensor float32
        self.build(x)  # fact: unknown dtype ?
        type(self).read(x)  # fact: unknown dtype ?
        self.method(x)  # fact: unknown dtype ?
        getattr(self, x)(1)  # fact: unknown dtype ?
        return self.read  # fact: callable is read


class Cooperates(Cooperating, Base):
    def method(self, x):
        return x


class Linked(nn.Module):
    def __init__(self, given, typed: Base):
        super().__init__()
        self.base = Base()
        self.given = given
        self.typed = typed
        self.layers = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

    def forward(self, x):
        self.base(x)  # fact: buffer float32 from self.base
        self.base.make()  # fact: tensor float32
        self.base.helper.table  # todo: tensor float32 from self.base  an argument of the constructor of another object is no source here
        self.typed.make()  # fact: tensor float32
        self.given.make()  # fact: unknown dtype ?
        self.given(x)  # fact: unknown dtype ?
        self.layers(x)  # fact: tensor dtype ?
        self.layers[0]  # fact: module
        self.layers[0].weight  # fact: parameter dtype ?
        self.base.half()  # fact: module is Base
        self.base.to("cpu").table  # fact: buffer from self.base
        self.base.parameters()  # fact: container of parameter
        self.base.state_dict()["table"]  # fact: tensor dtype ?
        self.eval()  # fact: module is Linked
        super().forward  # fact: callable
        return self  # fact: module is Linked


def demo():
    x = torch.ones(2)
    Base()(x)
    Middle.make(Middle())
    module = Middle()
    module.whatever = lambda y: y
    module(Named())
    Mixed()(x)
    Diamond()(x)
    DiamondOther()(x)
    Cooperates()("method")
    Linked(Base(), Base())(x)


class Named:
    def make(self):
        return 1
