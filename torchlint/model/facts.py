"""The facts of one file as written: plain data that pickles, caches and compares by content."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torchlint.model.events import Event, Return
from torchlint.model.terms import Place, Term


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

    derived: what was worked out from the events alone and is remembered; empty where facts are stored.
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

    @property
    def returned(self) -> tuple[Return, ...]:
        """The return statements, in order."""
        return tuple(event for event in self.events if isinstance(event, Return))


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
class FileFacts:
    """One file: its top level, functions, classes (also nested ones, by qualified name) and what its names stand
    for."""

    path: str
    top: Function
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, ClassFacts] = field(default_factory=dict)
    names: dict[str, Term] = field(default_factory=dict)
    star_imports: tuple[str, ...] = ()
