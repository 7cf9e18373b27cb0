"""A star import replaces what the file itself defined above it."""


class Base:  # class: plain
    pass


from modules import *


class Last(Base):  # class: module; buffers table
    pass
