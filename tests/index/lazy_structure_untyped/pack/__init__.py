import sys

from lazy import LazyModule as _LazyModule

_import_structure = {"base": ["Base"], "plain": ["Plain"]}

sys.modules[__name__] = _LazyModule(__name__, __file__, _import_structure)
