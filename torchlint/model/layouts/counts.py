"""How many dimensions the tensors of a function have, as its own code says: b, c, h, w = x.shape."""

from __future__ import annotations

from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.uses import parents_in
from torchlint.model.layouts.sizes import shaped
from torchlint.model.layouts.strides import Layout, located, with_ndim
from torchlint.model.terms import Argument, Attribute, Call, Constant, Item, Subscript, Term


def counted(layouts: tuple[Layout, ...], term: Term, function: Function) -> tuple[Layout, ...]:
    """The layouts of a term with the dimensions that the code of the function speaks of."""
    count = _dimensions(function).get(_key(term))
    return tuple(_counted(layout, count) for layout in layouts) if count is not None else layouts


def _counted(layout: Layout, count: int) -> Layout:
    """A layout with the dimensions that the code speaks of: `count` of them, or (negative) at least so many."""
    if count > 0:
        return with_ndim(layout, count)
    located_at = located(layout, -count - 1)
    return located_at[0] if located_at is not None else layout


def _key(term: Term) -> object:
    return ("argument", term.index) if isinstance(term, Argument) else id(term)


def _dimensions(function: Function) -> dict[object, int]:
    """How many dimensions the tensors of a function have, where its own code says so: b, c, h, w = x.shape. At least
    so many, where it only asks for x.size(2), as a negative number."""
    known: dict[object, int] | None = function.derived.get("dimensions")
    if known is None:
        known = function.derived["dimensions"] = _find_dimensions(function)
    return known


def _find_dimensions(function: Function) -> dict[object, int]:
    found: dict[object, int] = {}
    for event in function.events:
        if not isinstance(event, Evaluated):
            continue
        term = event.term
        base = shaped(term)
        if base is not None:
            items = (one for one in parents_in(function).get(id(term), ()) if isinstance(one, Item))
            length = next((item.length for item in items if item.length is not None), None)
            if length is not None:
                found[_key(base)] = length
            continue
        counted = _counted_by(term)
        if counted is not None:
            key = _key(counted[0])
            found[key] = counted[1] if counted[1] > 0 else min(found.get(key, 0) or counted[1], counted[1])
    return found


def _counted_by(term: Term) -> tuple[Term, int] | None:
    """A tensor, and how many dimensions one use of it speaks of."""
    if isinstance(term, Subscript):
        base, index = shaped(term.base), term.index
    elif not isinstance(term, Call) or not isinstance(term.callee, Attribute) or not term.arguments:
        return None
    elif term.callee.name == "permute":
        return (term.callee.base, len(term.arguments)) if len(term.arguments) > 1 else None
    else:
        base, index = (term.callee.base if term.callee.name == "size" else None), term.arguments[0]
    number = index.value if isinstance(index, Constant) else None
    is_number = isinstance(number, int) and not isinstance(number, bool)
    return (base, -number - 1) if base is not None and is_number and number >= 0 else None  # type: ignore[operator]
