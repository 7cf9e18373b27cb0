"""Keeps functions that get made-up arguments from writing outside the temporary folder, and from starting programs.

This guards against accidents. What compiled code opens by itself is not seen.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Events of Python's audit hooks by which of their arguments are paths.
_PATHS: Mapping[str, tuple[int, ...]] = {
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.utime": (0,),
    "shutil.rmtree": (0,),
    "shutil.move": (0, 1),
    "shutil.copyfile": (1,),
    "sqlite3.connect": (0,),
}
_PROGRAMS = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "os.kill",
)


class GuardedError(PermissionError):
    """Something was about to be changed outside the temporary folder."""


def guard() -> None:
    """From here on this process writes below the temporary folder only, and starts no program. There is no way back."""
    folder = os.path.realpath(tempfile.gettempdir())
    sys.addaudithook(lambda event, arguments: _check(event, arguments, folder))


def _check(event: str, arguments: tuple[Any, ...], folder: str) -> None:
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, int) or not (_is_writing(mode) or (flags or 0) & _WRITES):
            return
        _check_path(event, path, folder)
    elif event in _PATHS:
        for place in _PATHS[event]:
            _check_path(event, arguments[place], folder)
    elif event in _PROGRAMS:
        raise GuardedError(f"{event} is not allowed while arguments are made up")


def _is_writing(mode: Any) -> bool:
    return isinstance(mode, str) and any(letter in mode for letter in "wax+")


def _check_path(event: str, path: Any, folder: str) -> None:
    if isinstance(path, int) or path is None:
        return
    found = os.path.realpath(os.fsdecode(path))
    if found != os.devnull and os.path.commonpath((found, folder)) != folder:
        raise GuardedError(f"{event} of {found} is not allowed while arguments are made up")
