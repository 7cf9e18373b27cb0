"""The files that checked files lead to: found on disk, read as far as they are asked for, and never reported on."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from torchlint.discover import DEFAULT_EXCLUDED, SUFFIXES
from torchlint.environment import INSTALLED, environment_of, import_roots, project_root
from torchlint.knowledge.conversions import CONVERTING_TEXT
from torchlint.source import SourceError, SourceFile, content_digest

if TYPE_CHECKING:
    from torchlint.model.facts import FileFacts, Outline
    from torchlint.settings import Settings

Found = TypeVar("Found")
_MAX_TEXT_BYTES = 64 << 20
_BETWEEN = b"\0\n"  # no word goes on from one file into the next
_NAME = re.compile(rb"[\w\x80-\xff]+")
_FEW_SEARCHES = 100  # an index of the names costs as much as some hundred searches


class ImportedFiles:
    """Reads the files that a Project asks for (it is its `Files`).

    settings_of: the settings of a file, for `src` and `python`. problems: what stopped us, by file; such a file leaves
    names unknown. read: the files of which anything was read. sought: the files around, by folder and word.
    cache: the folder where facts are kept; None for none.
    """

    def __init__(self, settings_of: Callable[[Path], Settings], *, cache: Path | None) -> None:
        self._settings_of = settings_of
        self._cache = cache
        self._sources: dict[str, SourceFile | None] = {}
        self._roots: dict[str, tuple[str, ...]] = {}
        self._installed: dict[tuple[str, str], tuple[str, ...]] = {}
        self.sought: dict[tuple[str, bytes], tuple[str, ...]] = {}
        self._texts: dict[str, _Texts] = {}
        self._part_texts: dict[str, tuple[str, ...]] = {}
        self.problems: dict[str, SourceError] = {}
        self.read: set[str] = set()

    def outline(self, path: str) -> Outline | FileFacts | None:
        """The outline of a file, or all of its facts; None where it cannot be read."""
        from torchlint.reading.gate import read_outline

        return self._guarded(path, "outline", read_outline)

    def part(self, path: str, outline: Outline, group: int) -> FileFacts | None:
        """The facts of one part of a file; None where it cannot be read."""
        from torchlint.reading.gate import read_part

        return self._guarded(path, f"part {group}", lambda source: read_part(source, outline, group))

    def _guarded(self, path: str, what: str, read: Callable[[SourceFile], Found]) -> Found | None:
        from torchlint.reading.cache import read_cached

        source = self._source(path)
        if source is None:
            return None
        self.read.add(path)
        try:
            return read_cached(source, read, self._cache, what) if self._cache else read(source)
        except SourceError as error:
            self.problems[path] = error
        except RuntimeError as error:
            self.problems[path] = SourceError(str(error))
        return None

    def _source(self, path: str) -> SourceFile | None:
        """The bytes of a file as they were when it was first asked for: it may change while we run."""
        if path not in self._sources:
            try:
                self._sources[path] = SourceFile.load(Path(path))
            except SourceError as error:
                self.problems[path] = error
                self._sources[path] = None
        return self._sources[path]

    def content(self, path: str) -> bytes:
        """A digest of the bytes of a file; b"" where it cannot be read."""
        source = self._source(path)
        return content_digest(source.data) if source is not None else b""

    def may_bring(self, path: str, name: str) -> bool:
        """False where the text of a file shows that a star import of it cannot bring `name`."""
        source = self._source(path)
        return source is not None and (name.encode() in source.data or b"import *" in source.data)

    def may_convert(self, path: str) -> bool:
        """False where the text of a file shows that no call in it converts a module."""
        source = self._source(path)
        return source is not None and CONVERTING_TEXT.search(source.data) is not None

    def may_say(self, path: str, outline: Outline, group: int, word: str) -> bool:
        """False where the text of a part shows that `word` stands nowhere in it."""
        if path not in self._part_texts:
            self._part_texts[path] = self._texts_of_parts(path, outline)
        texts = self._part_texts[path]
        return group >= len(texts) or word in texts[group]

    def _texts_of_parts(self, path: str, outline: Outline) -> tuple[str, ...]:
        source = self._source(path)
        try:
            lines = source.lines if source is not None else []
        except SourceError:
            return ()
        return tuple("\n".join(line for a, b in group for line in lines[a - 1 : b]) for group in outline.groups)

    def around(self, path: str, word: bytes) -> tuple[str, ...]:
        """The files of the project around `path` that hold `word`, sorted."""
        folder = neighbourhood(path)
        if (folder, word) not in self.sought:
            self.sought[folder, word] = self._texts_in(folder).holding(word)
        return self.sought[folder, word]

    def _texts_in(self, folder: str) -> _Texts:
        if folder not in self._texts:
            self._texts[folder] = _Texts(tuple(sorted(files_in(folder))))
        return self._texts[folder]

    def roots(self, path: str) -> tuple[str, ...]:
        """The folders in which an absolute import written in `path` may begin, the project's own."""
        folder = os.path.dirname(path)
        if folder not in self._roots:
            is_own = _site_folder(path) is None
            found = import_roots(Path(path), self._settings_of(Path(path)).src if is_own else ())
            self._roots[folder] = tuple(str(root) for root in found)
        return self._roots[folder]

    def installed(self, path: str, package: str) -> tuple[str, ...]:
        """The folders of the environment in which the top-level name `package` may lie, for the file `path`."""
        folder = os.path.dirname(path)
        if (folder, package) not in self._installed:
            self._installed[folder, package] = tuple(map(str, self._find_installed(path, package)))
        return self._installed[folder, package]

    def _find_installed(self, path: str, package: str) -> tuple[Path, ...]:
        """An installed file finds what is installed beside it."""
        site = _site_folder(path)
        if site is not None:
            return (site,)
        environment = environment_of(self._settings_of(Path(path)).python, project_root(Path(path)))
        return environment.roots_of(package)


