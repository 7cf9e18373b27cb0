"""What forward leaves on the module for its next call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, RegionKind, Write
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.leftovers import mentions_attribute
from torchlint.model.regions import grad_is_off
from torchlint.model.terms import Attribute, Call, Choice, Global, Imported, Operation, Place, Term, children
from torchlint.model.timeline import timeline
from torchlint.model.uses import Use, parents_in
from torchlint.model.values import Kind, Source, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_JOINS = frozenset("cat concat concatenate stack hstack vstack".split())
_GROWS = frozenset(("append", "appendleft"))
_SHRINKS = frozenset(("clear", "pop", "popleft"))


@dataclass(frozen=True, slots=True)
class Carried:
    """A tensor with a graph that forward stores on a plain attribute.

    read: where a later call reads it back, None for a record that no method of the class reads. accumulates: it is
    computed from
    its own last value, so that the graph grows with each call.
    """

    attribute: str
    symbol: str
    span: Span
    writer: str
    read: Span | None
    accumulates: bool


@dataclass(frozen=True, slots=True)
class _Store:
    """What forward puts on the object. base: the object. grows: it is added to a list that lies there."""

    name: str
    base: Term
    value: Term
    moment: Moment
    place: Place
    grows: bool = False

    @property
    def known(self) -> TensorValue:
        """What is known of the value."""
        return self.moment.frame.value(self.value)


def carried_tensors(module: ModuleClass) -> Iterator[Carried]:
    """The stores of forward, and of what it reaches, that a later call reads back; then the records that nothing
    reads."""
    walk = module.walk("forward")
    found: dict[str, list[_Store]] = {}
    for moment in walk:
        store = _store(moment)
        if store is not None:
            found.setdefault(store.name, []).append(store)
    for name, stores in found.items():
        if module.state.registration(name) is None and not module.state.registers_itself:
            yield from _carried(module, name, stores, walk)


def _store(moment: Moment) -> _Store | None:
    """The store that an event is: self.x = value, self.x.append(value)."""
    event, frame = moment.event, moment.frame
    if isinstance(event, Write) and isinstance(event.attribute, str) and frame.is_self(event.base):
        return _Store(event.attribute, event.base, event.value, moment, event.place)
    call = event.term if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    callee = call.callee if call is not None else None
    if call is None or not isinstance(callee, Attribute) or callee.name not in _GROWS or len(call.arguments) != 1:
        return None
    kept = callee.base
    if isinstance(kept, Attribute) and kept.known is None and frame.is_self(kept.base):
        return _Store(kept.name, kept.base, call.arguments[0], moment, call.place, grows=True)
    return None


def _carried(module: ModuleClass, name: str, stores: list[_Store], walk: tuple[Moment, ...]) -> Iterator[Carried]:
    attached = [store for store in stores if _keeps_graph(module, store)]
    if not attached:
        return
    grows = any(_accumulates(module, store) for store in attached)
    read = _read_back(module, name)
    is_read = bool(module.state.reads(name))
    for store in attached:
        if (read is not None and _is_carried(module, store, walk, grows=grows)) or not is_read:
            yield _described(module, store, read, grows=grows)


def _is_carried(module: ModuleClass, store: _Store, walk: tuple[Moment, ...], *, grows: bool) -> bool:
    """A growing graph is a fault with a reset or without; any other store may be guarded (a cache, TL104) or reset."""
    if store.grows and _is_emptied(module, store.name):
        return False
    return grows or not (_is_guarded(store.moment) or _is_reset(module, store.name, walk))


def _is_emptied(module: ModuleClass, name: str) -> bool:
    """True where a method takes out of the list what lies there."""
    return any(
        isinstance(parent, Attribute) and parent.name in _SHRINKS
        for read in module.state.reads(name)
        for parent in parents_in(read.frame.function).get(id(_term(read)), ())
    )


def _term(read: Moment) -> Term | None:
    return read.event.term if isinstance(read.event, Evaluated) else None


def _described(module: ModuleClass, store: _Store, read: Span | None, *, grows: bool) -> Carried:
    method, frame = store.moment.frame.method, store.moment.frame
    symbol = f"{method.owner or module.facts.qualname}.{store.name}"
    return Carried(store.name, symbol, frame.span(store.place), method.name, read, grows)


def _keeps_graph(module: ModuleClass, store: _Store) -> bool:
    """True where autograd records what is stored: computed from learned state, not detached, gradients on."""
    value = store.known
    parts = value.items if value.kind is Kind.CONTAINER and value.made_by in (None, "tuple") else None
    return (
        (value.kind is Kind.TENSOR or (bool(parts) and all(part.kind is Kind.TENSOR for part in parts or ())))
        and _brings_graph(store.value, store)
        and not value.is_integral
        and _is_learned(module, value)
        and not grad_is_off(store.moment, module.project.evaluator)
    )


def _brings_graph(term: Term, store: _Store) -> bool:
    """True where something other than the attribute's own last value, which is as its first one was, has a graph."""
    if isinstance(term, Operation):
        return any(_brings_graph(part, store) for part in term.parts)
    if isinstance(term, Choice):
        return any(_brings_graph(option, store) for option in term.options)
    if isinstance(term, Attribute) and term.known is None and term.name == store.name and term.base == store.base:
        return False
    value = store.moment.frame.value(term)
    return not value.detached and value.kind not in (Kind.NUMBER, Kind.NONE)


