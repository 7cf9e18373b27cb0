"""What forward leaves on the module for its next call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Write
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.flow.timeline import timeline
from torchlint.model.flow.uses import Use, parents_in
from torchlint.model.frames import Frame, Moment, last_name, name_written
from torchlint.model.terms import (
    Attribute,
    Call,
    Choice,
    Global,
    Imported,
    Item,
    Operation,
    Place,
    Term,
    children,
    mentions,
)
from torchlint.model.unregistered.leftovers import mentions_attribute
from torchlint.model.values import Kind, Source, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# What is read of a tensor without its graph.
CUTS = frozenset("detach data item tolist numpy shape device dtype".split())
JOINS = frozenset("cat concat concatenate stack hstack vstack".split())
_COLLECTIONS = ("list", "dict")
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
class Store:
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
    reads. A training step is called again and again as well."""
    if module.state.registers_itself:
        return
    walk = module.walk("forward")
    for name, stores in _stores(walk).items():
        if module.state.registration(name) is None:
            yield from _carried(module, name, stores, walk)
    if module.method("training_step") is not None:
        yield from _carried_by_step(module, {id(moment.frame.function) for moment in walk})


def _carried_by_step(module: ModuleClass, judged: set[int]) -> Iterator[Carried]:
    """What every training step stores and the next one reads."""
    walk = module.walk("training_step")
    for name, stores in _stores(walk).items():
        certain = [s for s in stores if not s.moment.guards() and id(s.moment.frame.function) not in judged]
        if certain and module.state.registration(name) is None:
            found = _carried(module, name, certain, walk, entry="training_step")
            yield from (one for one in found if one.read is not None)


def _stores(walk: tuple[Moment, ...]) -> dict[str, list[Store]]:
    found: dict[str, list[Store]] = {}
    for moment in walk:
        store = store_of(moment)
        if store is not None:
            found.setdefault(store.name, []).append(store)
    return found


def store_of(moment: Moment) -> Store | None:
    """The store that an event is: self.x = value, self.x.append(value)."""
    event, frame = moment.event, moment.frame
    name = name_written(event, frame) if isinstance(event, Write) and frame.is_self(event.base) else ""
    if isinstance(event, Write) and name:
        return Store(name, event.base, event.value, moment, event.place)
    call = event.term if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    callee = call.callee if call is not None else None
    if call is None or not isinstance(callee, Attribute) or callee.name not in _GROWS or len(call.arguments) != 1:
        return None
    kept = callee.base
    if isinstance(kept, Attribute) and kept.known is None and frame.is_self(kept.base):
        return Store(kept.name, kept.base, call.arguments[0], moment, call.place, grows=True)
    return None


def _carried(
    module: ModuleClass, name: str, stores: list[Store], walk: tuple[Moment, ...], entry: str = "forward"
) -> Iterator[Carried]:
    attached = [store for store in stores if keeps_graph(module, store)]
    if not attached:
        return
    grows = any(_accumulates(module, store) for store in attached)
    read = _read_back(module, name, entry)
    is_read = bool(module.state.reads(name))
    for store in attached:
        is_record = not is_read and _is_kept_for_others(store)
        if (read is not None and _is_carried(module, store, walk, grows=grows)) or is_record:
            yield described(module, store, read, grows=grows)


def _is_kept_for_others(store: Store) -> bool:
    """True for a tensor that is put on the object for whoever looks at it; the reads may be written as the store is."""
    known = store.known
    return known.kind is not Kind.UNKNOWN and known.made_by not in _COLLECTIONS and not _is_unseen(store)


def _is_unseen(store: Store) -> bool:
    """True for a store in the object's own dict, whose reads may be written in the same way."""
    return isinstance(store.moment.event, Write) and store.moment.event.unseen


def _is_carried(module: ModuleClass, store: Store, walk: tuple[Moment, ...], *, grows: bool) -> bool:
    """A store may be guarded (a cache, TL104) or reset. That a reset of construction can be called again keeps no graph
    from growing."""
    if store.grows and _is_emptied(module, store.name):
        return False
    if grows:
        return not _begins_anew(module, store.name, walk)
    return not (is_guarded(store.moment) or is_reset(module, store.name, walk))


def _is_emptied(module: ModuleClass, name: str) -> bool:
    """True where a method takes out of the list what lies there."""
    return any(
        isinstance(parent, Attribute) and parent.name in _SHRINKS
        for read in module.state.reads(name)
        for parent in parents_in(read.frame.function).get(id(_term(read)), ())
    )


def _term(read: Moment) -> Term | None:
    return read.event.term if isinstance(read.event, Evaluated) else None


def described(module: ModuleClass, store: Store, read: Span | None, *, grows: bool) -> Carried:
    method, frame = store.moment.frame.method, store.moment.frame
    symbol = f"{method.owner or module.facts.qualname}.{store.name}"
    return Carried(store.name, symbol, frame.span(store.place), method.name, read, grows)


def keeps_graph(module: ModuleClass, store: Store) -> bool:
    """True where autograd records what is stored: computed from learned state, not detached, gradients on."""
    value = store.known
    parts = _parts(value)
    return (
        (value.kind is Kind.TENSOR or _is_attached(parts) or _may_be_attached(module, store))
        and _brings_graph(store.value, store)
        and not value.is_integral
        and (_is_learned(module, value) or _is_of_layers_before(module, store))
        and not grad_is_off(store.moment, module.project.evaluator)
    )


