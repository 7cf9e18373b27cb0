"""Paths that the user names -> the Python files to check, as gitignore and the exclusions of the settings allow."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".py", ".pyi")


# Names of folders that hold no code of the project's own. The setting `exclude` replaces them.
DEFAULT_EXCLUDED = frozenset(
    {
        *(".bzr", ".git", ".hg", ".svn", ".direnv", ".venv", "venv", ".nox", ".tox", ".vscode", ".idea"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".torchlint_cache", "__pycache__", "__pypackages__"),
        *("node_modules", ".eggs", "_build", "build", "dist", "site-packages"),
    }
)

Question = Callable[[Path], bool]


@dataclass(frozen=True, slots=True)
class Discovery:
    """What paths lead to. `files`: absolute, links resolved, sorted, each once. `missing`: as the user wrote them."""

    files: tuple[Path, ...]
    missing: tuple[str, ...]


def discover(paths: Iterable[str], is_excluded: Question, is_refused: Question) -> Discovery:
    """The files that `paths` name, and the Python files below the folders among them.

    is_excluded: asked about every file and folder that a walk meets. is_refused: asked about what the user named.
    Ignore files and exclusions that cover a folder which the user named do not hold inside it. Links to folders are
    not followed while walking, so a walk ends.
    """
    files: set[Path] = set()
    missing: list[str] = []
    for written in paths:
        path = Path(os.path.realpath(written))
        if not os.path.lexists(path):
            missing.append(written)
        elif is_refused(path):
            continue
        elif path.is_dir():
            files.update(_walk(path, [skips for skips in (is_excluded, is_ignored_by_git) if not skips(path)]))
        else:
            files.add(path)
    return Discovery(tuple(sorted(files)), tuple(missing))


def _walk(top: Path, reasons_to_skip: list[Question]) -> Iterator[Path]:
    waiting = [top]
    while waiting:
        for entry in _entries(waiting.pop()):
            path = Path(entry.path)
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not (path.name.endswith(SUFFIXES) and _is_text(entry)):
                continue
            if any(skips(path) for skips in reasons_to_skip):
                continue
            if is_folder:
                waiting.append(path)
            else:
                yield Path(os.path.realpath(path))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in `folder`; nothing where we may not look, for then there is no file that we could name."""
    try:
        return list(os.scandir(folder))
    except OSError:
        return []


def _is_text(entry: os.DirEntry[str]) -> bool:
    """A regular file, or a link that leads to none (reading it will say why): no folder, pipe or device."""
    try:
        return entry.is_file() or not Path(entry.path).exists()
    except OSError:
        return True


def is_ignored_by_git(path: Path) -> bool:
    """Whether an ignore file of `path`'s repository (outside one: of any folder above it) says to leave it out."""
    slash = "/" if path.is_dir() else ""
    for folder in path.parents:
        spec = _ignore_file(folder)
        if spec is not None:
            verdict = spec.check_file(path.relative_to(folder).as_posix() + slash).include
            if verdict is not None:
                return verdict
        if _is_repository(folder):
            return False
    return False


@lru_cache(maxsize=4096)
def _is_repository(folder: Path) -> bool:
    return (folder / ".git").exists()


@lru_cache(maxsize=4096)
def _ignore_file(folder: Path) -> GitIgnoreSpec | None:
    lines: list[str] = []
    for file in (folder / ".git" / "info" / "exclude", folder / ".gitignore"):
        try:
            lines += file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
    return _compiled(tuple(lines)) if lines else None


def matches(path: Path, base: Path, globs: tuple[str, ...]) -> bool:
    """Whether one of `globs`, written as in a .gitignore in the folder `base`, matches `path` or a folder above it."""
    if not globs or not path.is_relative_to(base) or path == base:
        return False
    return _compiled(globs).match_file(path.relative_to(base).as_posix())


@lru_cache(maxsize=256)
def _compiled(globs: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(globs)
