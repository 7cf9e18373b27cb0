"""Where dotted names lead on disk: the files in which an import may find what it names."""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import is_module_class
from torchlint.model.names.trail import Trail

if TYPE_CHECKING:
    from torchlint.model.project import Files

# What torchlint knows by name: reading these packages would tell less.
_KNOWN_PACKAGES = frozenset(("torch", "numpy"))
_SUFFIXES = (".py", ".pyi")
_FILE_OF_MODULE = "torch.nn.modules.module"
# What torch's own files define and the model knows by these names.
_KNOWN_IN_TORCH = frozenset(
    f"torch.{name}" for name in ("nn.parameter.Parameter", "nn.parameter.Buffer", "nn.Parameter", "nn.Buffer", "Tensor")
)


@dataclass(frozen=True, slots=True)
class Way:
    """A file and the names inside it that a dotted name may mean.

    is_installed: it lies in the environment, outside the project. is_hiding: the name is also that of a submodule, so
    only a statement of the file itself can mean something else by it.
    """

    file: str
    names: tuple[str, ...]
    is_installed: bool
    is_hiding: bool = False


class Imports:
    """The files that imports lead to, and who asked for which.

    files: tells the roots of the project and of the environment; None where nothing but `given` may be looked at.
    given: the files that are there whatever the disk says.
    """

    def __init__(self, files: Files | None, given: Container[str]) -> None:
        self._files = files
        self._given = given
        self._known: dict[str, bool] = {}
        self._packages: dict[str, str] = {}
        self._ways: dict[tuple[str, str], tuple[Way, ...]] = {}
        self.trail = Trail()

    def ways(self, path: str, name: str) -> tuple[Way, ...]:
        """The places that the dotted name of an import in `path` may mean, the likeliest first; none for a name that
        only the tables of torchlint know."""
        key = (path if name.startswith(".") else os.path.dirname(path), name)
        if key in self._ways:
            self.trail.note_lookup(path, key)
            return self._ways[key]
        with self.trail.lookup(path, key):
            is_known = self.absolute(path, name) in _KNOWN_IN_TORCH
            self._ways[key] = () if is_known else tuple(dict.fromkeys(self._find_ways(path, name)))
        return self._ways[key]

    def _find_ways(self, path: str, name: str) -> Iterator[Way]:
        parts = tuple(part for part in name.lstrip(".").split(".") if part)
        for start, is_installed in self._starts(path, name, parts):
            for file, names in self._follow(start, parts, is_inside=name.startswith(".")):
                is_hiding = len(names) == 1 and self._is_module(f"{os.path.dirname(file)}/{names[0]}")
                yield Way(file, names, is_installed, is_hiding and os.path.basename(file).startswith("__init__."))

    def _starts(self, path: str, name: str, parts: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
        """The folders in which the first of `parts` may lie."""
        level = len(name) - len(name.lstrip("."))
        if level:
            folder = os.path.dirname(path)
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            yield folder, False
            return
        if not parts or (parts[0] == "torch" and not self._is_inside_torch(path, name)):
            return
        own = self.package(path).partition(".")[0]
        folder = os.path.dirname(path)
        for root in self._roots(path):
            # A script may have been put into a package and still import its neighbours, but not typing.py for typing.
            if root != folder or parts[0] not in sys.stdlib_module_names or not self._is_package(folder):
                yield root, False
        # A folder without __init__.py whose files import each other by its name: they are run from the folder above.
        yield from ((above, False) for above in _above_namesakes(folder, parts[0]))
        if parts[0] == own or self._files is None or not _may_be_installed(parts):
            return
        self.trail.note_installed(parts[0])
        for folder in self._files.installed(path, parts[0]):
            yield folder, True

    def _roots(self, path: str) -> tuple[str, ...]:
        if self._files is not None:
            return self._files.roots(path)
        folder = os.path.dirname(path)
        top = folder
        while self._is_package(top):
            top = os.path.dirname(top)
        return tuple(dict.fromkeys((top, folder, os.path.dirname(top))))

    def _is_inside_torch(self, path: str, name: str) -> bool:
        """True for a name of torch in torch's own files that the tables do not know: there it is an import like any
        other."""
        is_class = name.rpartition(".")[2][:1].isupper()
        return is_class and self.package(path).partition(".")[0] == "torch" and not is_module_class(name)

    def _follow(self, start: str, parts: tuple[str, ...], *, is_inside: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The files that `parts` lead to from a folder, each with the names that are left to look up inside.

        is_inside: the folder is itself the package that is asked, as in `from . import x`.
        """
        here = start
        for count, part in enumerate(parts):
            rest = parts[count + 1 :]
            if (count or is_inside) and not rest and (package := self._init(here)) is not None:
                # `from package import name` means an attribute of the package before it means a submodule.
                yield package, parts[count:]
            folder = f"{here}/{part}"
            if self._is_package(folder) or (rest and self._is_folder(folder) and self._file(folder) is None):
                here = folder
                continue
            file = self._file(folder)
            if file is not None:
                yield file, rest
            elif (count or is_inside) and rest and (package := self._init(here)) is not None:
                yield package, parts[count:]
            return
        if (package := self._init(here)) is not None:
            yield package, ()

    def module(self, path: str, name: str) -> str | None:
        """The file of the module that a dotted name in `path` means; None where no file is found."""
        if name.lstrip(".") == "":
            with self.trail.lookup(path, (path, name)):
                folder = next((start for start, _ in self._starts(path, name, ())), "")
                return self._init(folder)
        return next((way.file for way in self.ways(path, name) if not way.names), None)

    def absolute(self, path: str, name: str) -> str:
        """The dotted name of an import in `path`, a relative one with its package."""
        bare = name.lstrip(".")
        level = len(name) - len(bare)
        if level == 0:
            return name
        package = self.package(path).split(".")
        is_init = os.path.basename(path).startswith("__init__.")
        kept = package[: len(package) - level + is_init]
        return ".".join((*kept, bare)) if kept and kept[0] else f"unknown.{bare}"

    def package(self, path: str) -> str:
        """The dotted name of the module in `path`, by the folders around it that are packages."""
        if path not in self._packages:
            with self.trail.lookup(path, path):
                self._packages[path] = self._find_package(path)
        return self._packages[path]

    def _find_package(self, path: str) -> str:
        parts: list[str] = []
        folder, file = os.path.split(path)
        stem = os.path.splitext(file)[0]
        while self._is_package(folder) and folder != os.path.dirname(folder):
            folder, part = os.path.split(folder)
            parts.insert(0, part)
        return ".".join((*parts, *(() if stem == "__init__" and parts else (stem,))))

    def defines_module(self, path: str) -> bool:
        """True for the file of torch that defines nn.Module, where torch itself is looked at."""
        return path.endswith("module.py") and self.package(path) == _FILE_OF_MODULE

    # Who led to what

    def note(self, path: str, file: str) -> None:
        """A name in `path` led to `file`."""
        self.trail.note(path, file)

    # The disk

    def _init(self, folder: str) -> str | None:
        return self._file(f"{folder}/__init__")

    def _file(self, stem: str) -> str | None:
        return next((stem + suffix for suffix in _SUFFIXES if self._is_file(stem + suffix)), None)

    def _is_package(self, folder: str) -> bool:
        return self._init(folder) is not None

    def _is_module(self, stem: str) -> bool:
        return self._file(stem) is not None or self._is_package(stem)

    def _is_file(self, path: str) -> bool:
        if path not in self._known:
            self._known[path] = path in self._given or os.path.isfile(path)
        self.trail.note_disk(path, exists=self._known[path])
        return self._known[path]

    def _is_folder(self, path: str) -> bool:
        key = f"{path}/"
        if key not in self._known:
            self._known[key] = os.path.isdir(path)
        self.trail.note_disk(key, exists=self._known[key])
        return self._known[key]


def _above_namesakes(folder: str, name: str) -> Iterator[str]:
    """The folders above `folder`, or above one around it, that is called `name`, as an import inside of it says."""
    here = folder
    while name not in sys.stdlib_module_names and os.path.dirname(here) != here:
        if os.path.basename(here) == name:
            yield os.path.dirname(here)
        here = os.path.dirname(here)


def _may_be_installed(parts: tuple[str, ...]) -> bool:
    """True for what may be a class of a package that torchlint has no table for: only classes are read there."""
    is_class = parts[-1].lstrip("_")[:1].isupper()
    return is_class and parts[0] not in sys.stdlib_module_names and parts[0] not in _KNOWN_PACKAGES
