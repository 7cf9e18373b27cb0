"""A parameter of a function hides what the file imports."""
from layers import Base


def build(Base):
    class Built(Base):  # class: unknown
        pass

    return Built


def plain():
    class Base:  # class: plain
        pass

    class Inside(Base):  # class: plain
        pass

    return Inside


def module():
    class Inside(Base):  # class: module; buffers table
        pass

    return Inside


build(Base), plain(), module()
