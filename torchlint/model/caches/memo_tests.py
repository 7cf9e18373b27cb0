"""The tests that decide on memos: what asks whether an earlier call has stored something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import MODULE_MEMBERS
from torchlint.model.events import Evaluated, Event, ItemWrite, Region, RegionKind, Return, Write
from torchlint.model.flow.holders import Holder, asks_for_key, puts_into_dict
from torchlint.model.frames import Frame, Moment, last_name, self_use
from torchlint.model.terms import Attribute, Call, Choice, Global, Imported, Operation, Subscript, Term, children

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_TERM_DEPTH = 14


def tests_itself(event: Event) -> bool:
    """True for a store that is a test as well: table.setdefault(key, value), self.x = self.x or made()."""
    if isinstance(event, Write):
        return made_anew(event) is not None
    return isinstance(event, Evaluated) and asks_for_key(event)


def asked_by_itself(event: Event, frame: Frame) -> tuple[Region, ...]:
    """The conditions by which such a store decides whether the value is made."""
    if isinstance(event, Write):
        new = made_anew(event)
        if new is not None and isinstance(event.value, Operation):
            return (Region(RegionKind.GUARD, event.value.parts[0], False, event.value.place, event.region),)
        made = (e for e in frame.function.events if isinstance(e, Evaluated) and e.term is new)
        return tuple(region for one in made for region in one.guards())
    if not isinstance(event, Evaluated) or not asks_for_key(event):
        return ()
    place = event.term.place
    tests = (Operation(place, "in", (put.key, put.base)) for put in puts_into_dict(event))
    return tuple(Region(RegionKind.GUARD, test, False, place, event.region) for test in tests)


def made_anew(event: Write) -> Term | None:
    """The new value of self.x = self.x if self.x is not None else made(), and of self.x = self.x or made()."""
    value = event.value
    if isinstance(value, Choice):
        kept = [option for option in value.options if _is_target(option, event)]
        others = [option for option in value.options if not _is_target(option, event)]
        return others[0] if kept and len(others) == 1 else None
    is_or = isinstance(value, Operation) and value.operator == "or" and len(value.parts) == 2
    return value.parts[1] if is_or and _is_target(value.parts[0], event) else None  # type: ignore[attr-defined]


def _is_target(term: Term, event: Write) -> bool:
    return (
        isinstance(term, Attribute) and term.known is None and term.name == event.attribute and term.base is event.base
    )


def _written(frame: Frame) -> Iterator[str]:
    """The plain attributes that a function writes."""
    for event in self_use(frame.function).steps:
        base = event.base if isinstance(event, (Write, ItemWrite)) else None
        if isinstance(event, Write) and isinstance(event.attribute, str) and frame.is_self(event.base):
            yield event.attribute
        while isinstance(base, Subscript):
            base = base.base
        if isinstance(event, ItemWrite) and isinstance(base, Attribute):
            yield base.name


def changing_attributes(view: ModuleClass, moment: Moment) -> frozenset[str]:
    """The plain attributes that the functions around a store write: their tests ask what an earlier call did."""
    names = {name for frame in moment.functions() for name in _written(frame)} - MODULE_MEMBERS
    return frozenset(name for name in names if view.state.registration(name) is None)


def asks_memory(
    term: Term, frame: Frame, holder: Holder, changing: frozenset[str], depth: int = _MAX_TERM_DEPTH
) -> bool:
    """True where a condition asks the holder, or an attribute that later calls write; also in a method of its own."""
    if isinstance(term, Attribute) and (term.name == holder.name or term.name in changing):
        return True
    if isinstance(term, (Global, Imported)) and holder.is_global and term.name == holder.name:
        return True
    named = named_attribute(term, frame)
    if named is not None:
        return not frame.evaluator.strings(named, frame).isdisjoint((holder.name, *changing))
    if isinstance(term, Call) and frame.view is not None and depth > _MAX_TERM_DEPTH - 3:
        entered = list(frame.view.callees(term, frame))
        if any(asks_memory(part, one, holder, changing, depth - 2) for one in entered for part in answers_of(one)):
            return True
    return depth > 0 and any(asks_memory(part, frame, holder, changing, depth - 1) for part in children(term))


def named_attribute(term: Term, frame: Frame) -> Term | None:
    """The term that names the attribute of the object which hasattr(self, name), name in self.__dict__ and
    self.__dict__.get(name) ask for."""
    if isinstance(term, Call) and last_name(term) == "hasattr" and len(term.arguments) == 2:
        return term.arguments[1] if frame.is_self(term.arguments[0]) else None
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "get" and term.arguments:
        return term.arguments[0] if _is_dict_of_self(term.callee.base, frame) else None
    if isinstance(term, Operation) and term.operator in ("in", "not in") and len(term.parts) == 2:
        return term.parts[0] if _is_dict_of_self(term.parts[1], frame) else None
    return None


def _is_dict_of_self(term: Term, frame: Frame) -> bool:
    """True for self.__dict__ and vars(self)."""
    if isinstance(term, Call) and last_name(term) == "vars" and len(term.arguments) == 1:
        return frame.is_self(term.arguments[0])
    return isinstance(term, Attribute) and term.name == "__dict__" and frame.is_self(term.base)


def answers_of(frame: Frame) -> tuple[Term, ...]:
    """What decides on the answer of a function: what it returns, and the conditions around that."""
    returns = [event for event in frame.function.events if isinstance(event, Return)]
    conditions = (region.subject for event in returns for region in event.guards())
    return (*(event.value for event in returns), *conditions)
