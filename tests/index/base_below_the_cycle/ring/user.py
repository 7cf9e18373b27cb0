"""user -> base -> user: the base is defined below the import that closes the cycle."""
from . import base


class Child(base.Base):  # class: module; buffers table
    pass


class PlainChild(base.Plain):  # class: plain
    pass
