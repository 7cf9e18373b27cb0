"""What the judgement of a file rests on: the files that it led to, what was read of them, and what was looked for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.facts import Outline
from torchlint.model.terms import Term, children
from torchlint.source import EVERY_CHECKED_FILE

if TYPE_CHECKING:
    from torchlint.model.project import Files, Project

_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class Ground:
    """A file that a judgement rests on, and how.

    content: a digest of its bytes, b"" for a file that is checked itself or cannot be read. digest: of what was read
    of it, "" where it cannot be read. groups: the parts read; None where all of it counts.
    disk: the paths at which its imports were looked for, and whether something was there. words: what was sought in the
    files around it. installed: the top-level packages that were sought in the environment. counts_as: whether it was
    checked itself, where that made a difference.
    """

    path: str
    content: bytes
    digest: str
    groups: tuple[int, ...] | None
    disk: tuple[tuple[str, bool], ...]
    words: tuple[bytes, ...]
    installed: tuple[str, ...]
    counts_as: bool | None


class Grounds:
    """The grounds of the judgements of one project. files: where what is not checked comes from."""

    def __init__(self, project: Project, files: Files) -> None:
        self._project = project
        self._files = files
        self._known: dict[str, tuple[object, Ground]] = {}

    def of(self, path: str) -> tuple[Ground, ...]:
        """All that the judgement of `path` rests on, the file itself first. While nothing of it changes, the judgement
        is the same."""
        trail = self._project.imports.trail
        whole = trail.reached_whole(path)
        return tuple(self._ground(file, is_whole=file in whole) for file in (path, *trail.reached_from(path)))

    def _ground(self, path: str, *, is_whole: bool) -> Ground:
        """What is noted of one file. Most files are asked for with the same result again and again."""
        state = (is_whole, len(self._project.parts_read(path)), self._project.imports.trail.length(path))
        known = self._known.get(path)
        if known is None or known[0] != state:
            known = self._known[path] = (state, self._fresh(path, is_whole=is_whole))
        return known[1]

    def _fresh(self, path: str, *, is_whole: bool) -> Ground:
        if path == EVERY_CHECKED_FILE:
            return Ground(path, b"", "", None, (), (), (), None)
        project, trail = self._project, self._project.imports.trail
        outline, groups = project.outline(path), project.parts_read(path)
        is_checked = project.was_passed(path)
        return Ground(
            path=path,
            content=b"" if is_checked else self._files.content(path),
            digest=digest_of(outline, groups) if outline is not None else "",
            groups=None if is_whole else tuple(sorted(groups)),
            disk=trail.disk_of(path),
            words=trail.words_of(path),
            installed=trail.installed_of(path),
            counts_as=is_checked if path in trail.status_counts else None,
        )


def digest_of(outline: Outline, groups: Iterable[int]) -> str:
    """A digest of what the names of a file are bound to, and of the text and the lines of some of its parts."""
    used = [(outline.groups[group], outline.digests[group]) for group in sorted(groups)]
    bound = [(name, _described(term)) for name, term in outline.names.items()]
    classes = [(key, *map(_described, one.bases)) for key, one in outline.classes.items()]
    stars = (outline.star_imports, outline.typed_stars, outline.bound_before)
    offered = (outline.exported, outline.exported_from, outline.lazy)
    content = repr((used, bound, classes, stars, offered))
    return hashlib.blake2b(content.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def _described(term: Term) -> str:
    """A term of an outline as text, without its place."""
    inside = ", ".join(_described(part) for part in children(term))
    return f"{type(term).__name__}:{getattr(term, 'name', '')}({inside})"
