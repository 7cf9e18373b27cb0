"""A package that hands its names to lazy_loader.attach."""
import pack
from pack import Base, Plain


class Attached(Base):  # class: module; buffers table
    pass


class OfSubmodule(pack.more.Base):  # class: module; buffers more
    pass


class PlainAttached(Plain):  # class: plain
    pass