def _may_be_attached(module: ModuleClass, store: Store) -> bool:
    """True for what is not known, as it comes from a network that nothing is known of; not for what may be the last
    value again."""
    value = store.known
    is_old = Source(id(module), "plain", store.name) in value.sources
    return value.kind is Kind.UNKNOWN and not is_old and not mentions(store.value, CUTS)


def _is_attached(parts: tuple[TensorValue, ...]) -> bool:
    """True for tensors of which some have a graph."""
    return all(part.kind is Kind.TENSOR for part in parts) and any(not part.detached for part in parts)


def _parts(value: TensorValue) -> tuple[TensorValue, ...]:
    """What a tuple, list or dict holds that is written out."""
    if value.kind is not Kind.CONTAINER or value.made_by not in (None, "tuple", *_COLLECTIONS):
        return ()
    return value.items or ((value.element,) if value.element is not None else ())


def _brings_graph(term: Term, store: Store) -> bool:
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


def _is_of_layers_before(module: ModuleClass, store: Store) -> bool:
    """True for a value computed from a tensor that the module was given, which has the graph of the layers before, or
    by a network that it was handed; not for an average of what was seen, that a checkpoint is to have (TL122)."""
    value = store.known
    if Source(id(module), "plain", store.name) in value.sources:
        return False
    is_given = value.kind is Kind.TENSOR and any(source.kind == "argument" for source in value.sources)
    return is_given or _is_of_some_network(store.value, store.moment.frame)


def _is_of_some_network(term: Term, frame: Frame) -> bool:
    """True for what an attribute of the object gives that is called with something: a network that it was handed."""
    while isinstance(term, Item):
        term = term.base
    callee = term.callee if isinstance(term, Call) and term.inputs else None
    is_own = isinstance(callee, Attribute) and frame.is_self(callee.base)
    return isinstance(callee, Attribute) and is_own and frame.value(callee).kind is Kind.UNKNOWN


def _accumulates(module: ModuleClass, store: Store) -> bool:
    """True where the new value is computed from the old one, other than by joining pieces to it as key-value caches
    do."""
    if Source(id(module), "plain", store.name) not in store.known.sources:
        return False
    return not _is_joined(store.value, store.base, store.name)


def _is_joined(term: Term, base: Term, name: str, depth: int = 8) -> bool:
    """True where `base.name` is a piece of a torch.cat in `term`."""
    if isinstance(term, Call) and isinstance(term.callee, Imported) and term.callee.name.rpartition(".")[2] in JOINS:
        return any(mentions_attribute(part, base, name) for part in term.inputs)
    return depth > 0 and any(_is_joined(part, base, name, depth - 1) for part in children(term))


def is_guarded(moment: Moment) -> bool:
    """True where a test of the object's own state, other than `training`, decides on the store."""
    return any(_tests_state(region.subject, frame) for region, frame in moment.guards())


def _tests_state(term: Term, frame: Frame, depth: int = 8) -> bool:
    if isinstance(term, Attribute) and frame.is_self(term.base):
        return term.name != "training"
    if isinstance(term, Call) and isinstance(term.callee, Global) and term.callee.name in ("getattr", "hasattr"):
        return bool(term.arguments) and frame.is_self(term.arguments[0])
    return depth > 0 and any(_tests_state(part, frame, depth - 1) for part in children(term))


def _begins_anew(module: ModuleClass, name: str, walk: tuple[Moment, ...]) -> bool:
    """True where the owner says when a sequence begins: by a method that only puts the attribute back and that
    construction does not run, or that something else runs as well."""
    resets = [m.frame.function for m in _resets(module, name, walk) if not _reworks(m)]
    if any(id(function) not in module.construction_functions for function in resets):
        return True
    if module.project.owners.may_assign(module.path, name):
        return True
    callers = (call for function in resets for call in callers_of(module.frame(function)))
    return any(call.frame.view is None or not call.frame.view.is_module for call in callers)


def is_reset(module: ModuleClass, name: str, walk: tuple[Moment, ...]) -> bool:
    """True where something other than __init__ puts the attribute back: a method that forward does not reach, a None
    (also by forward itself, when it has used the value), or an owner that assigns it from outside."""
    is_put_back = any(True for _ in _resets(module, name, walk))
    return is_put_back or module.project.owners.may_assign(module.path, name)


def _reworks(moment: Moment) -> bool:
    event = moment.event
    return isinstance(event, Write) and mentions_attribute(event.value, event.base, str(event.attribute))


def _resets(module: ModuleClass, name: str, walk: tuple[Moment, ...]) -> Iterator[Moment]:
    """The writes of other methods, and those of None."""
    reached = {id(moment.frame.function) for moment in walk}
    for moment in module.state.writes(name):
        event = moment.event
        if moment.frame.method.name == "__init__" or not isinstance(event, Write):
            continue
        if id(moment.frame.function) not in reached or moment.frame.value(event.value).kind is Kind.NONE:
            yield moment


def _read_back(module: ModuleClass, name: str, entry: str) -> Span | None:
    """The first read in a call that sees what an earlier call stored: no store of this call comes before it, also none
    of a loop, which is taken to run."""
    for moment in timeline(module, module.frame(module.method(entry))):  # type: ignore[arg-type]
        event, frame = moment.event, moment.frame
        is_store = isinstance(event, Write) and event.attribute == name and frame.is_self(event.base)
        if is_store and not moment.guards():
            return None
        if isinstance(event, Evaluated) and is_read(event.term, name, frame):
            uses = module.project.uses.of(event.term, frame.function)
            if Use.COMPUTES in uses and _is_looked_into(event.term, frame):
                return frame.span(event.term.place)
    return None


def is_read(term: Term, name: str, frame: Frame) -> bool:
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
    return name in JOINS and name != "stack"
