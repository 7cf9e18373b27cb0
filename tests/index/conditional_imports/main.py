"""Imports that depend on what is installed, on the version, and on who reads: both arms, one arm, no arm is a module."""
import sys
from typing import TYPE_CHECKING

try:
    from not_installed_anywhere import Base
except ImportError:
    from layers import Base

try:
    from not_installed_anywhere import Maybe
except ImportError:
    Maybe = object

if TYPE_CHECKING:
    from plain import Base as OfTypes
else:
    from layers import Base as OfTypes

if TYPE_CHECKING:
    from layers import Base as Promised
else:
    Promised = object

if sys.version_info >= (3, 8):
    from layers import Base as Recent
else:
    from plain import Base as Recent

if sys.version_info[0] < 3:
    from layers import Base as Ancient
else:
    from plain import Base as Ancient


class FallsBack(Base):  # class: module; buffers table
    pass


class NobodyKnows(Maybe):  # class: unknown
    pass


class AtRunTime(OfTypes):  # class: module; buffers table
    pass


class ForTypesOnly(Promised):  # class: plain
    pass


class OnEveryVersion(Recent):  # class: module; buffers table
    pass


class OnNoVersion(Ancient):  # class: plain
    pass
