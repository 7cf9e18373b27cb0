"""A package whose __getattr__ looks names up in a table."""
import pack
from pack import Base, Layer, Plain


class FromTable(Base):  # class: module; buffers table
    pass


class UnderAnotherName(Layer):  # class: module; buffers table
    pass


class ByAttribute(pack.Base):  # class: module; buffers table
    pass


class PlainFromTable(Plain):  # class: plain
    pass
