"""The name is imported for types only; the class statement takes it from the module that is imported in earnest."""
from __future__ import annotations

from typing import TYPE_CHECKING

import layers
import plain

if TYPE_CHECKING:
    from layers import Base
    from plain import Base as Plain


class Model(layers.Base):  # class: module; buffers table
    def __init__(self, other: Base | None = None, plain: Plain | None = None):
        super().__init__()
        self.other = other


class Config(plain.Base):  # class: plain
    base: Base
