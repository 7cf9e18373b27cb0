"""The cache folder: named entries of bytes, each whole or absent, under a bound in size."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from torchlint.source import content_digest

DIGEST_BYTES = 20
LIMIT_BYTES = 1 << 30
DAY_SECONDS = 86_400

_TAG = "CACHEDIR.TAG"
# The first line by which backup programs know a cache folder, and the second by which we know ours.
_TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of torchlint; it may be deleted.\n"
_PRUNED = "pruned"
# What the facts of a file depend on, and what findings depend on beside.
READERS = ("reading", "model", "knowledge")
JUDGES = (*READERS, "rules", "analysis", "cache", ".", "_pages", "../rules")


class StoreError(Exception):
    """A folder that cannot serve as a cache; the text is a whole sentence."""


def usual_folder() -> Path:
    """Where this user's caches are, by the custom of the system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "torchlint"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "torchlint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "torchlint"


def check_folder(folder: Path) -> None:
    """Raise StoreError where `folder` holds something that is not ours."""
    if not folder.exists() or folder == usual_folder():
        return
    if not folder.is_dir():
        raise StoreError(f"cannot use {folder} as the cache: it is no folder")
    if not _is_ours(folder) and any(folder.iterdir()):
        raise StoreError(f"cannot use {folder} as the cache: it holds files that are not torchlint's")


def _is_ours(folder: Path) -> bool:
    try:
        return (folder / _TAG).read_text(encoding="utf-8") == _TAG_TEXT
    except (OSError, UnicodeDecodeError):
        return False


def load(entry: Path) -> bytes | None:
    """What an entry holds; None for an absent one. Raises StoreError for a damaged one."""
    try:
        content = entry.read_bytes()
    except OSError:
        return None
    held = content[DIGEST_BYTES:]
    if content_digest(held, DIGEST_BYTES) != content[:DIGEST_BYTES]:
        raise StoreError(f"the cache entry {entry} is damaged")
    return held


def save(entry: Path, held: bytes, folder: Path) -> None:
    """Write an entry below `folder` so that another process, or the next one after a crash, sees all of it or nothing.

    A folder that cannot be written means no cache: the next run works again, that is all.
    """
    import tempfile

    with suppress(OSError):
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _mark(folder)
        descriptor, name = tempfile.mkstemp(dir=entry.parent)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content_digest(held, DIGEST_BYTES) + held)
        Path(name).replace(entry)


@lru_cache(maxsize=8)
def _mark(folder: Path) -> None:
    """Say in a new folder whose it is, and keep it out of repositories and backups."""
    if not (folder / _TAG).exists():
        (folder / _TAG).write_text(_TAG_TEXT, encoding="utf-8")
        if folder != usual_folder():
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")


def clean(folder: Path) -> bool:
    """Remove the folder with all it holds; False where there was none. Raises StoreError where it is not ours."""
    check_folder(folder)
    if not folder.exists():
        return False
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    return True


def prune(folder: Path, limit_bytes: int = LIMIT_BYTES) -> None:
    """Once a day: remove the entries that were written first, until a quarter of the limit is free again."""
    with suppress(OSError):
        marker = folder / _PRUNED
        if marker.exists() and time.time() - marker.stat().st_mtime < DAY_SECONDS:
            return
        marker.touch()
        entries = sorted(_entries(folder))
        excess = sum(size for _, size, _ in entries) - limit_bytes
        excess = excess + limit_bytes // 4 if excess > 0 else 0
        for _, size, path in entries:
            if excess <= 0:
                break
            path.unlink(missing_ok=True)
            excess -= size


def _entries(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each entry was written, its bytes, and where it is."""
    for path in folder.rglob("*"):
        with suppress(OSError):
            if path.is_file() and path.name not in (_TAG, _PRUNED, ".gitignore"):
                state = path.stat()
                yield state.st_mtime, state.st_size, path


@lru_cache(maxsize=2)
def identity(parts: tuple[str, ...]) -> bytes:
    """All that an entry depends on beside what it is about: versions, and our own code while it is being changed.

    parts: the folders of ours that count, READERS or JUDGES.
    """
    from torchlint import __version__

    package = Path(__file__).parents[1]
    states = [state for part in parts for state in sorted(_states(package / part, is_deep=part != "."))]
    return repr((__version__, version_of_libcst(), sys.version_info[:3], states)).encode()


def _states(folder: Path, *, is_deep: bool) -> Iterator[tuple[str, int, int]]:
    """The files of our own in a folder, and in those below where it is deep: names, bytes and times of change."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.endswith((".py", ".md")):
                state = entry.stat()
                yield entry.name, state.st_size, state.st_mtime_ns
            elif is_deep and entry.is_dir():
                yield from _states(Path(entry.path), is_deep=True)


def version_of_libcst() -> str:
    """Its version by the name of its folder of metadata, because importlib.metadata takes longer than all the rest."""
    for folder in sys.path:
        with suppress(OSError):
            found = [entry.name for entry in os.scandir(folder or ".") if entry.name.startswith("libcst-")]
            if found:
                return ",".join(sorted(found))
    return ""
