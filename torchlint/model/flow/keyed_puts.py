"""What a container of lists is given under one key: self.history["loss"].append(loss), book["out"] = out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.facts import Function
from torchlint.model.flow.puts import PUTS
from torchlint.model.frames import Frame
from torchlint.model.terms import Attribute, Call, Choice, Constant, Display, Subscript, Term


@dataclass(frozen=True, slots=True)
class Put:
    """One value under a key. container: the dict. is_whole: the value itself is there, not a list that it is in."""

    container: Term
    key: str
    value: Term
    is_whole: bool


def under_key(term: Subscript, frame: Frame) -> list[tuple[Put, Frame]]:
    """What anyone puts under the key that a subscript asks for: of a dict of the function here, of a dict that is an
    attribute in all methods of the class. A key that is no written text has nothing."""
    key = _text(term.index)
    if key is None:
        return []
    base = term.base
    if isinstance(base, Attribute) and frame.is_self(base.base) and frame.view is not None:
        frames = [frame.view.frame(one) for one in frame.view.methods]
        return [(put, one) for one in frames for put in _puts(one.function) if _is_own(put, key, base.name, one)]
    held = {id(one) for one in (base.options if isinstance(base, Choice) else (base,))}
    return [(put, frame) for put in _puts(frame.function) if put.key == key and id(put.container) in held]


def _is_own(put: Put, key: str, name: str, frame: Frame) -> bool:
    container = put.container
    is_named = isinstance(container, Attribute) and container.name == name and frame.is_self(container.base)
    return is_named and put.key == key


def _puts(function: Function) -> tuple[Put, ...]:
    known: tuple[Put, ...] | None = function.derived.get("keyed puts")
    if known is None:
        known = function.derived["keyed puts"] = tuple(put for event in function.events for put in _put_by(event))
    return known


def _put_by(event: Event) -> Iterator[Put]:
    if isinstance(event, ItemWrite):
        key = _text(event.index)
        if key is not None:
            yield Put(event.base, key, event.value, is_whole=True)
        return
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call) or not isinstance(call.callee, Attribute) or call.callee.name not in PUTS:
        return
    listed = _list_in(call.callee.base)
    if listed is not None and call.arguments:
        yield Put(*listed, call.arguments[-1], is_whole=False)


def _list_in(term: Term) -> tuple[Term, str] | None:
    """The container and the key of book["loss"], and of book.setdefault("loss", [])."""
    container, index = None, None
    if isinstance(term, Subscript):
        container, index = term.base, term.index
    elif isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "setdefault":
        container, index = term.callee.base, term.argument(0, "key")
    key = _text(index)
    return (container, key) if container is not None and key is not None else None


def _text(term: Term | None) -> str | None:
    value = term.value if isinstance(term, Constant) else None
    return value if isinstance(value, str) else None


def written_under(term: Subscript) -> Term | None:
    """What the dict was written out with under the key; None for any other container."""
    base, key = term.base, _text(term.index)
    if not isinstance(base, Display) or base.kind != "dict" or key is None:
        return None
    return next((part for one, part in zip(base.keys, base.parts, strict=False) if _text(one) == key), None)
