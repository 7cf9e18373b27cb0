"""What carries a value on its way to a loss: containers, attributes, branches and the parameters of helpers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from torchlint.model.events import Evaluated, Write
from torchlint.model.facts import Function
from torchlint.model.flow.uses import Parent
from torchlint.model.frames import Frame, has_self
from torchlint.model.gradients.recording import is_quiet
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Item,
    Starred,
    Subscript,
    Term,
    children,
)

_CALLERS = 2
_HELPERS = 2


@dataclass(frozen=True, slots=True)
class Carrier:
    """A term that is computed from the value. base: the value before, in the same function. slot: its place in a tuple
    or its key in a dict. calls: the calls that led into its function. joined: a recorded value was added on the way, so
    this is a loss and no statistic. mixed: something that may be recorded was. is_loss: a loss has judged it.
    is_floating: it was made floating on the way."""

    term: Term
    frame: Frame
    base: Term
    slot: object = None
    calls: tuple[tuple[Call, Frame], ...] = ()
    callers: int = _CALLERS
    joined: bool = False
    mixed: bool = False
    is_loss: bool = False
    is_floating: bool = False

    def next(self, term: Term, slot: object = None) -> Carrier:
        return replace(self, term=term, slot=slot)


def through(one: Carrier, parent: Parent) -> Iterator[Carrier]:
    """Containers, their elements, and branches."""
    if isinstance(parent, Subscript):
        if parent.base is one.term and one.slot in (None, key_of(parent.index)):
            yield one.next(parent)
    elif isinstance(parent, Item):
        if one.slot is None or one.slot == parent.index:
            yield one.next(parent)
    elif isinstance(parent, Display):
        at = next((index for index, part in enumerate(parent.parts) if part is one.term), None)
        if at is None:
            # A key of a dict is looked up and never joins a loss.
            return
        key = key_of(parent.keys[at]) if parent.kind == "dict" and at < len(parent.keys) else at
        yield one.next(parent, key if parent.kind in ("tuple", "dict") else None)
    elif isinstance(parent, (Choice, Element, Starred, Comprehension)):
        yield one.next(parent, one.slot)


def stored(one: Carrier, event: Write) -> Iterator[Carrier]:
    """The reads of an attribute of the object that holds the value."""
    if one.frame.is_self(event.base) and isinstance(event.attribute, str):
        yield from _read(one, event.attribute, None)


def kept(one: Carrier, container: Term, slot: object) -> Iterator[Carrier]:
    """The container that gets the value, here and in the methods that read it."""
    yield one.next(container, slot)
    if isinstance(container, Attribute) and one.frame.is_self(container.base):
        yield from _read(one, container.name, slot)


def _read(one: Carrier, name: str, slot: object) -> Iterator[Carrier]:
    view = one.frame.view
    for moment in view.state.reads(name) if view is not None else ():
        if isinstance(moment.event, Evaluated):
            yield replace(one, term=moment.event.term, frame=moment.frame, slot=slot, calls=())


def into_helper(one: Carrier, call: Call, target: Frame, position: int | str) -> Iterator[Carrier]:
    """The parameter of a function of the project that stands for the value."""
    function = target.function
    if len(one.calls) >= _HELPERS or function is one.frame.function or is_quiet(function):
        return
    is_bound = has_self(function) and (isinstance(call.callee, Attribute) or function.name == "forward")
    names = [parameter.name for parameter in function.parameters]
    index = position + is_bound if isinstance(position, int) else -1
    if isinstance(position, str) and position in names:
        index = names.index(position)
    for argument in arguments_of(function, index):
        calls = (*one.calls, (call, one.frame))
        floating = one.is_floating
        yield Carrier(argument, target, one.base, one.slot, calls, one.callers, one.joined, is_floating=floating)


def arguments_of(function: Function, index: int) -> list[Argument]:
    """The terms of a function that stand for one of its parameters."""
    known: dict[int, dict[int, Argument]] | None = function.derived.get("arguments")
    if known is None:
        known = function.derived["arguments"] = {}
        for event in function.events:
            roots = (event.term,) if isinstance(event, Evaluated) else (event.value,) if hasattr(event, "value") else ()
            for leaf in (leaf for root in roots for leaf in (root, *children(root))):
                if isinstance(leaf, Argument):
                    known.setdefault(leaf.index, {})[id(leaf)] = leaf
    return list(known.get(index, {}).values())


def position_of(term: Term, call: Call) -> int | str:
    """Where a call gets a term: its position, or its keyword."""
    for index, one in enumerate(call.arguments):
        if one is term:
            return index
    return next((name for name, one in call.keywords if one is term and name), -1)


def given_at(call: Term, one: Carrier) -> Term:
    """What a call gives for the parameter that the value is before it is lost."""
    base = one.base
    if not isinstance(base, Argument) or not isinstance(call, Call):
        return base
    index = base.index - has_self(one.frame.function)
    return call.argument(index, base.name) or base


def key_of(term: Term | None) -> object:
    return term.value if isinstance(term, Constant) else None
