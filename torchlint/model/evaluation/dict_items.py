"""What a dict of the function holds under one key: what it was written out with, and what was assigned since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.events import ItemWrite
from torchlint.model.facts import Function
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import last_name
from torchlint.model.terms import (
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Element,
    Item,
    Subscript,
    Term,
)
from torchlint.model.values import UNKNOWN, TensorValue, join_all

if TYPE_CHECKING:
    from torchlint.model.frames import Frame

_LOOKS = frozenset("len print isinstance list sorted dict".split())
_CHANGES = frozenset("update setdefault pop popitem clear __setitem__".split())


def under_key(term: Subscript, frame: Frame) -> TensorValue | None:
    """The value of {"ids": ids}["ids"]; None where the dict is not written out in the function, or where a function
    gets it that may change it. The order of assignments is not followed: what two leave under a key is joined."""
    base, key = term.base, term.index
    if not isinstance(base, Display) or base.kind != "dict" or not isinstance(key, Constant):
        return None
    writes = item_writes(frame.function).get(id(base), ())
    if not all(isinstance(write.index, Constant) for write in writes):
        return UNKNOWN
    if not all(isinstance(one, Constant) for one in base.keys) or is_changed(base, frame.function):
        return None
    pairs = [*zip(base.keys, base.parts, strict=True), *((write.index, write.value) for write in writes)]
    held = [value for one, value in pairs if isinstance(one, Constant) and one.value == key.value]
    return join_all(frame.value(one) for one in held) if held else None


def is_changed(base: Term, function: Function) -> bool:
    """True where a method may change the dict, or a function that gets it, or what writes to it by another name."""
    parents = parents_in(function).get(id(base), ())
    return is_written_by_another_name(base, function) or any(
        one.name in _CHANGES if isinstance(one, Attribute) else isinstance(one, Call) and last_name(one) not in _LOOKS
        for one in parents
    )


def is_written_by_another_name(base: Term, function: Function) -> bool:
    """True where a nested function, or a loop over the list that the dict is in, may write into it."""
    parents = parents_in(function).get(id(base), ())
    is_in_list = any(isinstance(one, (Display, Choice)) for one in parents)
    written = (write.base for writes in item_writes(function).values() for write in writes) if is_in_list else ()
    return any(isinstance(one, (Element, Item, Subscript, Choice)) for one in written) or any(
        _changes_captured(nested, base) for nested in function.nested
    )


def _changes_captured(function: Function, base: Term) -> bool:
    """True where a nested function writes into a dict of the one around it."""
    written = [write.base for writes in item_writes(function).values() for write in writes]
    changed = (call.callee for call in function.calls if isinstance(call.callee, Attribute))
    written += [callee.base for callee in changed if callee.name in _CHANGES]
    return any(isinstance(one, Captured) and one.value is base for one in written)


def item_writes(function: Function) -> dict[int, list[ItemWrite]]:
    """The assignments to items, by the identity of what they assign to."""
    known: dict[int, list[ItemWrite]] | None = function.derived.get("item writes")
    if known is None:
        known = function.derived["item writes"] = {}
        for event in function.events:
            if isinstance(event, ItemWrite):
                known.setdefault(id(event.base), []).append(event)
    return known
