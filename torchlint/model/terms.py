"""Terms: what a file writes, knowing nothing of other files.

A local variable is replaced by what was assigned to it, so a term is the whole story of a value inside one function:
a graph
whose shared parts are one object. Terms are compared by identity. They hold no syntax nodes, and pickle with the
facts of their file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

Place = tuple[int, int, int, int]
"""line, column, end line, end column inside the term's own file; 1-based, in code points, the end exclusive."""

NOWHERE: Place = (1, 1, 1, 1)


@dataclass(slots=True, eq=False)
class Term:
    """Something written at a place."""

    place: Place


@dataclass(slots=True, eq=False)
class Unknown(Term):
    """An expression whose value we do not follow."""


@dataclass(slots=True, eq=False)
class Unread(Term):
    """A value of a file's top level whose statement was not read yet: it stands in part `group` of the file."""

    group: int


@dataclass(slots=True, eq=False)
class Constant(Term):
    """A literal: str, bytes, int, float, complex, bool, None or Ellipsis."""

    value: object


@dataclass(slots=True, eq=False)
class Imported(Term):
    """A name that an import brought in, with the attributes read from it: "torch.nn.Linear", "..layers.Scale"."""

    name: str


@dataclass(slots=True, eq=False)
class Global(Term):
    """A name of the module's top level (function, class or value), or a builtin."""

    name: str


@dataclass(slots=True, eq=False)
class Defined(Global):
    """A class or function of the file, as its own statement makes it: `name` is its key in the facts of the file,
    "Outer.Inner", or "Scale#2" for the second of that name."""


@dataclass(slots=True, eq=False)
class Argument(Term):
    """A parameter of the enclosing function, by position in Function.parameters."""

    index: int
    name: str


@dataclass(slots=True, eq=False)
class Captured(Term):
    """A value of the enclosing function, as a nested function or lambda sees it."""

    value: Term


@dataclass(slots=True, eq=False)
class Attribute(Term):
    """`base.name`. `known` is what the same function wrote there before, where nothing in between can have changed
    it."""

    base: Term
    name: str
    known: Term | None = None


@dataclass(slots=True, eq=False)
class Call(Term):
    """`callee(*arguments, **keywords)`; a starred argument is a Starred term, `**x` has the keyword None."""

    callee: Term
    arguments: tuple[Term, ...]
    keywords: tuple[tuple[str | None, Term], ...]

    def keyword(self, name: str) -> Term | None:
        """The term given for the keyword `name`."""
        for key, term in self.keywords:
            if key == name:
                return term
        return None

    def argument(self, position: int, name: str) -> Term | None:
        """The term given for a parameter by keyword or, failing that, by position."""
        given = self.keyword(name)
        if given is None and position < len(self.arguments) and not self.has_star_before(position):
            return self.arguments[position]
        return given

    def has_star_before(self, position: int) -> bool:
        """True where `*x` stands at or before `position`, so that positions are not known from there on."""
        return any(isinstance(term, Starred) for term in self.arguments[: position + 1])

    @property
    def inputs(self) -> tuple[Term, ...]:
        """Every term that is passed, by position or keyword."""
        if not self.keywords:
            return self.arguments
        return (*self.arguments, *[term for _, term in self.keywords])


@dataclass(slots=True, eq=False)
class Subscript(Term):
    """`base[index]`; several indices are a Display, a slice is an Operation "slice"."""

    base: Term
    index: Term


@dataclass(slots=True, eq=False)
class Operation(Term):
    """An operator applied to `parts`: "+", "@", "not", "==", "is", "in", "and", "or", "slice", "f-string", "await",
    "yield"; of a chain "ordering" (a < b <= c) or "comparison" (any other)."""

    operator: str
    parts: tuple[Term, ...]


@dataclass(slots=True, eq=False)
class Display(Term):
    """A literal tuple, list, set or dict. For a dict `parts` are its values and `keys` its keys (None for `**x`)."""

    kind: str
    parts: tuple[Term, ...]
    keys: tuple[Term | None, ...] = ()


@dataclass(slots=True, eq=False)
class Starred(Term):
    """`*value` in a call or display."""

    value: Term


@dataclass(slots=True, eq=False)
class Choice(Term):
    """One of `options`: the branches of a conditional expression, or what a variable may hold where branches meet."""

    options: tuple[Term, ...]


@dataclass(slots=True, eq=False)
class Element(Term):
    """One element of an iterable: a loop or comprehension variable."""

    iterable: Term


@dataclass(slots=True, eq=False)
class Item(Term):
    """The element at `index` of an unpacked sequence of `length` elements (length None where a star is present)."""

    base: Term
    index: int
    length: int | None


@dataclass(slots=True, eq=False)
class Comprehension(Term):
    """A comprehension or generator expression: `parts` are its element, or its key and value ("dict")."""

    kind: str
    parts: tuple[Term, ...]


@dataclass(slots=True, eq=False)
class Closure(Term):
    """A lambda or a nested function: `index` counts in Function.nested; `captured` are the outer values that its
    body uses."""

    index: int
    captured: tuple[Term, ...]


@dataclass(slots=True, eq=False)
class Super(Term):
    """`super()` or `super(X, self)`: the next class, as seen from the class that the code stands in, or from X."""

    after: Term | None = None


def children(term: Term) -> tuple[Term, ...]:
    """The terms that `term` is directly made of."""
    find = _CHILDREN.get(type(term))
    return find(term) if find is not None else ()


def _parts_of_call(call: Call) -> tuple[Term, ...]:
    return (call.callee, *call.inputs)


def _parts_of_display(display: Display) -> tuple[Term, ...]:
    return (*display.parts, *(key for key in display.keys if key is not None)) if display.keys else display.parts


_CHILDREN: dict[type[Term], Callable[[Any], tuple[Term, ...]]] = {
    Attribute: lambda term: (term.base,),
    Call: _parts_of_call,
    Subscript: lambda term: (term.base, term.index),
    Operation: attrgetter("parts"),
    Comprehension: attrgetter("parts"),
    Display: _parts_of_display,
    Choice: attrgetter("options"),
    Element: lambda term: (term.iterable,),
    Item: lambda term: (term.base,),
    Starred: lambda term: (term.value,),
    Captured: lambda term: (term.value,),
    Closure: attrgetter("captured"),
}


def mentions(term: Term, wanted: frozenset[str], depth: int = 12) -> bool:
    """True where an attribute, method or name in `wanted` is written anywhere in `term`."""
    if isinstance(term, Attribute) and term.name in wanted:
        return True
    if isinstance(term, (Imported, Global)) and term.name.rsplit(".", 1)[-1] in wanted:
        return True
    return depth > 0 and any(mentions(part, wanted, depth - 1) for part in children(term))