def own_problems(problems: Mapping[str, SourceError], checked: Container[str]) -> dict[str, SourceError]:
    """Those in files of the project itself that are not among the checked ones, by file, in order."""
    return {
        path: error
        for path, error in sorted(problems.items(), key=lambda problem: problem[0])
        if path not in checked and _site_folder(path) is None
    }


@lru_cache(maxsize=1 << 16)
def neighbourhood(path: str) -> str:
    """Where the owners of a file's objects may be written: its project, or its package where it is installed."""
    site = _site_folder(path)
    return str(project_root(Path(path)) if site is None else site / Path(path).relative_to(site).parts[0])


def _site_folder(path: str) -> Path | None:
    """The folder of installed packages that a file lies in; None for a file of the user's own."""
    return next((above for above in Path(path).parents if above.name in INSTALLED), None)


def files_in(folder: str) -> Iterator[str]:
    """The Python files below a folder, without those in folders that hold no code of the project's own."""
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in DEFAULT_EXCLUDED and not name.startswith(".")]
        yield from (os.path.join(here, file) for file in files if file.endswith(SUFFIXES))


def _bytes_of(path: str) -> bytes:
    """What a file holds; nothing for a pipe or a device of such a name, which would keep us waiting."""
    try:
        return Path(path).read_bytes() if os.path.isfile(path) else b""
    except OSError:
        return b""


class _Texts:
    """The files of a project as one text, in which a word is sought at the cost of one search; those that would make it
    longer than _MAX_TEXT_BYTES are opened for each word. Where many words are sought, names are looked up in an index
    of the text."""

    def __init__(self, files: tuple[str, ...]) -> None:
        self._joined: list[str] = []
        self._ends: list[int] = []
        parts: list[bytes] = []
        length = 0
        for file in files:
            data = _bytes_of(file)
            if length + len(data) > _MAX_TEXT_BYTES:
                continue
            parts += (data, _BETWEEN)
            length += len(data) + len(_BETWEEN)
            self._joined.append(file)
            self._ends.append(length)
        self._text = b"".join(parts)
        joined = frozenset(self._joined)
        self._apart = tuple(file for file in files if file not in joined)
        self._searches = 0
        self._index: _Names | None = None

    def holding(self, word: bytes) -> tuple[str, ...]:
        """The files that hold `word`, sorted."""
        found = [file for file in self._apart if word in _bytes_of(file)]
        found += (self._joined[number] for number in self._numbers(word))
        return tuple(sorted(found))

    def _numbers(self, word: bytes) -> Iterable[int]:
        """The numbers of the joined files that hold `word`."""
        self._searches += 1
        if self._searches <= _FEW_SEARCHES or _NAME.fullmatch(word) is None:
            return self._numbers_in_text(word)
        if self._index is None:
            self._index = _Names(self._text, self._ends)
        return self._index.holding(word)

    def _numbers_in_text(self, word: bytes) -> Iterator[int]:
        at = self._text.find(word)
        while at >= 0:
            number = bisect_right(self._ends, at)
            yield number
            at = self._text.find(word, self._ends[number])


class _Names:
    """The names in several texts, each once, with the numbers of the texts that hold it: far less to search through
    than the texts. A text holds a name, or a part of one, where one of its names does."""

    def __init__(self, text: bytes, ends: Sequence[int]) -> None:
        holders: dict[bytes, list[int]] = {}
        for number, (start, end) in enumerate(zip((0, *ends), ends, strict=False)):
            for name in set(_NAME.findall(text, start, end)):
                holders.setdefault(name, []).append(number)
        self._names = b"\n".join((*holders, b""))
        self._ends = list(accumulate(len(name) + 1 for name in holders))
        self._holders = tuple(holders.values())

    def holding(self, part: bytes) -> set[int]:
        """The numbers of the texts that hold `part`, which has letters, digits and underscores alone."""
        found: set[int] = set()
        at = self._names.find(part)
        while at >= 0:
            place = bisect_right(self._ends, at)
            found.update(self._holders[place])
            at = self._names.find(part, self._ends[place])
        return found
