"""Which lines of a file run."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any


@contextmanager
def lines_of(file: str) -> Iterator[set[int]]:
    """The lines of `file`, a real path, that run inside; the set grows meanwhile."""
    found: set[int] = set()

    def line(frame: Any, event: str, argument: object) -> Any:
        if event == "line":
            found.add(frame.f_lineno)
        return line

    def call(frame: Any, event: str, argument: object) -> Any:
        return line if _real(frame.f_code.co_filename) == file else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield found
    finally:
        sys.settrace(before)


def lines_in(code: CodeType) -> set[int]:
    """The lines of a function's body that can run, without those of functions inside it."""
    return {line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno}


@functools.lru_cache(maxsize=4096)
def _real(name: str) -> str:
    return os.path.realpath(name)
