"""Containers of data that come and go with the calls: buffers of a replay, histories, caches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, ItemWrite
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment
from torchlint.model.terms import Argument, Attribute, Call

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

GROWING = frozenset("append appendleft add insert extend update setdefault __setitem__".split())
_EMPTYING = frozenset("clear pop popitem popleft remove".split())


def is_runtime(module: ModuleClass, name: str, fillings: Iterable[Moment]) -> bool:
    """True where later code replaces, grows or empties the container: it holds data of the calls."""
    building = module.construction_functions
    stored = [*module.state.writes(name), *fillings]
    if any(id(moment.frame.function) not in building or moment.frame.method.name == "forward" for moment in stored):
        return True
    is_changed = any(_is_emptied(read) or _is_filled_by_helper(module, read) for read in module.state.reads(name))
    return is_changed or name in module.project.owners.assigned(module.path)


def _is_emptied(read: Moment) -> bool:
    assert isinstance(read.event, Evaluated)
    parents = parents_in(read.frame.function).get(id(read.event.term), ())
    return any(isinstance(one, Attribute) and one.name in _EMPTYING for one in parents)


def _is_filled_by_helper(module: ModuleClass, read: Moment) -> bool:
    """True where the container is passed to a method that puts something into what it gets."""
    assert isinstance(read.event, Evaluated)
    term, frame = read.event.term, read.frame
    calls = [
        one
        for one in parents_in(frame.function).get(id(term), ())
        if isinstance(one, Call) and any(given is term for given in one.inputs)
    ]
    return any(_fills_argument(inner) for call in calls for inner in module.callees(call, frame))


def _fills_argument(frame: Frame) -> bool:
    for event in frame.function.events:
        callee = event.term.callee if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
        grows = isinstance(callee, Attribute) and callee.name in GROWING
        base = event.base if isinstance(event, ItemWrite) else callee.base if isinstance(callee, Attribute) else None
        if isinstance(base, Argument) and not frame.is_self(base) and (grows or isinstance(event, ItemWrite)):
            return True
    return False
