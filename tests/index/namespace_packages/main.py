"""Folders without __init__.py are packages too; a file of the same name goes first."""
import space.part.base
from space.other import Base as Other
from space.part import base
from space.part.base import Base
from space.taken import Base as Taken


class ByName(Base):  # class: module; buffers table
    pass


class ByModule(base.Base):  # class: module; buffers table
    pass


class ByPath(space.part.base.Base):  # class: module; buffers table
    pass


class OfTheFile(Other):  # class: plain
    pass


class OfThePackage(Taken):  # class: plain
    pass
