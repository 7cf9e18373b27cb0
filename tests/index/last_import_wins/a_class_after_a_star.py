"""What the file defines below a star import replaces it."""
from modules import *


class Before(Base):  # class: module; buffers table
    pass


class Base:  # class: plain
    pass


class Last(Base):  # class: plain
    pass
