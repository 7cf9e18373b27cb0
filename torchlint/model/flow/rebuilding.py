"""Terms with other terms in the place of their parts."""

from __future__ import annotations

from collections.abc import Callable

from torchlint.model.terms import (
    Attribute,
    Call,
    Choice,
    Closure,
    Comprehension,
    Display,
    Element,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
    children,
)

Change = Callable[[Term], Term]


def rebuilt(term: Term, change: Change, *, anew: bool = False) -> Term:
    """The term with each part changed; the term itself where it has no parts or is a value of another function
    (Captured), and, unless it is made anew, where no part is changed."""
    make = _MAKERS.get(type(term))
    known = (term.known,) if isinstance(term, Attribute) and term.known is not None else ()
    if make is None or (not anew and all(change(part) is part for part in (*children(term), *known))):
        return term
    # Each change is asked again: it must give the same object for the same part.
    return make(term, change)


def _attribute(term: Attribute, change: Change) -> Term:
    known = change(term.known) if term.known is not None else None
    return Attribute(term.place, change(term.base), term.name, known)


def _call(term: Call, change: Change) -> Term:
    keywords = tuple((name, change(given)) for name, given in term.keywords)
    return Call(term.place, change(term.callee), tuple(map(change, term.arguments)), keywords)


def _display(term: Display, change: Change) -> Term:
    keys = tuple(change(key) if key is not None else None for key in term.keys)
    return Display(term.place, term.kind, tuple(map(change, term.parts)), keys)


_MAKERS: dict[type[Term], Callable[..., Term]] = {
    Attribute: _attribute,
    Call: _call,
    Display: _display,
    Subscript: lambda term, change: Subscript(term.place, change(term.base), change(term.index)),
    Item: lambda term, change: Item(term.place, change(term.base), term.index, term.length),
    Element: lambda term, change: Element(term.place, change(term.iterable)),
    Starred: lambda term, change: Starred(term.place, change(term.value)),
    Choice: lambda term, change: Choice(term.place, tuple(map(change, term.options))),
    Operation: lambda term, change: Operation(term.place, term.operator, tuple(map(change, term.parts))),
    Comprehension: lambda term, change: Comprehension(term.place, term.kind, tuple(map(change, term.parts))),
    Closure: lambda term, change: Closure(term.place, term.index, tuple(map(change, term.captured))),
}
