"""What `*values` and `**options` pass where the tuple, list or dict is written out in the same function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.terms import Attribute, Call, Constant, Display, Global, Starred, Term

Keyword = tuple[str | None, Term]

# Who gets a dict or a list without changing it.
_LOOKS = frozenset("len print isinstance list tuple sorted dict repr str enumerate zip".split())
_READS = frozenset("items keys values get copy index count".split())


def spread_arguments(value: Term, before: Sequence[Event]) -> list[Term]:
    """The arguments that `*value` stands for; `*value` itself where it is not written out, or was changed before."""
    if isinstance(value, Display) and value.kind in ("tuple", "list") and not _is_changed(value, before):
        return list(value.parts)
    return [Starred(value.place, value)]


def spread_keywords(value: Term, before: Sequence[Event]) -> list[Keyword]:
    """The keywords that `**value` stands for; of a dict that was changed before, (None, value)."""
    pairs = _pairs(value)
    if pairs is None or any(isinstance(key, Term) for key, _ in pairs) or _is_changed(value, before):
        return [(None, value)]
    found: dict[str, Term] = {}
    is_open = False
    for key, part in pairs:
        if key is None:
            # What comes from another dict replaces what stands before it.
            inner = spread_keywords(part, before)
            is_open = is_open or any(name is None for name, _ in inner)
            known = {name: one for name, one in inner if name is not None}
            found = known if is_open else {**found, **known}
        else:
            found[str(key)] = part
    return [*found.items(), *([(None, value)] if is_open else [])]


def _pairs(value: Term) -> list[tuple[str | Term | None, Term]] | None:
    """The keys and values of a dict that is written out: None for a dict inside, a term for a key that is no text."""
    if isinstance(value, Display) and value.kind == "dict":
        return [(_text(key), part) for key, part in zip(value.keys, value.parts, strict=True)]
    is_dict = isinstance(value, Call) and isinstance(value.callee, Global) and value.callee.name == "dict"
    if isinstance(value, Call) and is_dict:
        return [*((None, one) for one in value.arguments), *value.keywords]
    return None


def _text(key: Term | None) -> str | Term | None:
    return key.value if isinstance(key, Constant) and isinstance(key.value, str) else key


def _is_changed(value: Term, before: Sequence[Event]) -> bool:
    """True where an item was assigned, or a method or a function may have changed the container."""
    return any(_changes(event, value) for event in before)


def _changes(event: Event, value: Term) -> bool:
    if isinstance(event, ItemWrite):
        return event.base is value
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call):
        return False
    if isinstance(call.callee, Attribute) and call.callee.base is value:
        return call.callee.name not in _READS
    is_look = isinstance(call.callee, Global) and call.callee.name in _LOOKS
    return not is_look and any(one is value for one in _passed(call))


def _passed(call: Call) -> Iterator[Term]:
    """What is passed as it is: neither unpacked nor looked at."""
    yield from call.arguments
    yield from (term for name, term in call.keywords if name is not None)
