"""The pairs that enumerate() and zip() give: which iterable each part of them comes from."""

from __future__ import annotations

from torchlint.model.terms import Call, Constant, Element, Global, Item, Starred, Term


def paired_by(term: Term) -> tuple[Term, ...] | None:
    """The terms that the elements of a pair come from, from enumerate() and zip(); a constant for a position."""
    iterable: Term | None = term.iterable if isinstance(term, Element) else None
    if isinstance(term, Item):
        # The pair that stands within a pair: for index, (name, value) in enumerate(zip(names, values)).
        outer = paired_by(term.base)
        iterable = outer[term.index] if outer is not None and term.index < len(outer) else None
    name = iterable.callee.name if isinstance(iterable, Call) and isinstance(iterable.callee, Global) else ""
    if not isinstance(iterable, Call) or iterable.keywords or name not in ("enumerate", "zip"):
        return None
    if any(isinstance(one, Starred) for one in iterable.arguments):
        return None
    return (Constant(iterable.place, None), *iterable.arguments[:1]) if name == "enumerate" else iterable.arguments
