"""Imports inside functions and classes, and the same names of the file around."""
from plain import Base, Other


def build():
    from layers import Base

    class Built(Base):  # class: module; buffers table
        pass

    return Built


def build_plain():
    class Built(Base):  # class: plain
        pass

    return Built


class Holder:  # class: plain
    from layers import Other

    class Inner(Other):  # class: module; buffers other
        pass


class Outside(Other):  # class: plain
    pass


class OfHeld(Holder.Other):  # class: module; buffers other
    pass


class OfBuilt(build()):  # class: module; buffers table
    pass


class OfBuiltPlain(build_plain()):  # class: plain
    pass
