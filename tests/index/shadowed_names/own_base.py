"""A class whose base has its own name."""
import layers
from layers import Base


class Base(Base):  # class: module; buffers table, own
    def __init__(self):
        super().__init__()
        self.register_buffer("own", self.table + 1)


class Child(Base):  # class: module; buffers table, own
    pass


class Imported(layers.Imported):  # class: plain
    pass
