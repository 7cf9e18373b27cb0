"""What files hold, by digest; those that have not changed since an earlier run are not read."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from torchlint.knowledge.conversions import CONVERTING_TEXT
from torchlint.source import content_digest

# A file that is this much older than our look at it would have another time of change, had it changed since.
SETTLED_NANOSECONDS = 2_000_000_000

# Time of change, bytes, time of change of what is known of the file, number of the file; then what it held: a digest,
# and whether it may convert modules.
Stamp = tuple[int, int, int, int, bytes, bool]
_Held = tuple[bytes, bool]
_NOTHING: _Held = (b"", False)


class Contents:
    """The digests of files, each worked out once in a run.

    known: the stamps of earlier runs, by path. stamps: those of this run that the next one may rely on.
    """

    def __init__(self, known: Mapping[str, Stamp]) -> None:
        self._known = known
        self._held: dict[str, _Held] = {}
        self._began = time.time_ns()
        self.stamps: dict[str, Stamp] = {}

    def digest(self, path: str) -> bytes:
        """What stands for the bytes of a file; b"" where there is no regular file that can be read."""
        return self._of(path)[0]

    def settled_digest(self, path: str) -> bytes:
        """The digest of a file; b"" where the file may have changed since the run began."""
        digest = self.digest(path)
        stamp = self.stamps.get(path)
        return digest if stamp is not None and max(stamp[0], stamp[2]) < self._began else b""

    def converting(self, paths: Iterable[str]) -> bytes:
        """What stands for those of the files that may convert a module, and for what they hold."""
        held = ((path, self._of(path)) for path in paths)
        return content_digest(repr(sorted((path, one[0]) for path, one in held if one[1])).encode())

    def _of(self, path: str) -> _Held:
        if path not in self._held:
            self._held[path] = self._look(path)
        return self._held[path]

    def _look(self, path: str) -> _Held:
        try:
            state = os.stat(path)
            if not stat.S_ISREG(state.st_mode):
                return _NOTHING
            known = self._known.get(path)
            identity = (state.st_mtime_ns, state.st_size, state.st_ctime_ns, state.st_ino)
            if known is not None and known[:4] == identity:
                self.stamps[path] = known
                return known[4:]
            data = Path(path).read_bytes()
        except OSError:
            return _NOTHING
        held = content_digest(data), CONVERTING_TEXT.search(data) is not None
        if time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) > SETTLED_NANOSECONDS:
            self.stamps[path] = (*identity, *held)
        return held
