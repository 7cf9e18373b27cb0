"""A compiled module that only a stub describes, and a stub beside a file."""
# not run: nothing is compiled here
from compiled import Base, Plain
from both import Base as Both


class FromStub(Base):  # class: module
    pass


class PlainFromStub(Plain):  # class: plain
    pass


class TheFileCounts(Both):  # class: module; buffers table
    pass
