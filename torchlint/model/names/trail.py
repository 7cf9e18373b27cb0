"""Who led to which file while names were looked up, what imports met on disk, and which words were sought."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager


class Trail:
    """Kept while names are looked up. Files lead to files, so whatever is remembered of a file brings what it rests on:
    the trail of a file is never forgotten."""

    def __init__(self) -> None:
        self._led: dict[str, set[str]] = {}
        self._whole: dict[str, set[str]] = {}
        self._looked: dict[str, set[Hashable]] = {}
        self._disk: dict[Hashable, set[tuple[str, bool]]] = {}
        self._looking: list[Hashable] = []
        self._words: dict[str, set[bytes]] = {}
        self._installed: dict[Hashable, set[str]] = {}
        self.status_counts: set[str] = set()

    def note(self, path: str, file: str) -> None:
        """Something in `path` led to `file`."""
        self._led.setdefault(path, set()).add(file)

    def note_whole(self, path: str, file: str) -> None:
        """Something in `path` led to every part of `file`."""
        self.note(path, file)
        self._whole.setdefault(path, set()).add(file)

    def note_word(self, path: str, word: bytes) -> None:
        """The files that hold `word` were sought around `path`."""
        self._words.setdefault(path, set()).add(word)

    def note_status(self, path: str) -> None:
        """It made a difference whether `path` is checked itself."""
        self.status_counts.add(path)

    @contextmanager
    def lookup(self, path: str, question: Hashable) -> Iterator[None]:
        """Around an answer to what `path` asks of the disk; the answer may be remembered under `question`."""
        self.note_lookup(path, question)
        self._looking.append(question)
        try:
            yield
        finally:
            self._looking.pop()

    def note_lookup(self, path: str, question: Hashable) -> None:
        """`path` asks what was asked before."""
        self._looked.setdefault(path, set()).add(question)

    def note_disk(self, path: str, *, exists: bool) -> None:
        """Whether there is something at `path`."""
        if self._looking:
            self._disk.setdefault(self._looking[-1], set()).add((path, exists))

    def note_installed(self, package: str) -> None:
        """A package is sought in the environment."""
        if self._looking:
            self._installed.setdefault(self._looking[-1], set()).add(package)

    # Afterwards

    def reached_from(self, path: str) -> list[str]:
        """The files that `path` led to, over any number of steps, sorted, without itself."""
        return sorted(self._closure(path) - {path})

    def reached_whole(self, path: str) -> frozenset[str]:
        """Those of them, and perhaps `path` itself, of which every part counts."""
        reached = (*self._closure(path), path)
        return frozenset().union(*(self._whole.get(one, frozenset()) for one in reached))

    def _closure(self, path: str) -> set[str]:
        found: set[str] = set()
        waiting = [path]
        while waiting:
            fresh = self._led.get(waiting.pop(), set()) - found
            found |= fresh
            waiting.extend(fresh)
        return found

    def disk_of(self, path: str) -> tuple[tuple[str, bool], ...]:
        """The paths where imports of `path` were looked for, and whether something was there, sorted."""
        return tuple(sorted(set().union(*(self._disk.get(one, ()) for one in self._looked.get(path, ())))))

    def words_of(self, path: str) -> tuple[bytes, ...]:
        """The words that were sought around `path`, sorted."""
        return tuple(sorted(self._words.get(path, ())))

    def installed_of(self, path: str) -> tuple[str, ...]:
        """The packages that were sought in the environment of `path`, sorted."""
        return tuple(sorted(set().union(*(self._installed.get(one, ()) for one in self._looked.get(path, ())))))

    def length(self, path: str) -> tuple[int, ...]:
        """How much is noted of a file: while this is the same, so is what is noted."""
        return len(self._looked.get(path, ())), len(self._words.get(path, ())), path in self.status_counts
