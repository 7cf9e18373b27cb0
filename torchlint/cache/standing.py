"""Whether what a result rests on is still as it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from sys import intern
from typing import Protocol

from torchlint.cache.book import Book, KeptGround, Scan, Universe
from torchlint.cache.stamps import Contents
from torchlint.imported import files_in
from torchlint.source import EVERY_CHECKED_FILE

MANY_CHANGES = 300  # beyond, judging again is cheaper than searching all that has changed


class Surroundings(Protocol):
    """What is asked of the files around a result, as they are today."""

    def roots(self, path: str) -> tuple[str, ...]:
        """The folders in which an absolute import written in `path` may begin."""

    def installed(self, path: str, package: str) -> tuple[str, ...]:
        """The folders of the environment in which the top-level name `package` may lie, for the file `path`."""


class Disk:
    """What is at a path; a folder is listed once for all the paths in it."""

    def __init__(self) -> None:
        self._listed: dict[str, frozenset[str]] = {}
        self._known: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Whether there is a file; for a path that ends with a slash, whether there is a folder."""
        if path not in self._known:
            folder, name = os.path.split(path.rstrip("/"))
            exists = os.path.isdir if path.endswith("/") else os.path.isfile
            self._known[path] = name in self._names(folder) and exists(path)
        return self._known[path]

    def _names(self, folder: str) -> frozenset[str]:
        if folder not in self._listed:
            try:
                self._listed[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._listed[folder] = frozenset()
        return self._listed[folder]


class Universes:
    """The files of folders as they are today, and which words they hold."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._today: dict[str, Universe] = {}
        self._data: dict[str, bytes] = {}
        self._changed: dict[int, frozenset[str]] = {}

    def today(self, folder: str) -> Universe:
        """The files below a folder with their digests; b"" for one that may have changed since the run began."""
        if folder not in self._today:
            files = sorted(files_in(folder))
            self._today[folder] = {intern(file): self._contents.settled_digest(file) for file in files}
        return self._today[folder]

    def still_holds(self, scan: Scan, then: Universe) -> bool:
        """Whether the same files hold the word that held it in the universe `then`."""
        today = self.today(scan.folder)
        if id(then) not in self._changed:
            paths = then.keys() | today.keys()
            self._changed[id(then)] = frozenset(
                path for path in paths if not today.get(path) or today[path] != then.get(path)
            )
        changed = self._changed[id(then)]
        if len(changed) > MANY_CHANGES:
            return False
        return all((path in today and scan.word in self._read(path)) == (path in scan.members) for path in changed)

    def _read(self, path: str) -> bytes:
        if path not in self._data:
            try:
                self._data[path] = Path(path).read_bytes() if os.path.isfile(path) else b""
            except OSError:
                self._data[path] = b""
        return self._data[path]


class Standing:
    """Which grounds of a book still stand, each looked at once.

    checked: the files that are checked. every: what stands for those of them that may convert a module. redigest: the
    digest of some parts of a file as it is today.
    """

    def __init__(
        self,
        book: Book,
        contents: Contents,
        around: tuple[Surroundings, Disk, Universes],
        checked: frozenset[str],
        every: bytes,
        redigest: Callable[[str, tuple[int, ...]], str],
    ) -> None:
        self._book = book
        self._contents = contents
        self._surroundings, self._disk, self._universes = around
        self._checked = checked
        self._every = every
        self._redigest = redigest
        self._known: dict[int, bool] = {}
        self._fallen: set[int] = set()
        self._scans: dict[int, bool] = {}
        self._held: set[Scan] = set()

    def holds(self, number: int) -> bool:
        """Whether the ground with this number still stands."""
        if number not in self._known:
            self._known[number] = self._holds(self._book.grounds[number])
        return self._known[number]

    def all_hold(self, numbers: tuple[int, ...]) -> bool:
        """Whether all of these grounds still stand. Files share most of theirs, so only new ones are looked at."""
        fresh = set(numbers) - self._known.keys() if self._fallen.isdisjoint(numbers) else ()
        self._fallen.update(number for number in fresh if not self.holds(number))
        return self._fallen.isdisjoint(numbers)

    def _holds(self, ground: KeptGround) -> bool:
        if ground.path == EVERY_CHECKED_FILE:
            return ground.content == self._every
        return (
            (ground.counts_as is None or ground.counts_as == (ground.path in self._checked))
            and self._has_content(ground)
            and all(map(self._disk.has, ground.there))
            and not any(map(self._disk.has, ground.vain))
            and (not (ground.there or ground.vain) or self._surroundings.roots(ground.path) == ground.roots)
            and all(self._surroundings.installed(ground.path, name) == where for name, where in ground.packages)
            and all(map(self._scan_holds, ground.scans))
        )

    def _has_content(self, ground: KeptGround) -> bool:
        if self._contents.digest(ground.path) == ground.content:
            return True
        if ground.groups is None or not ground.digest:
            return False
        return self._redigest(ground.path, ground.groups) == ground.digest

    def _scan_holds(self, number: int) -> bool:
        if number not in self._scans:
            scan = self._book.scans[number]
            self._scans[number] = self._universes.still_holds(scan, self._book.universes[scan.universe])
            self._held |= {scan} if self._scans[number] else set()
        return self._scans[number]

    def universe(self, scan: Scan) -> Universe:
        """The universe of a scan: that of today, where the scan was seen to hold in it."""
        return self._universes.today(scan.folder) if scan in self._held else self._book.universes[scan.universe]

    def current(self, number: int) -> KeptGround:
        """A ground as it is today: where it was seen to stand although its file has changed, with the new content."""
        ground = self._book.grounds[number]
        if self._known.get(number) and ground.path != EVERY_CHECKED_FILE:
            return ground._replace(content=self._contents.digest(ground.path))
        return ground
