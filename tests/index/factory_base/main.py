"""Bases that a function of another file makes."""
from factories import PlainBase, make_base, make_plain, pick, wrap
from torch import nn

Base = make_base("sum")


class OfValue(Base):  # class: module; buffers table
    pass


class OfCall(make_base("mean")):  # class: module; buffers table, own
    def __init__(self):
        super().__init__()
        self.register_buffer("own", self.table + 1)


class OfWrapped(wrap(nn.Linear)):  # class: module; buffers steps; parameters weight, bias
    def __init__(self):
        super().__init__(2, 2)


class OfPlain(make_plain("sum")):  # class: plain
    pass


class OfPlainValue(PlainBase):  # class: plain
    pass


class OfEither(pick("sum")):  # class: unknown
    pass
