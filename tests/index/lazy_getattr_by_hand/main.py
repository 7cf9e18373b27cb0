"""A package whose __getattr__ imports each name in a branch of its own."""
from pack import Base, Plain, Whole


class FromBranch(Base):  # class: module; buffers table
    pass


class PlainFromBranch(Plain):  # class: plain
    pass


class FromModule(Whole.Base):  # class: module; buffers table
    pass