def _is_learned(module: ModuleClass, value: TensorValue) -> bool:
    return any(source.owner == id(module) and source.kind == "state" for source in value.sources)


def _accumulates(module: ModuleClass, store: _Store) -> bool:
    """True where the new value is computed from the old one, other than by joining pieces to it as key-value caches
    do."""
    if Source(id(module), "plain", store.name) not in store.known.sources:
        return False
    return not _is_joined(store.value, store.base, store.name)


def _is_joined(term: Term, base: Term, name: str, depth: int = 8) -> bool:
    """True where `base.name` is a piece of a torch.cat in `term`."""
    if isinstance(term, Call) and isinstance(term.callee, Imported) and term.callee.name.rpartition(".")[2] in _JOINS:
        return any(mentions_attribute(part, base, name) for part in term.inputs)
    return depth > 0 and any(_is_joined(part, base, name, depth - 1) for part in children(term))


def _is_guarded(moment: Moment) -> bool:
    """True where a test of the object's own state, other than `training`, decides on the store."""
    return any(_tests_state(region.subject, frame) for region, frame in moment.guards())


def _tests_state(term: Term, frame: Frame, depth: int = 8) -> bool:
    if isinstance(term, Attribute) and frame.is_self(term.base):
        return term.name != "training"
    if isinstance(term, Call) and isinstance(term.callee, Global) and term.callee.name in ("getattr", "hasattr"):
        return bool(term.arguments) and frame.is_self(term.arguments[0])
    return depth > 0 and any(_tests_state(part, frame, depth - 1) for part in children(term))


def _is_reset(module: ModuleClass, name: str, walk: tuple[Moment, ...]) -> bool:
    """True where something other than __init__ puts the attribute back: a method that forward does not reach, a None
    (also by forward itself, when it has used the value), or an owner that assigns it from outside."""
    reached = {id(moment.frame.function) for moment in walk}
    for moment in module.state.writes(name):
        event = moment.event
        if moment.frame.method.name == "__init__" or not isinstance(event, Write):
            continue
        if id(moment.frame.function) not in reached or moment.frame.value(event.value).kind is Kind.NONE:
            return True
    return name in module.project.assigned_from_outside(module.path)


def _read_back(module: ModuleClass, name: str) -> Span | None:
    """The first read in a call of forward that sees what an earlier call stored: no store of this call comes before
    it."""
    for moment in timeline(module, module.frame(module.method("forward"))):  # type: ignore[arg-type]
        event, frame = moment.event, moment.frame
        is_store = isinstance(event, Write) and event.attribute == name and frame.is_self(event.base)
        if is_store and not moment.guards() and not _in_loop(moment):
            return None
        if isinstance(event, Evaluated) and _is_read(event.term, name, frame):
            uses = module.project.uses.of(event.term, frame.function)
            if Use.COMPUTES in uses and _is_looked_into(event.term, frame):
                return frame.span(event.term.place)
    return None


def _is_read(term: Term, name: str, frame: Frame) -> bool:
    """True for a read of the attribute that may see what an earlier call stored."""
    return isinstance(term, Attribute) and term.name == name and term.known is None and frame.is_self(term.base)


def _is_looked_into(term: Term, frame: Frame) -> bool:
    """False for a list that is only added to, or whose pieces are joined as key-value caches are."""
    return any(
        not (isinstance(parent, Attribute) and parent.name in _GROWS)
        and not (isinstance(parent, Call) and _joins(parent, frame))
        for parent in parents_in(frame.function).get(id(term), ())
    )


def _joins(call: Call, frame: Frame) -> bool:
    """True for torch.cat(x), and torch.cat(list(x))."""
    name = last_name(call)
    if name in ("list", "tuple"):
        users = parents_in(frame.function).get(id(call), ())
        return bool(users) and all(isinstance(user, Call) and _joins(user, frame) for user in users)
    return name in _JOINS and name != "stack"


def _in_loop(moment: Moment) -> bool:
    return any(region.kind is RegionKind.LOOP for region in moment.event.regions)
