"""The facts of one file as written: plain data that pickles, caches and compares by content."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from torchlint.model.events import Evaluated, Event, Return
from torchlint.model.terms import Call, Place, Term


@dataclass(slots=True, eq=False)
class Parameter:
    """A parameter of a function: `kind` is "" or "*" or "**" or "keyword" (only by keyword)."""

    name: str
    kind: str = ""
    annotation: Term | None = None
    default: Term | None = None


@dataclass(slots=True, eq=False)
class Function:
    """A function or method, a lambda ("<lambda>"), or a module's top level ("<module>").

    derived: what was worked out from the events alone and is remembered; empty where facts are stored. written_from:
    the function as the file writes it, for one with its helpers written out (model/flow/inlining.py).
    """

    name: str
    qualname: str
    place: Place
    parameters: tuple[Parameter, ...] = ()
    decorators: tuple[Term, ...] = ()
    returns: Term | None = None
    events: tuple[Event, ...] = ()
    nested: tuple[Function, ...] = ()
    owner: str | None = None
    path: str = ""
    derived: dict[str, Any] = field(default_factory=dict)
    written_from: Function | None = None

    @property
    def definition(self) -> Function:
        """The function as the file writes it."""
        return self.written_from or self

    @property
    def returned(self) -> tuple[Return, ...]:
        """The return statements, in order."""
        known: tuple[Return, ...] | None = self.derived.get("returned")
        if known is None:
            known = self.derived["returned"] = tuple(event for event in self.events if isinstance(event, Return))
        return known

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that it evaluates, in order."""
        known: tuple[Call, ...] | None = self.derived.get("calls")
        if known is None:
            terms = (event.term for event in self.events if isinstance(event, Evaluated))
            known = self.derived["calls"] = tuple(term for term in terms if isinstance(term, Call))
        return known


@dataclass(slots=True, eq=False)
class ClassFacts:
    """A class as written. `values`: class-level assignments; `annotations`: class-level annotations."""

    name: str
    qualname: str
    place: Place
    bases: tuple[Term, ...]
    decorators: tuple[Term, ...]
    methods: dict[str, Function]
    values: dict[str, Term]
    annotations: dict[str, Term]
    path: str = ""


@dataclass(slots=True, eq=False)
class ClassOutline:
    """A class statement without its body: bases, and the names of its methods ("x.setter" for a setter), class-level
    values and annotations. group: which part of the file holds it."""

    name: str
    qualname: str
    place: Place
    bases: tuple[Term, ...]
    methods: tuple[str, ...]
    values: tuple[str, ...]
    annotations: tuple[str, ...]
    path: str
    group: int


@dataclass(slots=True, eq=False)
class Outline:
    """What a file defines, without the bodies.

    names: what each name of the top level is bound to at the end: Imported, Defined, Unread (a value), or a Choice of
    these. classes: by qualified name, also nested ones; the second of a name as "Scale#2". functions: the part that
    holds each. star_imports: in order. typed_stars: those that only type checkers see, which stand in for what
    is imported when needed. bound_before: of each name that a star import below it may replace, how many star imports
    stand above. exported: `__all__`, None where there is none or it is not written out; with
    exported_from, the modules whose `__all__` it takes over. lazy: the names that the package brings when asked (by
    `__getattr__`), with where from. groups: of each part, the first and last lines of its statements. digests: of the
    text of each part.
    """

    path: str
    names: dict[str, Term]
    classes: dict[str, ClassOutline]
    functions: dict[str, int]
    star_imports: tuple[str, ...] = ()
    typed_stars: tuple[str, ...] = ()
    bound_before: dict[str, int] = field(default_factory=dict)
    exported: tuple[str, ...] | None = None
    exported_from: tuple[str, ...] = ()
    lazy: dict[str, str] = field(default_factory=dict)
    groups: tuple[tuple[tuple[int, int], ...], ...] = ()
    digests: tuple[bytes, ...] = ()


@dataclass(slots=True, eq=False)
class FileFacts:
    """One file, or the part of it that was asked for: its top level, functions, classes (also nested ones, by qualified
    name) and what its names stand for. outline: of the whole file, None in the facts of a part."""

    path: str
    top: Function
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, ClassFacts] = field(default_factory=dict)
    names: dict[str, Term] = field(default_factory=dict)
    star_imports: tuple[str, ...] = ()
    outline: Outline | None = None


def fresh_key(qualname: str, taken: Container[str]) -> str:
    """The key for another definition of a name: "Scale", then "Scale#2", so that none hides another."""
    count = 2
    key = qualname
    while key in taken:
        key = f"{qualname}#{count}"
        count += 1
    return key
