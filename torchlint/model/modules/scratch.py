"""Scratch memory: what each call overwrites before anything reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated
from torchlint.model.flow.timeline import changed_in_place
from torchlint.model.frames import Moment, last_name
from torchlint.model.terms import Call, Term
from torchlint.model.weights.enumerated import within

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_OVERWRITES = frozenset("copy_ zero_ fill_ set_".split())


def begins_anew(moment: Moment) -> bool:
    """True for self.x.copy_(y), and self.x.copy_(y).mul_(2): nothing of the old value is left."""
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
