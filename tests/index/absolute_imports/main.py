"""Bases named by their whole path; a class of the same name lies in the file beside."""
import layers.base
import layers.plain
from layers.base import Base


class Direct(Base):  # class: module; buffers table
    pass


class Dotted(layers.base.Base):  # class: module; buffers table, own
    def __init__(self):
        super().__init__()
        self.register_buffer("own", self.table + 1)


class OfThePlainOne(layers.plain.Base):  # class: plain
    pass
