"""How the checked file is imported: by its name in its package, or from its place where the name leads elsewhere."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from torch import nn

_FOLDERS_ABOVE = 3


def class_in(path: str, roots: Sequence[str], name: str, qualname: str) -> type[nn.Module]:
    """The class `qualname` of the file at `path`; of a mixin, a class of the file that it is mixed into.

    name: its dotted name, seen from the first of the roots. Raises TypeError for what is no nn.Module, and whatever the
    import raises.
    """
    found = thing_in(path, roots, name, qualname)
    others = vars(sys.modules[found.__module__]).values() if isinstance(found, type) else ()
    for one in (found, *others):
        if isinstance(one, type) and issubclass(one, nn.Module) and issubclass(one, found):
            return one
    raise TypeError(f"{qualname} is no nn.Module when the file is imported")


def thing_in(path: str, roots: Sequence[str], name: str, qualname: str) -> Any:
    """The class or function `qualname` of the file at `path`, as class_in() finds it."""
    found: Any = module_in(path, roots, name)
    for part in qualname.split("."):
        if part == "<locals>":
            raise TypeError(f"{qualname} is made inside a function")
        found = getattr(found, part)
    return found


def module_in(path: str, roots: Sequence[str], name: str) -> ModuleType:
    """The file at `path` as a module. name: its dotted name, seen from the first of the roots."""
    sys.path[:0] = [root for root in roots if root not in sys.path]
    return _module(path, name)


def _module(path: str, name: str) -> ModuleType:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        return _from_place(path, name)
    except ImportError as error:
        if "relative import" not in str(error):
            raise
        return _in_folders_above(path, name, error)
    return module if _is_at(module, path) else _from_place(path, name)


def _in_folders_above(path: str, name: str, error: ImportError) -> ModuleType:
    """The file as a part of the folders that it lies in, which are packages without __init__.py."""
    folder = Path(path).parents[name.count(".")]
    for _ in range(_FOLDERS_ABOVE):
        name, folder = f"{folder.name}.{name}", folder.parent
        sys.path.insert(0, str(folder))
        try:
            return importlib.import_module(name)
        except ImportError as other:
            if "beyond top-level" not in str(other):
                raise error from other
    raise error


def _from_place(path: str, name: str) -> ModuleType:
    """The file under a name that nothing else has: a module of its own name is imported already."""
    spec = importlib.util.spec_from_file_location(f"checked_{name.replace('.', '_')}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    known = sys.modules.get(spec.name)
    if known is not None and _is_at(known, path):
        return known
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _is_at(module: ModuleType, path: str) -> bool:
    return os.path.realpath(getattr(module, "__file__", None) or "") == os.path.realpath(path)
