"""What forward leaves for its next call under a key of a dict: self.memory["hidden"] = h, self.memory[layer] = h."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, ItemWrite, RegionKind, Write
from torchlint.model.flow.timeline import timeline
from torchlint.model.flow.uses import Use, parents_in
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Attribute, Call, Constant, Subscript, Term
from torchlint.model.unregistered.carried import JOINS, Carried, Store, described, is_guarded, keeps_graph
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import within

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_EMPTYING = frozenset("clear pop popitem".split())
_Slot = tuple[str, object]
# The key of a slot of which only the program that runs knows which it is.
_SOME_KEY = object()


def carried_items(module: ModuleClass) -> Iterator[Carried]:
    """The tensors with a graph that forward puts into a dict of the object, and that a later call takes out."""
    forward = module.method("forward")
    if forward is None or module.state.registers_itself:
        return
    stores = [found for moment in module.walk("forward") for found in _stores(moment)]
    if not stores:
        return
    happening = timeline(module, module.frame(forward))
    for slot, store in stores:
        if module.state.registration(store.name) is not None or is_guarded(store.moment):
            continue
        if not keeps_graph(module, store) or _is_put_back(module, store.name):
            continue
        if slot[1] is _SOME_KEY and not _is_of_a_container(module, store):
            continue
        read = _read_back(module, slot, happening)
        if read is not None:
            frame = read.frame
            assert isinstance(read.event, Evaluated)
            yield described(module, store, frame.span(read.event.term.place), grows=False)


def _stores(moment: Moment) -> Iterator[tuple[_Slot, Store]]:
    """The stores that an event is: self.name[key] = value, self.name.update(key=value)."""
    event, frame = moment.event, moment.frame
    if isinstance(event, ItemWrite) and event.operator == "=" and _is_slot(event.base, event.index, frame):
        assert isinstance(event.base, Attribute)
        kept, key = event.base, _key_of(event.index)
        # What lies in the object's own dict is an attribute.
        name = str(key) if kept.name == "__dict__" else kept.name
        yield (kept.name, key), Store(name, kept.base, event.value, moment, event.place)
    call = event.term if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    callee = call.callee if call is not None else None
    if call is None or not isinstance(callee, Attribute) or callee.name != "update":
        return
    kept = callee.base  # type: ignore[assignment]
    if isinstance(kept, Attribute) and frame.is_self(kept.base):
        for key, term in call.keywords:
            yield (kept.name, key), Store(kept.name, kept.base, term, moment, call.place)


def _is_slot(base: Term, key: Term, frame: Frame) -> bool:
    is_own = isinstance(base, Attribute) and base.name == "__dict__"
    return isinstance(base, Attribute) and frame.is_self(base.base) and (isinstance(key, Constant) or not is_own)


def _key_of(index: Term) -> object:
    return index.value if isinstance(index, Constant) else _SOME_KEY


def _is_of_a_container(module: ModuleClass, store: Store) -> bool:
    """True for a dict or list, and not for a tensor that is filled in place, nor for the pieces of a sequence that are
    joined to what lies there, as key-value caches do."""
    if module.state.value(store.name).kind is not Kind.CONTAINER:
        return False
    frame = store.moment.frame
    joins = (part for part in within(store.value) if isinstance(part, Call) and last_name(part) in JOINS)
    held = (part for join in joins for part in within(join) if isinstance(part, Attribute))
    return not any(
        isinstance(part, Attribute) and part.name == store.name and frame.is_self(part.base) for part in held
    )


def _read_back(module: ModuleClass, slot: _Slot, happening: tuple[Moment, ...]) -> Moment | None:
    """The first read of the slot in a call of forward, where no store of this call comes before it."""
    for moment in happening:
        is_certain = not moment.guards() and all(r.kind is not RegionKind.LOOP for r in moment.event.regions)
        # Of keys that are not known any may be the one.
        is_certain = is_certain or slot[1] is _SOME_KEY
        if is_certain and any(stored == slot for stored, _ in _stores(moment)):
            return None
        event = moment.event
        is_read = isinstance(event, Evaluated) and _reads(event.term, slot, moment.frame)
        if is_read and Use.COMPUTES in module.project.uses.of(event.term, moment.frame.function):  # type: ignore[attr-defined]
            return moment
    return None


def _reads(term: Term, slot: _Slot, frame: Frame) -> bool:
    """True for self.name[key] and self.name.get(key)."""
    if isinstance(term, Subscript):
        base, key = term.base, term.index
    elif isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "get" and term.arguments:
        base, key = term.callee.base, term.arguments[0]
    else:
        return False
    is_slot = isinstance(base, Attribute) and _is_slot(base, key, frame)
    return is_slot and (base.name, _key_of(key)) == slot  # type: ignore[attr-defined]


def _is_put_back(module: ModuleClass, name: str) -> bool:
    """True where the dict is emptied or replaced after construction: that code says how long the values live."""
    for moment in module.state.writes(name):
        event = moment.event
        if isinstance(event, Write) and not event.unseen and moment.frame.method.name != "__init__":
            return True
    for read in module.state.reads(name):
        term = read.event.term if isinstance(read.event, Evaluated) else None
        for parent in parents_in(read.frame.function).get(id(term), ()):
            if isinstance(parent, Attribute) and parent.name in _EMPTYING:
                return True
            if isinstance(parent, ItemWrite) and parent.operator == "del":
                return True
    return module.project.owners.may_assign(module.path, name)
