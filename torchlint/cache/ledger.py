"""Results of earlier runs, each with what it rests on: while nothing of that has changed, a file need not be judged.

There is one book for each project, which is the neighbourhood of a file, in the cache folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING

from torchlint.cache.book import Book, Copyist, KeptGround, KeptResult, Scan, pack, unpack
from torchlint.cache.stamps import Contents, Stamp
from torchlint.cache.standing import Disk, Standing, Universes
from torchlint.cache.store import DIGEST_BYTES, JUDGES, StoreError, identity, load, prune, save
from torchlint.imported import ImportedFiles, neighbourhood
from torchlint.results import FileResult, as_data, from_data
from torchlint.source import EVERY_CHECKED_FILE, content_digest

if TYPE_CHECKING:
    from torchlint.model.names.grounds import Ground


@dataclass(frozen=True, slots=True)
class Judged:
    """A result, and what it rests on. scans: the files that held each word, by folder and word."""

    result: FileResult
    grounds: Sequence[Ground]
    scans: Mapping[tuple[str, bytes], tuple[str, ...]]


@dataclass(slots=True)
class _Open:
    """A book in hand. entry: where it is kept. state: of the file when it was read."""

    entry: Path
    book: Book
    state: object
    standing: Standing | None = None
    is_new: bool = False
    judged: list[tuple[Judged, bytes]] = field(default_factory=list)


class Ledger:
    """The results that `folder` keeps of the files `paths`.

    keys: of each path, what its result depends on beside files: the rules that are asked. files: the surroundings.
    damage: what was wrong with the cache, as sentences.
    """

    def __init__(self, folder: Path, keys: Mapping[str, bytes], files: ImportedFiles) -> None:
        self._folder = folder
        self._keys = keys
        self._files = files
        self._open: dict[str, _Open] = {}
        self.damage: list[str] = []
        for path in keys:
            self._open.setdefault(neighbourhood(path), _Open(Path(), Book(), None))
        for project, opened in self._open.items():
            self._read(project, opened)
        stamps: dict[str, Stamp] = {}
        for opened in self._open.values():
            stamps.update(opened.book.stamps)
        self._contents = Contents(stamps)
        self._universes = Universes(self._contents)

    def _read(self, project: str, opened: _Open) -> None:
        name = content_digest(identity(JUDGES) + project.encode(), DIGEST_BYTES).hex()
        opened.entry = self._folder / "results" / name
        opened.state = _state(opened.entry)
        try:
            held = load(opened.entry)
        except StoreError as error:
            self.damage.append(f"{error}; all files are judged anew")
            return
        opened.book = (unpack(held) if held is not None else None) or Book()

    def recall(self) -> dict[str, FileResult]:
        """The results that still hold, by path."""
        fitting = {path: self._fitting(path) for path in self._keys}
        checked = frozenset(path for path, some in fitting.items() if not some or some[0].data[0])
        every = self._contents.converting(self._keys)
        disk = Disk()
        for opened in self._open.values():
            around = (self._files, disk, self._universes)
            opened.standing = Standing(opened.book, self._contents, around, checked, every, self._redigest)
        found: dict[str, FileResult] = {}
        for path, some in fitting.items():
            standing = self._of(path).standing
            assert standing is not None
            kept = next((one for one in some if standing.all_hold(one.grounds)), None)
            if kept is not None:
                found[path] = from_data(path, kept.data)
        return found

    def _of(self, path: str) -> _Open:
        return self._open[neighbourhood(path)]

    def _fitting(self, path: str) -> list[KeptResult]:
        """The results for the file as it is and the settings as they are."""
        content, key = self._contents.digest(path), self._keys[path]
        if not content:
            return []
        return [one for one in self._of(path).book.results.get(path, ()) if (one.content, one.key) == (content, key)]

    def _redigest(self, path: str, groups: tuple[int, ...]) -> str:
        """The digest of some parts of a file as it is today."""
        from torchlint.model.facts import Outline
        from torchlint.model.names.grounds import digest_of

        outline = self._files.outline(path)
        if not isinstance(outline, Outline) or any(group >= len(outline.groups) for group in groups):
            return ""
        return digest_of(outline, groups)

    # Afterwards

    def keep(self, judged: Iterable[Judged]) -> None:
        """Keep new results, and the stamps of the files that were looked at."""
        for one in judged:
            path = one.result.path
            if one.result.can_be_kept and self._contents.digest(path):
                self._of(path).judged.append((one, self._keys[path]))
        for opened in self._open.values():
            if opened.judged or self._stamps_for(opened.book) != opened.book.stamps:
                save(opened.entry, pack(self._written(opened)), self._folder)
        prune(self._folder)

    def _stamps_for(self, book: Book) -> dict[str, Stamp]:
        """The stamps of the files that a book speaks of."""
        paths = {
            *book.results,
            *(ground.path for ground in book.grounds),
            *(path for some in book.universes for path in some),
        }
        stamps = {path: self._contents.stamps.get(path) or book.stamps.get(path) for path in paths}
        return {path: stamp for path, stamp in stamps.items() if stamp is not None}

    def _written(self, opened: _Open) -> Book:
        """The new book: first what is new, then what another run has written meanwhile, then what was there."""
        copyist = Copyist()
        for judged, key in opened.judged:
            self._add(judged, key, copyist)
        meanwhile = self._written_meanwhile(opened)
        if meanwhile is not None:
            copyist.add_all(meanwhile, _existing(meanwhile), _AsWritten(meanwhile))
        assert opened.standing is not None
        copyist.add_all(opened.book, _existing(opened.book), opened.standing)
        copyist.book.stamps = opened.book.stamps
        copyist.book.stamps = {intern(path): stamp for path, stamp in self._stamps_for(copyist.book).items()}
        return copyist.book

    def _written_meanwhile(self, opened: _Open) -> Book | None:
        if _state(opened.entry) == opened.state:
            return None
        try:
            held = load(opened.entry)
        except StoreError:
            return None
        return unpack(held) if held is not None else None

    def _add(self, judged: Judged, key: bytes, copyist: Copyist) -> None:
        grounds = tuple(copyist.ground(self._kept(ground, judged, copyist)) for ground in judged.grounds)
        content = self._contents.digest(judged.result.path)
        copyist.add(judged.result.path, KeptResult(content, key, grounds, as_data(judged.result)))

    def _kept(self, ground: Ground, judged: Judged, copyist: Copyist) -> KeptGround:
        path, files = ground.path, self._files
        if path == EVERY_CHECKED_FILE:
            return KeptGround(path, self._contents.converting(self._keys), "", None, (), (), (), (), None, ())
        return KeptGround(
            path=intern(path),
            content=self._contents.digest(path) if path in self._keys else ground.content,
            digest=ground.digest,
            groups=ground.groups,
            # One object for each text: marshal writes it once.
            there=tuple(intern(place) for place, exists in ground.disk if exists),
            vain=tuple(intern(place) for place, exists in ground.disk if not exists),
            scans=tuple(self._scan(neighbourhood(path), word, judged, copyist) for word in ground.words),
            packages=tuple((name, files.installed(path, name)) for name in ground.installed),
            counts_as=ground.counts_as,
            roots=files.roots(path) if ground.disk else (),
        )

    def _scan(self, folder: str, word: bytes, judged: Judged, copyist: Copyist) -> int:
        members = tuple(map(intern, judged.scans[folder, word]))
        return copyist.scan(Scan(folder, word, 0, members), self._universes.today(folder))


@dataclass(frozen=True, slots=True)
class _AsWritten:
    """A book of which nothing was looked at."""

    book: Book

    def current(self, number: int) -> KeptGround:
        """The ground as it was written."""
        return self.book.grounds[number]

    def universe(self, scan: Scan) -> dict[str, bytes]:
        """The universe as it was written."""
        return self.book.universes[scan.universe]


def _existing(book: Book) -> list[str]:
    return [path for path in book.results if Path(path).exists()]


def _state(entry: Path) -> object:
    """What changes when the file is written anew; None where there is none."""
    try:
        state = entry.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino
