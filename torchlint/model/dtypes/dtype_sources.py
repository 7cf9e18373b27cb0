"""Where dtypes come from that a line does not name: properties, methods and helpers, and the keys of a dict."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.evaluation.dict_items import item_writes
from torchlint.model.events import Evaluated, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, last_name, self_use
from torchlint.model.terms import (
    Attribute,
    Call,
    Captured,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Subscript,
    Term,
    mentions,
)

_VIEWS_OF_DICTS = frozenset(("keys", "items"))
_DICTS = frozenset("dict defaultdict OrderedDict Counter".split())


def may_lead_to_dtypes(term: Term, frame: Frame) -> bool:
    """True where what a term reads or calls, or the function that fills it as a dict, speaks of dtypes."""
    term = viewed_dict(term)
    if is_dict(term):
        return speaks_of_dtype(frame.function)
    return any(map(speaks_of_dtype, _read_from(term, frame)))


def is_declared_dtype(term: Term, frame: Frame) -> bool:
    """True for a field of the object that its class declares as one: `store: torch.dtype`."""
    if frame.view is None or not isinstance(term, Attribute) or not frame.is_self(term.base):
        return False
    given = (one.facts.annotations.get(term.name) for one in frame.view.ancestors)
    return any(one is not None and mentions(one, frozenset(("dtype",))) for one in given)


def viewed_dict(term: Term) -> Term:
    """The dict of names.keys() and names.items(), whose order is that of the keys; any other term as it is."""
    callee = term.callee if isinstance(term, Call) and not term.inputs else None
    return callee.base if isinstance(callee, Attribute) and callee.name in _VIEWS_OF_DICTS else term


def is_dict(term: Term) -> bool:
    """True for a dict that the function itself makes."""
    return (isinstance(term, Display) and term.kind == "dict") or (isinstance(term, Call) and last_name(term) in _DICTS)


def keys_of_dict(term: Term, function: Function) -> list[Term]:
    """The keys under which a function puts something into a dict."""
    keys = [key for key in getattr(term, "keys", ()) if key is not None]
    keys += [write.index for write in item_writes(function).get(id(term), ())]
    for event in function.events:
        one = event.term if isinstance(event, Evaluated) else None
        if isinstance(one, Call) and isinstance(one.callee, Attribute) and one.callee.base is term and one.arguments:
            keys += one.arguments[:1] if one.callee.name == "setdefault" else ()
        elif isinstance(one, Subscript) and one.base is term and isinstance(term, Call):
            # A defaultdict makes what it is asked for.
            keys.append(one.index)
    return keys


def keys_of_kept_dict(term: Term, frame: Frame) -> list[tuple[Term, Frame]]:
    """The keys that the methods of an object use for a dict on one of its attributes; none where it may be another."""
    view = frame.view
    if view is None or not isinstance(term, Attribute) or not frame.is_self(term.base):
        return []
    writes = [moment.event for moment in view.state.writes(term.name)]
    made = [event.value for event in writes if isinstance(event, Write) and not event.unseen]
    if len(made) != 1 or not is_dict(made[0]) or not _is_written_out(made[0]):
        return []
    keys = [key for key in getattr(made[0], "keys", ()) if key is not None]
    found = [(key, view.state.writes(term.name)[0].frame) for key in keys]
    for method in view.methods:
        if term.name in self_use(method).reads:
            inner = view.frame(method)
            if any(_fills_otherwise(call, term.name) for call in method.calls):
                return []
            found += [(key, inner) for key in _keys_used(term.name, inner)]
    return found


def _is_written_out(made: Term) -> bool:
    """True for {..}, dict(), OrderedDict() and defaultdict(list): no other dict is taken over."""
    if not isinstance(made, Call):
        return None not in getattr(made, "keys", ())
    return not made.inputs or (last_name(made) == "defaultdict" and len(made.inputs) == 1)


def _fills_otherwise(call: Call, name: str) -> bool:
    callee = call.callee
    is_update = isinstance(callee, Attribute) and callee.name == "update"
    return is_update and mentions(callee.base, frozenset((name,)))  # type: ignore[attr-defined]


def _keys_used(name: str, frame: Frame) -> Iterator[Term]:
    """The keys in self.name[key], and in what is written there or set as a default."""
    for event in frame.function.events:
        one = event.term if isinstance(event, Evaluated) else None
        if isinstance(one, Call) and isinstance(one.callee, Attribute) and one.callee.name == "setdefault":
            base, key = one.callee.base, one.arguments[0] if one.arguments else None
        elif isinstance(one, Subscript):
            base, key = one.base, one.index
        elif isinstance(event, ItemWrite):
            base, key = event.base, event.index
        else:
            continue
        is_own = isinstance(base, Attribute) and base.name == name and frame.is_self(base.base)
        if is_own and key is not None and not _is_listed(key, name):
            yield key


def _is_listed(key: Term, name: str) -> bool:
    """True for a key that a loop takes from the dict itself."""
    while isinstance(key, (Item, Captured)):
        key = key.base if isinstance(key, Item) else key.value
    return isinstance(key, Element) and mentions(key.iterable, frozenset((name,)))


def _read_from(term: Term, frame: Frame) -> Iterator[Function]:
    """The functions that give the value of self.kinds, self.kinds() or kinds_of(..)."""
    callee = term.callee if isinstance(term, Call) else term
    if isinstance(callee, Attribute):
        if frame.view is None or not frame.is_self(callee.base):
            return
        method = frame.view.method(callee.name)
        yield from (method,) if method is not None else (m.frame.function for m in frame.view.state.writes(callee.name))
    elif isinstance(term, Call) and isinstance(callee, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(callee, frame.path)
        if isinstance(found, Function):
            yield found


def speaks_of_dtype(function: Function) -> bool:
    """True where a function reads a dtype; worked out once."""
    known: bool | None = function.derived.get("speaks of dtype")
    if known is None:
        terms = (event.term for event in function.events if isinstance(event, Evaluated))
        known = any(isinstance(term, Attribute) and term.name == "dtype" for term in terms)
        function.derived["speaks of dtype"] = known
    return known
