"""The reads of memos: where methods take a kept value out of its holder, and to what they convert it first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import is_metadata
from torchlint.model.devices.placements import is_device
from torchlint.model.events import Evaluated, ItemWrite, Return
from torchlint.model.facts import Function
from torchlint.model.flow.holders import Holder, holder_of
from torchlint.model.flow.uses import Parent, Use, parents_in
from torchlint.model.frames import Frame, is_decorated, self_use
from torchlint.model.modules.dependences import DEVICE, DTYPE, NOTHING, Dependences
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
    mentions,
)
from torchlint.model.unregistered.leftovers import mentions_attribute

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_BOTH: Dependences = frozenset({DEVICE, DTYPE})
_TAKES = frozenset("get pop setdefault values items".split())
_TESTS = frozenset(("is", "is not", "in", "not in", "not", "==", "!="))
_MAX_CALLERS = 3


@dataclass(frozen=True, slots=True)
class MemoRead:
    """A term by which a method takes a kept value out of its holder and uses it."""

    term: Term
    frame: Frame

    def converted(self, view: ModuleClass) -> Dependences:
        """What of device and dtype every use converts first."""
        return _converted(self.term, self.frame.function, view, _MAX_CALLERS)


def reads_of(view: ModuleClass, holder: Holder) -> list[MemoRead]:
    """The reads of a memo whose value is used, in order."""
    found: dict[int, MemoRead] = {}
    uses = view.project.uses
    for frame in _frames(view):
        if id(frame.method) in view.only_building:
            continue
        for base in _bases(holder, frame, view):
            for term in _taken(base, frame.function):
                if uses.of(term, frame.function) - {Use.LOOKED_AT}:
                    found.setdefault(id(term), MemoRead(term, frame))
    return list(found.values())


def _frames(view: ModuleClass) -> Iterator[Frame]:
    waiting = [wrapper.frame for wrapper in view.wrappers]
    waiting += [view.frame(function) for function in reversed(view.methods)]
    while waiting:
        frame = waiting.pop()
        yield frame
        waiting += [view.project.evaluator.nested_frame(nested, frame) for nested, _ in self_use(frame.function).inner]


def _bases(holder: Holder, frame: Frame, view: ModuleClass) -> Iterator[Term]:
    """The terms of a function that are the holder."""
    for event in frame.function.events:
        term = event.term if isinstance(event, Evaluated) else None
        if isinstance(term, Attribute) and term.name == holder.name and _may_be_kept(term):
            held = holder_of(term, frame, view)
            if held is not None and held.name == holder.name:
                yield term
        elif isinstance(term, (Subscript, Attribute)) and isinstance(term.base, (Global, Imported)):
            held = holder_of(term.base, frame, view) if term.base.name.endswith(holder.name) else None
            if held is not None and held.name == holder.name:
                yield term.base


def _may_be_kept(term: Attribute) -> bool:
    """False for what the same run has certainly stored before, other than the kept value in another order."""
    return term.known is None or mentions_attribute(term.known, term.base, term.name)


def _taken(base: Term, function: Function) -> Iterator[Term]:
    """The values that are taken out of the holder where it is a dict; the holder itself where it is the value."""
    for parent in parents_in(function).get(id(base), ()):
        if isinstance(parent, Attribute) and parent.name in _TAKES:
            yield from (call for call in parents_in(function).get(id(parent), ()) if isinstance(call, Call))
        elif isinstance(parent, Subscript) and parent.base is base:
            yield parent
        elif not (isinstance(parent, ItemWrite) and parent.base is base):
            yield base


def _converted(term: Term, function: Function, view: ModuleClass, depth: int) -> Dependences:
    found = _BOTH
    for end, parent in _ends(term, function, set()):
        found &= _at_end(end, parent, function, view, depth)
    return found


def _ends(term: Term, function: Function, done: set[int]) -> Iterator[tuple[Term, Parent]]:
    """What uses a value, through branches, parts of it, and loops over it."""
    if id(term) in done:
        return
    done.add(id(term))
    for parent in parents_in(function).get(id(term), ()):
        passes = isinstance(parent, (Choice, Item, Display, Element)) or (
            isinstance(parent, Subscript) and parent.base is term
        )
        if isinstance(parent, Choice) and any(_is_conversion_of(option, term) for option in parent.options):
            continue
        if passes and isinstance(parent, Term):
            yield from _ends(parent, function, done)
        else:
            yield term, parent


def _is_conversion_of(option: Term, term: Term) -> bool:
    """True for term.to(..): where branches meet, one of them has converted the value."""
    callee = option.callee if isinstance(option, Call) else None
    return isinstance(callee, Attribute) and callee.name in ("to", "type_as") and callee.base is term


def _at_end(end: Term, parent: Parent, function: Function, view: ModuleClass, depth: int) -> Dependences:
    if isinstance(parent, Return):
        return converted_by_callers(function, view, depth)
    if isinstance(parent, Operation) and parent.operator in _TESTS:
        return _BOTH
    if isinstance(parent, ItemWrite) and parent.base is end:
        # What a dict within the dict is given is read from there later.
        return _BOTH
    if isinstance(parent, Attribute):
        calls = [c for c in parents_in(function).get(id(parent), ()) if isinstance(c, Call) and c.callee is parent]
        if is_metadata(parent.name) or parent.name in ("device", "dtype", "is_inference"):
            return _BOTH
        if parent.name in ("to", "type_as") and calls:
            return _BOTH.intersection(*(conversion(call) for call in calls))
    if isinstance(parent, Subscript) and parent.index is end:
        return _BOTH
    uses = view.project.uses.of(end, function) - {Use.LOOKED_AT}
    return _BOTH if uses <= {Use.MOVED, Use.INDEXES} else NOTHING


def conversion(call: Call) -> Dependences:
    """What x.to(..) or x.type_as(..) takes from something else; nothing where the target is a constant."""
    if isinstance(call.callee, Attribute) and call.callee.name == "type_as":
        return _BOTH
    found: set[object] = set()
    for key, term in (*((None, term) for term in call.arguments), *call.keywords):
        if isinstance(term, (Constant, Imported)):
            continue
        if key == "dtype" or mentions(term, frozenset({"dtype"})) or _is_named(term, "dtype"):
            found.add(DTYPE)
        elif key == "device" or is_device(term) or mentions(term, frozenset({"device"})):
            found.add(DEVICE)
        else:
            found |= _BOTH
    return frozenset(one for one in _BOTH if one in found)


def _is_named(term: Term, word: str) -> bool:
    return isinstance(term, Argument) and term.name.endswith(word)


def converted_by_callers(function: Function, view: ModuleClass, depth: int = _MAX_CALLERS) -> Dependences:
    """What the callers of a function of the class convert its result to; nothing where there are none."""
    wrapped = [one.method for one in view.wrappers if one.frame.function is function] or [function]
    found: list[Dependences] = []
    for frame in _frames(view) if depth else ():
        for event in frame.function.events:
            term = event.term if isinstance(event, Evaluated) else None
            if term is None or not any(_runs(term, one, frame, view) for one in wrapped):
                continue
            # A function that returns the result of its own call hands on what its other callers convert.
            if frame.function is not function or not _is_returned(term, function):
                found.append(_converted(term, frame.function, view, depth - 1))
    return _BOTH.intersection(*found) if found else NOTHING


def _is_returned(term: Term, function: Function) -> bool:
    """True for a value that is returned, and nothing else."""
    return all(isinstance(parent, Return) for _, parent in _ends(term, function, set()))


def converted_calls(view: ModuleClass, name: str) -> Dependences:
    """What the callers of a callable that an attribute holds convert its result to; nothing where there are none."""
    found = [
        _converted(call, frame.function, view, _MAX_CALLERS)
        for frame in _frames(view)
        for call in frame.function.calls
        if isinstance(call.callee, Attribute) and call.callee.name == name and frame.is_self(call.callee.base)
    ]
    return _BOTH.intersection(*found) if found else NOTHING


def _runs(term: Term, function: Function, frame: Frame, view: ModuleClass) -> bool:
    """True for a call of the function on the object, and for a read of the property that it is."""
    if isinstance(term, Attribute):
        is_own = term.name == function.name and frame.is_self(term.base)
        return is_own and (is_decorated(function, "property") or is_decorated(function, "cached_property"))
    return isinstance(term, Call) and any(callee.function is function for callee in view.callees(term, frame))
