from typing import TYPE_CHECKING

from lazy import LazyModule as _LazyModule
from lazy import define_import_structure

if TYPE_CHECKING:
    from .base import *
    from .plain import *
else:
    import sys

    _file = globals()["__file__"]
    sys.modules[__name__] = _LazyModule(__name__, _file, define_import_structure(_file), module_spec=__spec__)
