"""The half of the measure that runs torch: import a package whole, and say what its classes are."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import os
import socket
import sys
import warnings
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from tests.benchmarks.truth_arguments import Package
from tests.benchmarks.truth_build import TooLongError, build_all, leave_weights_unset, time_limit, watch_registrations
from tests.benchmarks.truth_record import ClassTruth, PackageTruth

IMPORT_SECONDS = 60
# Programs rather than modules: importing one runs it.
_PROGRAMS = ("__main__", "run_as_main")

# The operators of a torch.library.Library are gone when it is.
_kept: list[object] = []


def record(name: str) -> PackageTruth:
    """Import all of a package and say what its classes are. Changes this process: no network, patched nn.Module."""
    _make_quiet()
    leave_weights_unset()
    _stand_in_for_torchvision()
    package = importlib.import_module(name)
    failed = dict(_import_all(package))
    imported = [module for module in list(sys.modules) if module == name or module.startswith(f"{name}.")]
    folder = Path(os.path.realpath(package.__path__[0]))
    found = dict(_classes(name, folder))
    generated = _generated_count(name, found)
    watch_registrations()
    classes = build_all(found, Package(name))
    return PackageTruth(name, metadata.version(name), str(folder), len(imported), failed, generated, classes)


# Importing


def _make_quiet() -> None:
    def refuse(*_: object) -> NoReturn:
        raise OSError("no network while classes are built")

    warnings.simplefilter("ignore")
    warnings.showwarning = lambda *_, **__: None
    socket.socket.connect = refuse  # type: ignore[method-assign]
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")


def _stand_in_for_torchvision() -> None:
    """Declare the operators of torchvision's own library: that of a CUDA wheel does not load beside a CPU torch."""
    import torch

    try:
        importlib.import_module("torchvision")
    except ImportError:
        return
    except RuntimeError:
        for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
            del sys.modules[name]
        library: Any = torch.library.Library("torchvision", "FRAGMENT")  # type: ignore[no-untyped-call]
        for operator in ("nms", "qnms"):
            with contextlib.suppress(RuntimeError):
                library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _kept.append(library)


def _import_all(package: ModuleType) -> Iterator[tuple[str, str]]:
    """Import every module below `package`; yield those that fail, with the reason."""
    for name in sorted(_module_names(Path(package.__path__[0]), package.__name__)):
        if name.rpartition(".")[2] in _PROGRAMS:
            continue
        try:
            with time_limit(IMPORT_SECONDS):
                importlib.import_module(name)
        except (Exception, SystemExit, TooLongError) as error:
            yield name, f"{type(error).__name__}: {error}".splitlines()[0][:200]


def _module_names(folder: Path, name: str) -> Iterator[str]:
    """The dotted names of the .py files; a folder without __init__.py is a namespace package."""
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and entry.name.isidentifier():
            yield from _module_names(entry, f"{name}.{entry.name}")
        elif entry.suffix == ".py" and entry.stem == "__init__":
            yield name
        elif entry.suffix == ".py" and entry.stem.isidentifier():
            yield f"{name}.{entry.stem}"


# Classes


def _classes(name: str, folder: Path) -> Iterator[tuple[type, ClassTruth]]:
    """The living classes that a class statement of the package's files defines."""
    from torch import nn

    statements: dict[str, dict[str, list[ast.ClassDef]]] = {}
    for kind in _living(name):
        path = _path(kind)
        if not path.startswith(f"{folder}{os.sep}"):
            continue
        if path not in statements:
            statements[path] = _statements(Path(path))
        written = statements[path].get(_qualname(kind))
        if written:
            line = _statement(kind, written).lineno
            bases = tuple(_base(base) for base in kind.__bases__)
            yield kind, ClassTruth(path, _qualname(kind), line, issubclass(kind, nn.Module), bases)


def _living(name: str) -> list[type]:
    """All classes whose __module__ lies in the package, local and nested ones too."""
    found: dict[int, type] = {}
    waiting: list[type] = [object]
    while waiting:
        below: type
        for below in type.__subclasses__(waiting.pop()):
            if id(below) not in found:
                found[id(below)] = below
                waiting.append(below)
    return [kind for kind in found.values() if _belongs(kind, name)]


def _belongs(kind: type, name: str) -> bool:
    module = getattr(kind, "__module__", None)
    return isinstance(module, str) and (module == name or module.startswith(f"{name}."))


def _path(kind: type) -> str:
    module = sys.modules.get(kind.__module__)
    return os.path.realpath(getattr(module, "__file__", None) or "")


def _qualname(kind: type) -> str:
    return kind.__qualname__.replace(".<locals>", "")


def _base(kind: type) -> str:
    path = _path(kind)
    return f"{path}::{_qualname(kind)}" if path.endswith(".py") else f"{kind.__module__}.{kind.__qualname__}"


def _statements(path: Path) -> dict[str, list[ast.ClassDef]]:
    """The class statements of a file by qualified name, without "<locals>"."""
    found: dict[str, list[ast.ClassDef]] = {}

    def enter(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = f"{prefix}{child.name}."
            if isinstance(child, ast.ClassDef):
                found.setdefault(inner[:-1], []).append(child)
            enter(child, inner)

    if path.suffix == ".py":
        enter(ast.parse(path.read_bytes()), "")
    return found


def _statement(kind: type, written: list[ast.ClassDef]) -> ast.ClassDef:
    """The one of several class statements of one name that holds a method of `kind`; else the last."""
    lines = [member.__code__.co_firstlineno for member in vars(kind).values() if inspect.isfunction(member)]
    holding = [one for one in written if any(one.lineno <= line <= (one.end_lineno or 0) for line in lines)]
    return (holding or written)[-1]


def _generated_count(name: str, found: dict[type, ClassTruth]) -> int:
    return sum(1 for kind in _living(name) if kind not in found)
