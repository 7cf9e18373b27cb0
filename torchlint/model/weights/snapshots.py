"""State kept as a snapshot that is none: state_dict() hands out the module's own tensors, which later steps write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Event, ItemWrite, Region, RegionKind, Write
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Element, Term
from torchlint.model.weights.aliases import Birth, Taken, births, carriers, takers
from torchlint.model.weights.enumerated import within
from torchlint.model.weights.kept_states import collected, gone_through, is_of_many, loads_of_itself, met_again
from torchlint.model.weights.steps import changes_weights, same_module, swapped_inside, swaps_back
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_KEEPS = frozenset("load save return copy read".split())
_SNAPSHOT_WORDS = ("best", "init", "orig", "prev", "old", "backup", "saved", "snap", "start", "last", "before")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state_dict() that is kept. kind: "default" (past a step), "swap" or "kept" (on an attribute). span: where it is
    called. changed: what writes into the tensors, changed_by its name; used: who takes the state afterwards, used_by
    its name. holder: the attribute that keeps it."""

    kind: str
    span: Span
    symbol: str
    used: Span
    used_by: str
    changed: Span | None = None
    changed_by: str = ""
    holder: str = ""


@dataclass(frozen=True, slots=True)
class _Stored:
    """An attribute of the object that keeps the state, in the fields of a record where it is one; the event that stores
    it, and where that stands. is_collected: the states of other calls are kept beside it."""

    name: str
    event: Event
    frame: Frame
    fields: frozenset[str]
    is_collected: bool


def snapshots(frame: Frame) -> Iterator[Snapshot]:
    """The states that a function takes and that are not what they were when they are used."""
    for birth in births(frame):
        found = _kept_past_a_step(birth, frame) or _kept_past_a_swap(birth, frame)
        if found is not None:
            yield found
        elif birth.term.place == _place_of(birth) and frame.view is not None:
            yield from _kept_on_self(birth, frame, frame.view)


def _place_of(birth: Birth) -> tuple[int, int, int, int]:
    return birth.span.line, birth.span.column, birth.span.end_line, birth.span.end_column


# In one function


def _kept_past_a_step(birth: Birth, frame: Frame) -> Snapshot | None:
    own = loads_of_itself(birth, frame)
    steps = [event for event in frame.function.events if changes_weights(event, frame, birth.module)]
    # A module that loads the state it gave is not changed by it.
    steps = [event for event in steps if id(event) not in own]
    steps.sort(key=_rank)
    for taken in _takers_here(birth, frame):
        if taken.kind in _KEEPS:
            step = _step_between(birth, taken, steps, frame)
            if step is not None:
                return _snapshot("default", birth, step, taken, frame)
    return _met_after_a_step(birth, steps, frame)


def _met_after_a_step(birth: Birth, steps: list[Event], frame: Frame) -> Snapshot | None:
    """The state before a step that is compared with that after it, and the states of several rounds."""
    for taken in (*met_again(birth, frame, birth.term), *collected(birth, frame)) if steps else ():
        step = _step_between(birth, taken, steps, frame)
        if step is not None:
            return _snapshot("default", birth, step, taken, frame)
    return None


def _takers_here(birth: Birth, frame: Frame) -> Iterator[Taken]:
    """Who takes the state in this function, also from an attribute that it was stored on."""
    yield from takers(birth.term, frame)
    for stored in _stores_in(birth.term, frame):
        yield from _takers_of_attribute(stored, frame)
        yield from _takers_in_own_methods(stored, frame)


def _takers_in_own_methods(stored: _Stored, frame: Frame) -> Iterator[Taken]:
    """The calls of methods of the same object that load or save the attribute."""
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        callee = call.callee if isinstance(call, Call) else None
        if not isinstance(callee, Attribute) or not frame.is_self(callee.base) or frame.view is None or call is None:
            continue
        method = frame.view.method(callee.name)
        if method is None or method is frame.function.definition:
            continue
        kinds = [taken.kind for taken in _takers_of_attribute(stored, frame.view.frame(method))]
        yield from (Taken(kind, event, call) for kind in kinds if kind in ("load", "save"))


def _rank(event: Event) -> int:
    """A step explains more than a helper or the backward() before it, and those more than a state that is loaded."""
    name = last_name(event.term) if isinstance(event, Evaluated) else ""
    ranks = {"step": 0, "backward": 2, "manual_backward": 2, "load_state_dict": 3}
    return ranks.get(name, 1)


def _snapshot(kind: str, birth: Birth, step: Event, taken: Taken, frame: Frame) -> Snapshot:
    used = _span_of(taken.event, frame)
    return Snapshot(kind, birth.span, birth.symbol, used, _name(taken.event), _span_of(step, frame), _name(step))


def _name(event: Event) -> str:
    """What an event is, in words: "load_state_dict()", "the return"."""
    if not isinstance(event, Evaluated):
        return "the return"
    name = last_name(event.term)
    return "the training step" if "backward" in name else f"{name}()" if name else "the computation"


