"""The same table with nothing said to type checkers: only the table tells where a name is."""
from pack import Base, Plain


class Structured(Base):  # class: module; buffers table
    pass


class PlainStructured(Plain):  # class: plain
    pass
