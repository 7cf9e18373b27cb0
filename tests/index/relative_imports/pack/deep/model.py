"""One dot, two dots and the modules themselves; both packages have a file base.py."""
from .. import base as outer
from . import base
from ..base import Base as Outer
from .base import Base


class FromAbove(Outer):  # class: module; buffers outer
    pass


class FromBeside(Base):  # class: plain
    pass


class ByModuleAbove(outer.Base):  # class: module; buffers outer
    pass


class ByModuleBeside(base.Base):  # class: plain
    pass
