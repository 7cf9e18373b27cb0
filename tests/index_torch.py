"""What torch says of the classes of some projects: a program, run in a process of its own.

It reads {project: {"folder": path, "files": [path inside]}} as JSON from its standard input and prints
{project: {"error": sentence or "", "classes": {"file:line": what}}}. The line is that of the first decorator, or of the
word `class`; what is {"is_module": bool, "failure": "" or why it cannot be built without arguments, "buffers": [...],
"parameters": [...], "modules": [...], "plain": [...]}.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from torch import nn

_Classes = dict[tuple[str, int], type]


def main() -> None:
    """Answer the projects of the standard input."""
    projects = json.load(sys.stdin)
    out, sys.stdout = sys.stdout, sys.stderr
    json.dump({name: _asked(Path(each["folder"]), each["files"]) for name, each in projects.items()}, out)


def _asked(folder: Path, files: list[str]) -> dict[str, Any]:
    """Import the files of a project and look at the classes that this makes."""
    with _imports_from(folder), _noting_classes() as made:
        try:
            for file in files:
                importlib.import_module(_module_name(file))
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}", "classes": {}}
        return {"error": "", "classes": dict(_looked_at(made, folder))}


@contextmanager
def _imports_from(folder: Path) -> Iterator[None]:
    """Let imports begin in the folder and in its src/; what they brought is forgotten afterwards."""
    known, path = set(sys.modules), list(sys.path)
    sys.path[:0] = [str(folder), str(folder / "src")]
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = path
        # All are looked at before the first goes: a namespace package asks its parent where it lies.
        for name in [name for name in set(sys.modules) - known if _lies_in(sys.modules[name], folder)]:
            del sys.modules[name]


def _lies_in(module: ModuleType, folder: Path) -> bool:
    places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]
    return any(str(place).startswith(str(folder)) for place in places)


def _module_name(file: str) -> str:
    parts = Path(file).with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@contextmanager
def _noting_classes() -> Iterator[_Classes]:
    """Collect the classes that class statements make, by file and line; of several from one statement the first."""
    made: _Classes = {}
    original = builtins.__build_class__

    def build(body: Any, name: str, /, *bases: Any, **keywords: Any) -> Any:
        cls = original(body, name, *bases, **keywords)
        if isinstance(cls, type):
            made.setdefault((body.__code__.co_filename, body.__code__.co_firstlineno), cls)
        return cls

    builtins.__build_class__ = build
    try:
        yield made
    finally:
        builtins.__build_class__ = original


def _looked_at(made: _Classes, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for (file, line), cls in list(made.items()):
        if file.startswith(str(folder)):
            yield f"{Path(file).relative_to(folder).as_posix()}:{line}", _seen(cls)


def _seen(cls: type) -> dict[str, Any]:
    if not issubclass(cls, nn.Module):
        return {"is_module": False}
    try:
        inspect.signature(cls).bind()
        state = vars(cls())
    except Exception as error:
        return {"is_module": True, "failure": f"{type(error).__name__}: {error}"}
    registered = {how: [*state.get(f"_{how}", ())] for how in ("buffers", "parameters", "modules")}
    return {"is_module": True, "failure": "", **registered, "plain": [*state]}


if __name__ == "__main__":
    main()
