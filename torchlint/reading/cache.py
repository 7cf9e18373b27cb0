"""Facts of files that were read before, kept in the cache folder by the content of the file."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from torchlint.cache.store import DIGEST_BYTES, READERS, StoreError, identity, load, save
from torchlint.source import SourceFile

Facts = TypeVar("Facts")


def read_cached(source: SourceFile, read: Callable[[SourceFile], Facts], folder: Path, what: str = "") -> Facts:
    """What `read` says of `source`, or said when it met the same bytes under the same name.

    folder: the cache. what: what `read` reads, where it is not the whole file; one file has an entry for each.

    An entry that is damaged counts as absent; a folder that cannot be written means no cache. Errors are not kept.
    """
    held: tuple[Facts] | None = recalled(source, folder, what)
    if held is not None:
        return held[0]
    facts = read(source)
    remember(source, facts, folder, what)
    return facts


def recalled(source: SourceFile, folder: Path, what: str = "") -> tuple[Any] | None:
    """What was kept of `source`, alone in a tuple; None where nothing was."""
    with suppress(StoreError):
        content = load(_entry(source, folder, what))
        if content is not None:
            held: tuple[Any] = pickle.loads(content)
            return held
    return None


def remember(source: SourceFile, facts: object, folder: Path, what: str = "") -> None:
    """Keep what was read of `source`."""
    # Facts too deep to pickle are read again by the next run; that is all.
    with suppress(RecursionError):
        save(_entry(source, folder, what), pickle.dumps((facts,)), folder)


def _entry(source: SourceFile, folder: Path, what: str) -> Path:
    digest = hashlib.blake2b(identity(READERS), digest_size=DIGEST_BYTES)
    digest.update(os.fsencode(source.path) + b"\0" + what.encode() + b"\0")
    digest.update(source.data)
    name = digest.hexdigest()
    return folder / name[:2] / name[2:]
