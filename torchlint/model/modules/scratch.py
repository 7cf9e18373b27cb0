"""Scratch memory: what each call overwrites before anything reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, ItemWrite
from torchlint.model.flow.timeline import attribute_of_self, changed_in_place
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Attribute, Call, Constant, Operation, Subscript, Term
from torchlint.model.weights.enumerated import within

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_OVERWRITES = frozenset("copy_ zero_ fill_ set_".split())


def begins_anew(module: ModuleClass, name: str, moment: Moment) -> bool:
    """True where nothing of the old value is left in what a moment writes into, nor read before that: it overwrites the
    attribute itself, or a statement above in the same function does."""
    return any(is_read_below(module, name, above) for above in (moment, *_above(name, moment)) if _overwrites(above))


def _above(name: str, moment: Moment) -> Iterator[Moment]:
    """What a function did to the attribute before a moment."""
    for event in moment.frame.function.events:
        if event is moment.event:
            return
        changed = (
            changed_in_place(event.term) if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
        )
        if changed is not None and attribute_of_self(changed, moment.frame) == name and not _is_part(changed):
            yield Moment(event, moment.frame, moment.caller)


def is_filled_above(name: str, moment: Moment, made: Term | None) -> bool:
    """True where statements above in the same function write every item: self.x[:] = y, or self.x[0] and self.x[1] of a
    vector that is made with two. What is computed from the attribute then carries nothing on."""
    frame, filled = moment.frame, set[object]()
    for event in frame.function.events:
        if event is moment.event:
            break
        if not isinstance(event, ItemWrite) or event.guards() or event.operator != "=":
            continue
        if _is_own(event.base, name, frame) and not any(_is_own(one, name, frame) for one in within(event.value)):
            if _is_everything(event.index):
                return True
            filled.add(event.index.value if isinstance(event.index, Constant) else None)
    size = made.arguments[0] if isinstance(made, Call) and len(made.arguments) == 1 else None
    length = size.value if isinstance(size, Constant) else None
    return isinstance(length, int) and filled >= set(range(length)) != set()


def _is_own(term: Term, name: str, frame: Frame) -> bool:
    return isinstance(term, Attribute) and term.name == name and frame.is_self(term.base)


def _is_everything(index: Term) -> bool:
    """True for [:] and [...]."""
    if isinstance(index, Operation) and index.operator == "slice":
        return all(isinstance(part, Constant) and part.value is None for part in index.parts)
    return isinstance(index, Constant) and index.value is ...


def _is_part(term: Term) -> bool:
    """True for self.x[0], which is not all of the attribute."""
    while isinstance(term, Attribute):
        term = term.base
    return isinstance(term, Subscript)


def _overwrites(moment: Moment) -> bool:
    """True for self.x.copy_(y), and self.x.copy_(y).mul_(2)."""
    call: Term | None = moment.event.term if isinstance(moment.event, Evaluated) else None
    while isinstance(call, Call) and (inner := changed_in_place(call)) is not None:
        if last_name(call) in _OVERWRITES:
            return not moment.event.guards()
        call = inner
    return False


def is_read_below(module: ModuleClass, name: str, moment: Moment) -> bool:
    """True where whoever reads the attribute is the function that wrote it, further down."""
    order = {id(event): number for number, event in enumerate(moment.frame.function.events)}
    written = order[id(moment.event)]
    reads = [read for read in module.state.reads(name) if id(read.frame.method) not in module.only_building]
    term = moment.event.term if isinstance(moment.event, Evaluated) else None
    parts = set(map(id, within(term))) if term is not None else set()
    others = (read for read in reads if id(getattr(read.event, "term", None)) not in parts)
    return all(order.get(id(read.event), -1) > written for read in others)
