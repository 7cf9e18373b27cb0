from . import more
from .more import *
from .names import Added, Extended, Left, Listed, _Private

__all__ = ["Listed", "_Private"]
__all__ += ("Added",)
__all__.extend(["Extended"])
__all__ = [*__all__, *more.__all__]
