"""The bar on standard error that shows how far a long run is."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

import click

QUIET_SECONDS = 1.0


class Progress:
    """A bar that appears when a run lasts longer than QUIET_SECONDS and standard error is a terminal."""

    def __init__(self, *, quiet: bool, label: str = "Reading") -> None:
        self._label = label
        self._shows = not quiet and sys.stderr.isatty()
        self._started = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def __call__(self, done: int, total: int) -> None:
        """Say that `done` of `total` files, or classes, are through. The total may grow."""
        if self._bar is None:
            if not self._shows or time.monotonic() - self._started < QUIET_SECONDS:
                return
            self._bar = click.progressbar(length=total, label=self._label, file=sys.stderr)
        self._bar.length, self._bar.finished = total, done >= total
        self._bar.update(done - self._bar.pos)
