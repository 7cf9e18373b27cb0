"""The table is collected at run time from the __all__ of each file; type checkers are told star imports."""
from pack import Base, Plain


class Collected(Base):  # class: module; buffers table
    pass


class PlainCollected(Plain):  # class: plain
    pass
