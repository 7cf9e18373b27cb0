"""Relative imports inside a folder without __init__.py."""
from .base import Base
from ..other import Base as Other


class Beside(Base):  # class: module; buffers table
    pass


class AboveIsPlain(Other):  # class: plain
    pass
