"""A diamond across files: each part builds once, in method resolution order."""
from base import Base
from sides import Left, Plain, Right


class Bottom(Left, Right):  # class: module; buffers left, right, top
    pass


class Mirrored(Right, Left):  # class: module; buffers left, right, top
    pass


class PlainFirst(Plain, Left):  # class: module; buffers plain
    pass


class OnlyLeft(Left, Base):  # class: module; buffers left, top
    pass
