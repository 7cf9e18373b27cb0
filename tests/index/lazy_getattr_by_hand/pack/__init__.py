def __getattr__(name):
    if name == "Base":
        from .base import Base

        return Base
    if name == "Plain":
        from pack.plain import Base as plain

        return plain
    if name == "Whole":
        from . import base

        return base
    raise AttributeError(name)
