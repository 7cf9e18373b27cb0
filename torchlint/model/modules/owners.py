"""Owners: code that assigns or moves the attributes of objects that are not its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING

from torchlint.model.events import Write
from torchlint.model.facts import FileFacts
from torchlint.model.terms import Argument, Attribute, Imported

if TYPE_CHECKING:
    from torchlint.model.project import Project

_MAX_FILES = 12


class Owners:
    """Who assigns and moves the attributes of other objects, in the files of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._moved: dict[tuple[str, ...], frozenset[str]] = {}

    def assigned(self, path: str) -> frozenset[str]:
        """The attributes that the methods of a file that was passed assign on other objects than their own."""
        facts = self._project.checked_facts(path)
        if facts is None:
            return frozenset()
        known: frozenset[str] | None = facts.top.derived.get("assigned from outside")
        if known is None:
            known = facts.top.derived["assigned from outside"] = frozenset(_assigned_elsewhere(facts))
        return known

    def may_assign(self, path: str, name: str) -> bool:
        """True where code of the project that works with `path`, also a function or a script, assigns the attribute
        `name` of another object than its own: `rnn.hidden = rnn.init_hidden(..)`."""
        if name in self.assigned(path):
            return True
        project = self._project
        around = project.files_around(path, f".{name} = ".encode())
        near = islice((file for file in around if self._works_with(file, path)), _MAX_FILES)
        parts = (part for file in project.looked_into(path, near) for part in project.parts_saying(file, name))
        frames = (frame for part in parts for frame in project.frames_of(part))
        return any(
            isinstance(event, Write) and event.attribute == name and not frame.is_self(event.base)
            for frame in frames
            for event in frame.function.events
        )

    def _works_with(self, file: str, path: str) -> bool:
        """True for a file that lies beside `path`, or imports something of that name."""
        here, there = PurePath(path), PurePath(file)
        if there.parent == here.parent:
            return True
        if file not in self._project.files_around(path, here.stem.encode()):
            return False
        self._project.imports.note(path, file)
        outline = self._project.outline(file)
        imported = (one.name for one in outline.names.values() if isinstance(one, Imported)) if outline else ()
        stars = outline.star_imports if outline else ()
        return any(here.stem in one.split(".") for one in (*imported, *stars))

    def moved(self, path: str) -> frozenset[str]:
        """The attributes of other objects that some `_apply` override of the project around `path` assigns: an owner
        moves them."""
        files = self._project.files_around(path, b"def _apply(")
        for file in files:
            self._project.imports.note(path, file)
        if files not in self._moved:
            self._moved[files] = frozenset(name for file in files for name in self._moved_in(file))
        return self._moved[files]

    def _moved_in(self, path: str) -> Iterator[str]:
        outline = self._project.outline(path)
        for owner in outline.classes.values() if outline else ():
            override = self._project.class_facts(owner).methods.get("_apply") if "_apply" in owner.methods else None
            for event in override.events if override is not None else ():
                if (
                    isinstance(event, Write)
                    and not isinstance(event.base, Argument)
                    and isinstance(event.attribute, str)
                ):
                    yield event.attribute


def _assigned_elsewhere(facts: FileFacts) -> Iterator[str]:
    for method in (method for owner in facts.classes.values() for method in owner.methods.values()):
        for event in method.events:
            if isinstance(event, Write) and isinstance(event.base, Attribute) and isinstance(event.attribute, str):
                yield event.attribute
