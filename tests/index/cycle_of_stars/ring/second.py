from .first import *


class Child(Base):  # class: module; buffers table
    pass


class PlainChild:  # class: plain
    pass
