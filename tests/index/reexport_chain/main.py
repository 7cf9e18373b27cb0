"""A class that three packages hand on, once under another name; a module called like the class on the way."""
import pack
from pack import Base, Layer, Thing


class Through(Base):  # class: module; buffers table
    pass


class Renamed(Layer):  # class: module; buffers table
    pass


class ByPackage(pack.inner.Base):  # class: module; buffers table
    pass


class NotTheModule(Thing):  # class: plain
    pass
