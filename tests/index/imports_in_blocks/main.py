"""Imports in with, try and if statements whose outcome the files tell."""
from contextlib import suppress

with suppress(ImportError):
    from layers import Base

try:
    import not_installed_anywhere
except ImportError:
    from plain import Base as Fallback
else:
    from plain import Base as Fallback

if True:
    if not False:
        from layers import Base as Deep

try:
    from plain import Base as Guarded
finally:
    from layers import Base as Final


class OfWith(Base):  # class: module; buffers table
    pass


class OfBothArms(Fallback):  # class: plain
    pass


class OfDeep(Deep):  # class: module; buffers table
    pass


class OfTry(Guarded):  # class: plain
    pass


class OfFinally(Final):  # class: module; buffers table
    pass