def _span_of(event: Event, frame: Frame) -> Span:
    place = event.term.place if isinstance(event, Evaluated) else getattr(event, "place", (1, 1, 1, 1))
    return frame.span(place)


def _step_between(birth: Birth, taken: Taken, steps: list[Event], frame: Frame) -> Event | None:
    """The step that runs after the state was taken and before it is used; in a loop also one that stands above."""
    order = {id(event): number for number, event in enumerate(frame.function.events)}
    born, used = order[id(birth.event)], order[id(taken.event)]
    for step in steps:
        if step is taken.event or _exclude(step, birth.event) or _exclude(step, taken.event):
            continue
        if born < order[id(step)] < used:
            return step
        if taken.kind in ("read", "met"):
            continue
        if used < order[id(step)] and _starts_again(birth, taken, step, frame):
            return step
        loop = _loop_left(birth, taken.event, step, frame)
        if loop is not None and (order[id(step)] > born or _is_chosen(birth, loop, frame)):
            return step
    return None


def _starts_again(birth: Birth, taken: Taken, step: Event, frame: Frame) -> bool:
    """True where each round of a loop begins with the state that was taken before it, and then takes the step: from the
    second round on it is what the first one left."""
    again = [loop for loop in _loops(taken.event) if loop in _loops(step) and loop not in _loops(birth.event)]
    call = taken.term
    if not again or not isinstance(call, Call):
        return False
    if taken.kind == "copy":
        # load_state_dict(deepcopy(start)): what is copied has changed already.
        return any(call in other.inputs and _is_into(other, birth) for other in frame.function.calls)
    return taken.kind == "load" and _is_into(call, birth)


def _is_into(call: Call, birth: Birth) -> bool:
    """True for a call that loads into the module that the state came from."""
    into = (call.callee.base,) if isinstance(call.callee, Attribute) else ()
    return any(same_module(one, birth.module) for one in (*into, *call.inputs))


def _exclude(one: Event, other: Event) -> bool:
    """True where two events stand in branches of one condition of which only one runs."""
    return any(a.subject is b.subject and a.holds != b.holds for a in one.guards() for b in other.guards())


def _loops(event: Event) -> tuple[Region, ...]:
    return tuple(region for region in event.regions if region.kind is RegionKind.LOOP)


def _loop_left(birth: Birth, used: Event, step: Event, frame: Frame) -> Region | None:
    """The loop that holds the birth and the step, and that is over when the state is used; None where each round has
    a module of its own."""
    outside = _loops(used)
    for loop in _loops(birth.event):
        if not any(loop is one for one in outside) and any(loop is one for one in _loops(step)):
            return None if _is_made_in(birth.module, loop, frame) else loop
    return None


def _is_made_in(module: Term | None, loop: Region, frame: Frame) -> bool:
    if module is None:
        return False
    parts = list(within(module))
    if any(isinstance(part, Element) and part.iterable is loop.subject for part in parts):
        return True
    calls = {id(part) for part in parts if isinstance(part, Call)}
    events = (event for event in frame.function.events if isinstance(event, Evaluated) and id(event.term) in calls)
    return any(loop is one for event in events for one in _loops(event))


def _is_chosen(birth: Birth, loop: Region, frame: Frame) -> bool:
    """True where not every round keeps its state, or all of them are kept: the last round's is not the one used."""
    regions = birth.event.regions
    inside = regions[: next((i for i, region in enumerate(regions) if region is loop), 0)]
    if any(region.kind is RegionKind.GUARD for region in inside):
        return True
    return carriers(birth.term, frame).is_collected


def _kept_past_a_swap(birth: Birth, frame: Frame) -> Snapshot | None:
    """state_dict() under averaged weights, the raw ones copied back, and only then saved."""
    events = frame.function.events
    order = {id(event): number for number, event in enumerate(events)}
    managers = swapped_inside(birth.event, frame)
    for taken in takers(birth.term, frame):
        if taken.kind not in _KEEPS:
            continue
        left = [one for one in managers if all(one is not region for region in taken.event.regions)]
        if left and isinstance(left[0], Region):
            return _snapshot("swap", birth, Evaluated(None, left[0].subject), taken, frame)
        for event in events[order[id(birth.event)] : order[id(taken.event)]]:
            if swaps_back(event, frame) and not _exclude(event, taken.event) and not _exclude(event, birth.event):
                return _snapshot("swap", birth, event, taken, frame)
    return None


# On an attribute


def _kept_on_self(birth: Birth, frame: Frame, view: ModuleClass) -> Iterator[Snapshot]:
    """The attributes that keep the state, stored here or by a method that this one returns it to."""
    for stored in _stores(birth, frame, view):
        used = _used_later(stored, birth, view)
        if used is not None:
            yield Snapshot("kept", birth.span, birth.symbol, *used, holder=stored.name)
            return


