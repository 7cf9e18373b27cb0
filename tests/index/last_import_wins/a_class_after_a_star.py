"""What the file defines below a star import replaces it."""
from modules import *


class Before(Base):  # todo: class module; buffers table  a name of a star import, before a class of the file takes it
    pass


class Base:  # class: plain
    pass


class Last(Base):  # class: plain
    pass
