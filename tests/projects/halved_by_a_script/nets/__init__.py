"""The networks of the project."""

from .parts import Other, Unit

__all__ = ["Body", "Other", "Unit"]

from .body import Body
