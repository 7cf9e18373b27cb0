"""What a function of the project gives back, as its caller sees it: `for p in weights_of(model)` walks over what
`weights_of` returns or yields, and `first, second = split(model)` takes the parts of what `split` returns."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Event
from torchlint.model.flow.levels import Level
from torchlint.model.frames import Moment
from torchlint.model.terms import Call, Display, Element, Item, Starred, Subscript, Term
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import same_memory

Seen = tuple[Term, Level]
_DEPTH = 8


def seen_inside(term: Term, event: Event, level: Level) -> Iterator[Seen]:
    """The same value as the helper names it that it came from, for each of its returns; nothing where it came from no
    helper. event: where the value is used."""
    inner_call = _call_behind(term)
    target = function_called(inner_call, level.frame) if inner_call is not None else None
    if inner_call is None or target is None or not target.function.returned:
        return
    inner = level.entered(target, inner_call, Moment(event, level.frame, level.caller))
    if inner is None:
        return
    for returned in target.function.returned:
        found = _rebuilt(term, returned.value, is_yield=returned.is_yield)
        if found is not None:
            yield found, inner


def _call_behind(term: Term, depth: int = _DEPTH) -> Call | None:
    """The call that a term is taken out of, by loops, unpacking and indices."""
    term = same_memory(term)
    if not depth or isinstance(term, Call):
        return term if isinstance(term, Call) else None
    if isinstance(term, Element):
        return _call_behind(term.iterable, depth - 1)
    return _call_behind(term.base, depth - 1) if isinstance(term, (Item, Subscript)) else None


def _rebuilt(term: Term, result: Term, *, is_yield: bool) -> Term | None:
    """A term with the result of the call in the place of the call; of a generator each element is what it yields."""
    term = same_memory(term)
    if isinstance(term, Call):
        return None if is_yield else result
    if isinstance(term, Element):
        if is_yield and isinstance(same_memory(term.iterable), Call):
            return result
        iterable = _rebuilt(term.iterable, result, is_yield=is_yield)
        return Element(term.place, iterable) if iterable is not None else None
    base = _rebuilt(term.base, result, is_yield=is_yield) if isinstance(term, (Item, Subscript)) else None
    if base is None:
        return None
    if isinstance(term, Subscript):
        return Subscript(term.place, base, term.index)
    assert isinstance(term, Item)
    if isinstance(base, Display) and not any(isinstance(part, Starred) for part in base.parts):
        return base.parts[term.index] if -len(base.parts) <= term.index < len(base.parts) else None
    return Item(term.place, base, term.index, term.length)
