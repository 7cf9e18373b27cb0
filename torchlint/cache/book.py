"""What the cache keeps of one project, as plain data: results of files, and the grounds that they rest on."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from torchlint.cache.stamps import Stamp

FORMAT = 1
KEPT_RESULTS = 3  # of one file, for runs with other settings or over other files

Universe = dict[str, bytes]
Entry = TypeVar("Entry", bound=Hashable)


class Scan(NamedTuple):
    """A word that was sought in a folder. universe: the files there with their digests, b"" for one that changed
    meanwhile. members: those that hold the word."""

    folder: str
    word: bytes
    universe: int
    members: tuple[str, ...]


class KeptGround(NamedTuple):
    """A ground of the model, and what was true of its surroundings. there, vain: the paths at which something was, and
    was not. scans: by number. packages: where each was sought. roots: where its imports may begin."""

    path: str
    content: bytes
    digest: str
    groups: tuple[int, ...] | None
    there: tuple[str, ...]
    vain: tuple[str, ...]
    scans: tuple[int, ...]
    packages: tuple[tuple[str, tuple[str, ...]], ...]
    counts_as: bool | None
    roots: tuple[str, ...]


class KeptResult(NamedTuple):
    """A result of a file. content: the digest of its bytes. key: of the settings. grounds: their numbers."""

    content: bytes
    key: bytes
    grounds: tuple[int, ...]
    data: tuple[Any, ...]


@dataclass(slots=True)
class Book:
    """The results by file, the latest first, and what they refer to by number."""

    stamps: dict[str, Stamp] = field(default_factory=dict)
    universes: list[Universe] = field(default_factory=list)
    scans: list[Scan] = field(default_factory=list)
    grounds: list[KeptGround] = field(default_factory=list)
    results: dict[str, list[KeptResult]] = field(default_factory=dict)


def pack(book: Book) -> bytes:
    """A book as bytes, for this version of Python only."""
    results = {
        path: [(one.content, one.key, array("I", one.grounds).tobytes(), one.data) for one in kept]
        for path, kept in book.results.items()
    }
    scans, grounds = map(tuple, book.scans), map(tuple, book.grounds)
    return marshal.dumps((FORMAT, book.stamps, book.universes, list(scans), list(grounds), results))


def unpack(packed: bytes) -> Book | None:
    """The book that was packed; None for one of another format."""
    loaded = marshal.loads(packed)
    if not isinstance(loaded, tuple) or loaded[0] != FORMAT:
        return None
    _, stamps, universes, scans, grounds, results = loaded
    book = Book(stamps, universes, list(map(Scan._make, scans)), list(map(KeptGround._make, grounds)))
    for path, some in results.items():
        book.results[path] = [
            KeptResult(content, key, tuple(array("I", ids)), data) for content, key, ids, data in some
        ]
    return book


class Today(Protocol):
    """What of a book is seen to be so still."""

    def current(self, number: int) -> KeptGround:
        """A ground, with what its file holds today where it still stands."""

    def universe(self, scan: Scan) -> Universe:
        """The files that a scan holds for: those of today where it still holds."""


class Copyist:
    """Writes results of several books into a new one, with nothing that no result refers to."""

    def __init__(self) -> None:
        self.book = Book()
        self._universes: dict[int, int] = {}
        self._scans: dict[Scan, int] = {}
        self._grounds: dict[KeptGround, int] = {}

    def universe(self, files: Universe) -> int:
        """The number of a universe in the new book."""
        if id(files) not in self._universes:
            self._universes[id(files)] = len(self.book.universes)
            self.book.universes.append(files)
        return self._universes[id(files)]

    def scan(self, one: Scan, universe: Universe) -> int:
        """The number of a scan of a universe."""
        return _numbered(one._replace(universe=self.universe(universe)), self._scans, self.book.scans)

    def ground(self, one: KeptGround) -> int:
        """The number of a ground, whose scans are those of the new book."""
        return _numbered(one, self._grounds, self.book.grounds)

    def add(self, path: str, kept: KeptResult) -> None:
        """Add a result, whose grounds are those of the new book, behind the others of its file."""
        some = self.book.results.setdefault(path, [])
        if len(some) < KEPT_RESULTS and all((kept.content, kept.key, kept.grounds) != _identity(one) for one in some):
            some.append(kept)

    def add_all(self, book: Book, paths: Iterable[str], today: Today) -> None:
        """Add the results of files from another book, with what they rest on as it is today."""
        numbers: dict[int, int] = {}
        for path in paths:
            for kept in book.results[path]:
                for number in set(kept.grounds) - numbers.keys():
                    numbers[number] = self._copied(book, today.current(number), today)
                ids = tuple(numbers[number] for number in kept.grounds)
                self.add(path, KeptResult(kept.content, kept.key, ids, kept.data))

    def _copied(self, book: Book, ground: KeptGround, today: Today) -> int:
        scans = (book.scans[number] for number in ground.scans)
        return self.ground(ground._replace(scans=tuple(self.scan(one, today.universe(one)) for one in scans)))


def _identity(kept: KeptResult) -> tuple[bytes, bytes, tuple[int, ...]]:
    return kept.content, kept.key, kept.grounds


def _numbered(entry: Entry, numbers: dict[Entry, int], entries: list[Entry]) -> int:
    """The number of an entry, which is added where it is new."""
    if entry not in numbers:
        numbers[entry] = len(entries)
        entries.append(entry)
    return numbers[entry]