def _stores(birth: Birth, frame: Frame, view: ModuleClass) -> Iterator[_Stored]:
    yield from _stores_in(birth.term, frame)
    if not any(taken.kind == "return" for taken in takers(birth.term, frame)):
        return
    for method in view.methods:
        caller = view.frame(method)
        for event in method.events:
            call = event.term if isinstance(event, Evaluated) else None
            callee = call.callee if isinstance(call, Call) else None
            is_own = isinstance(callee, Attribute) and caller.is_self(callee.base)
            if call is not None and is_own and view.method(last_name(call)) is frame.function.definition:
                yield from _stores_in(call, caller)


def _stores_in(term: Term, frame: Frame) -> Iterator[_Stored]:
    """The attributes of the object that a function lets keep `term`, itself or inside a container or a record."""
    carried = carriers(term, frame)
    fields = frozenset(carried.fields)
    for event in frame.function.events:
        for holder in _holders(event, carried.terms, frame):
            if isinstance(holder, Attribute) and frame.is_self(holder.base):
                yield _Stored(holder.name, event, frame, fields, carried.is_collected)


def _holders(event: Event, carried: dict[int, Term], frame: Frame) -> Iterator[Term]:
    """What an event puts a carrier into: self.best, also of `self.best.weights = state` and `self.hall.add(state)`."""
    if isinstance(event, Write) and id(event.value) in carried and isinstance(event.attribute, str):
        is_own = frame.is_self(event.base)
        yield Attribute(event.place, event.base, event.attribute) if is_own else event.base
    elif isinstance(event, ItemWrite) and id(event.value) in carried:
        yield event.base
    elif isinstance(event, Evaluated) and isinstance(event.term, Call):
        holder = event.term.callee.base if isinstance(event.term.callee, Attribute) else None
        if holder is not None and id(holder) in carried and any(id(one) in carried for one in event.term.inputs):
            yield holder


def _used_later(stored: _Stored, birth: Birth, view: ModuleClass) -> tuple[Span, str] | None:
    """Where the attribute is loaded or saved, in another call than the one that stored it."""
    name, store, storing = stored.name, stored.event, stored.frame
    chosen = bool(store.guards()) or any(word in name.lower() for word in _SNAPSHOT_WORDS)
    at_once = {id(moment.frame.function) for moment in view.walk_frame(storing)}
    order = {id(event): number for number, event in enumerate(storing.function.events)}
    is_many = stored.is_collected and not is_of_many(birth, storing, view)
    for method in view.methods:
        frame = view.frame(method)
        for taken in (*_takers_of_attribute(stored, frame), *_met_on_attribute(stored, birth, frame)):
            if method is storing.function:
                is_later = _exclude(store, taken.event) or order[id(taken.event)] < order[id(store)]
            else:
                is_later = id(method) not in at_once
            if is_later and _is_restored(taken, birth, chosen):
                return _span_of(taken.event, frame), _name(taken.event)
        read = gone_through(name, frame) if id(method) not in at_once and is_many else None
        if read is not None:
            return _span_of(read, frame), f"{method.name}()"
    return _used_outside(name, chosen, view)


def _takers_of_attribute(stored: _Stored, frame: Frame) -> Iterator[Taken]:
    for event in frame.function.events:
        term = event.term if isinstance(event, Evaluated) else None
        if isinstance(term, Attribute) and term.name == stored.name and frame.is_self(term.base):
            yield from takers(term, frame, stored.fields)


def _met_on_attribute(stored: _Stored, birth: Birth, frame: Frame) -> Iterator[Taken]:
    for event in frame.function.events:
        term = event.term if isinstance(event, Evaluated) else None
        if isinstance(term, Attribute) and term.name == stored.name and frame.is_self(term.base):
            yield from met_again(birth, frame, term, stored.fields)


def _is_restored(taken: Taken, birth: Birth, chosen: bool) -> bool:
    """Loaded into the module that it came from, or kept as a choice and then loaded, saved or handed out."""
    if taken.kind == "load" and isinstance(taken.term, Call) and isinstance(taken.term.callee, Attribute):
        return chosen or same_module(taken.term.callee.base, birth.module)
    return taken.kind in ("save", "load", "met") or (taken.kind == "return" and chosen)


def _used_outside(name: str, chosen: bool, view: ModuleClass) -> tuple[Span, str] | None:
    """Where a function of the same file loads or saves the attribute of such an object."""
    for frame in view.project.functions_in(view.path):
        for event in frame.function.events:
            call = event.term if isinstance(event, Evaluated) else None
            if not isinstance(call, Call) or not (chosen and _takes(call)):
                continue
            for given in call.inputs:
                if isinstance(given, Attribute) and given.name == name and _may_be(given.base, frame, view):
                    return frame.span(call.place), _name(event)
    return None


def _takes(call: Call) -> bool:
    return last_name(call) in ("load_state_dict", "save")


def _may_be(term: Term, frame: Frame, view: ModuleClass) -> bool:
    """True for a value that is of the class, or of which nothing is known."""
    if frame.is_self(term):
        return False
    held = frame.value(term).of
    return held is None or held is view
