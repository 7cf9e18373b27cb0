import sys
from typing import TYPE_CHECKING

from lazy import LazyModule as _LazyModule

_import_structure = {
    "base": ["Base"],
    "plain": ["Plain"],
}

try:
    import torch
except ImportError:
    pass
else:
    _import_structure["extra"] = ["Extra"]
    _import_structure["extra"].append("Late")

if TYPE_CHECKING:
    from .base import Base
    from .extra import Extra, Late
    from .plain import Plain
else:
    sys.modules[__name__] = _LazyModule(__name__, globals()["__file__"], _import_structure)
