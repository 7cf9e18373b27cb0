"""Facts of files that were read before, kept in the user's cache folder by the content of the file."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from torchlint import __version__
from torchlint.source import SourceFile

Facts = TypeVar("Facts")

DIGEST_BYTES = 20
_READERS = ("reading", "model", "knowledge")


def read_cached(source: SourceFile, read: Callable[[SourceFile], Facts], what: str = "") -> Facts:
    """What `read` says of `source`, or said when it met the same bytes under the same name.

    what: what `read` reads, where it is not the whole file; one file has an entry for each.

    An entry that is damaged counts as absent; a folder that cannot be written means no cache. Errors are not kept.
    """
    entry = _entry(source, what)
    content = _load(entry)
    if content is not None:
        held: Facts = content[0]
        return held
    facts = read(source)
    # Without a place to write, or with facts too deep to pickle, the next run reads the file again; that is all.
    with suppress(OSError, RecursionError):
        _store(entry, pickle.dumps((facts,)))
    return facts


def cache_folder() -> Path:
    """Where this user's caches are, by the custom of the system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "torchlint"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "torchlint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "torchlint"


def _entry(source: SourceFile, what: str) -> Path:
    digest = hashlib.blake2b(_reader_identity(), digest_size=DIGEST_BYTES)
    digest.update(os.fsencode(source.path) + b"\0" + what.encode() + b"\0")
    digest.update(source.data)
    name = digest.hexdigest()
    return cache_folder() / name[:2] / name[2:]


@lru_cache(maxsize=1)
def _reader_identity() -> bytes:
    """All that the facts of a file depend on beside the file: versions, and our own code while it is being changed."""
    from importlib.metadata import version

    package = Path(__file__).parents[1]
    files = sorted(file for name in _READERS for file in (package / name).rglob("*.py"))
    states = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return repr((__version__, version("libcst"), sys.version_info[:3], states)).encode()


def _load(entry: Path) -> tuple[Any] | None:
    """What the entry holds, in a tuple because it may be None; None for an absent or damaged entry."""
    try:
        content = entry.read_bytes()
    except OSError:
        return None
    digest, facts = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    if hashlib.blake2b(facts, digest_size=DIGEST_BYTES).digest() != digest:
        return None
    held: tuple[Any] = pickle.loads(facts)
    return held


def _store(entry: Path, facts: bytes) -> None:
    """Write the entry so that another process sees all of it or nothing."""
    entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=entry.parent)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(hashlib.blake2b(facts, digest_size=DIGEST_BYTES).digest() + facts)
    Path(name).replace(entry)
