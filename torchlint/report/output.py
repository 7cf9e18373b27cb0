"""Where a report is written: regular files are replaced whole, anything else is written in place."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

Write = Callable[[TextIO], None]

_IN_PLACE = ("/dev/", "/proc/")


class OutputError(Exception):
    """A file that could not be written; the text is a whole sentence."""


def write_file(file: Path, write: Write) -> None:
    """Let `write` fill `file` in UTF-8; readers of a regular file see the old text or the new one, never a part.

    Raises OutputError when the file cannot be written; then a regular file is as it was.
    """
    try:
        if _is_replaced(file):
            _replace(Path(os.path.realpath(file)), write)
        else:
            with file.open("w", encoding="utf-8", newline="\n") as stream:
                write(stream)
    except OSError as error:
        raise OutputError(f"cannot write {file}: {(error.strerror or str(error)).lower()}") from error


def _is_replaced(file: Path) -> bool:
    """Links below /dev lead to what the shell opened for us, which must keep its identity."""
    if str(file.absolute()).startswith(_IN_PLACE):
        return False
    return file.is_file() or not file.exists()


def _replace(target: Path, write: Write) -> None:
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as stream:
            write(stream)
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _mode(target: Path) -> int:
    """The permissions of `target`, or those that a new file gets."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
