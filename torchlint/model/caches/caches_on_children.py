"""Caches that the mode change of one module leaves on its children: a network folds the kernels of its blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.caches.caches import StaleCache
from torchlint.model.classes import ModuleClass
from torchlint.model.events import Delete, Evaluated, ItemWrite, Write
from torchlint.model.flow.holders import holds_tensor
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.flow.timeline import timeline
from torchlint.model.flow.uses import Use
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.refresh import (
    Refresh,
    answers_conversion,
    answers_load,
    load_moments,
    runs_in_mode,
    touched_by,
)
from torchlint.model.terms import Attribute, Call, Display, Element, Item, Term
from torchlint.model.values import Kind, Source, TensorValue

_LOAD = "_load_from_state_dict"
_MODES = frozenset("train eval requires_grad_ to half float".split())
_OF_SELF = frozenset("modules children named_modules named_children".split())


@dataclass(frozen=True, slots=True)
class _Store:
    """An assignment to an attribute of a child. shown: how one says it: "blocks.*.folded"."""

    child: ModuleClass
    attribute: str
    shown: str
    moment: Moment
    value: TensorValue


def stale_caches_on_children(module: ModuleClass) -> Iterator[StaleCache]:
    """What train() or eval() of a class puts on its children, and some event leaves there."""
    switching = _happening(module, "train", "eval")
    for moment in switching:
        for store in _stores(moment) if runs_in_mode(moment) is not True else ():
            if store.child.state.registration(store.attribute) is not None:
                continue
            read = _read(store)
            missed = _missed(module, store, switching) if read is not None else ()
            if read is not None and missed:
                yield _described(store, read, missed)


def _happening(module: ModuleClass, *names: str) -> tuple[Moment, ...]:
    """Everything that happens when the methods run, calls on other objects included."""
    methods = (method for name in names if (method := module.method(name)) is not None)
    return tuple(moment for method in methods for moment in timeline(module, module.frame(method)))


def _stores(moment: Moment) -> Iterator[_Store]:
    """The stores of learned tensors on a child that an event makes: by itself, or by a method of the child."""
    event, frame = moment.event, moment.frame
    if isinstance(event, Write) and isinstance(event.attribute, str) and event.operator == "=":
        name = _child_name(event.base, frame)
        child = _class_of(event.base, moment) if name else None
        value = _seen_with(event.base, child, event.value, frame) if child is not None else None
        if child is not None and value is not None and _is_learned(value):
            yield _Store(child, event.attribute, f"{name}.{event.attribute}", moment, value)
    callee = _method_called(moment)
    name = _child_name(callee.base, frame) if callee is not None else ""
    child = _class_of(callee.base, moment) if callee is not None and name else None
    if callee is None or child is None or callee.name in _MODES:
        return
    for inner in _inside(child, callee.name):
        event, value = inner.event, None
        if isinstance(event, Write) and isinstance(event.attribute, str) and inner.frame.is_self(event.base):
            value = inner.frame.value(event.value)
        if isinstance(event, Write) and value is not None and _is_learned(value):
            yield _Store(child, str(event.attribute), f"{name}.{event.attribute}", inner, value)


def _is_learned(value: TensorValue) -> bool:
    return holds_tensor(value) and any(one.kind == "state" for one in value.sources | _element(value).sources)


def _method_called(moment: Moment) -> Attribute | None:
    """The callee of child.method(..)."""
    term = moment.event.term if isinstance(moment.event, Evaluated) else None
    callee = term.callee if isinstance(term, Call) else None
    return callee if isinstance(callee, Attribute) and not moment.frame.is_self(callee.base) else None


def _inside(child: ModuleClass, name: str) -> tuple[Moment, ...]:
    """What a method of the child does to it."""
    method = child.method(name)
    return child.walk_frame(child.frame(method)) if method is not None else ()


def _element(value: TensorValue) -> TensorValue:
    return value.element if value.element is not None else value


def _seen_with(base: Term, child: ModuleClass, term: Term, frame: Frame) -> TensorValue:
    """What `term` is where `base` is an object of the class."""
    inner = Frame(frame.evaluator, frame.function, frame.view, frame.arguments, frame.outer, frame.depth)
    sources = frozenset({Source(id(frame.view), "state", "children")})
    inner.memo[id(base)] = TensorValue(Kind.MODULE, of=child, made_by="instance", sources=sources)
    return inner.value(term)


def _child_name(term: Term, frame: Frame) -> str:
    """What a child is called: "layer", "blocks.*" and "*" for one of several; "" for what is no child of the object."""
    if isinstance(term, Attribute):
        return term.name if frame.is_self(term.base) and frame.value(term).kind is Kind.MODULE else ""
    iterable: Term | None = term.iterable if isinstance(term, Element) else None
    if isinstance(term, Item) and term.index == 1 and isinstance(term.base, Element):
        # for name, child in self.named_modules()
        iterable = term.base.iterable
    if isinstance(iterable, Call) and isinstance(iterable.callee, Attribute):
        callee = iterable.callee
        if callee.name in _OF_SELF and frame.is_self(callee.base):
            return "*"
        iterable = callee.base
    if isinstance(iterable, Attribute) and frame.is_self(iterable.base):
        return f"{iterable.name}.*" if frame.value(iterable).kind is Kind.MODULE else ""
    return ""


def _class_of(term: Term, moment: Moment) -> ModuleClass | None:
    """The class of a child: the one that a test around asks for, or the only one that is known to be there."""
    names = moment.frame.evaluator.project.names
    for region, frame in moment.guards():
        test = region.subject
        if not region.holds or not isinstance(test, Call) or last_name(test) != "isinstance":
            continue
        if len(test.arguments) == 2 and test.arguments[0] is term and not isinstance(test.arguments[1], Display):
            found = names.of_term(test.arguments[1], frame.path)
            return found if isinstance(found, ModuleClass) and found.is_module else None
    held = moment.frame.value(term.iterable if isinstance(term, Element) else term)
    options = held.items or (held,)
    classes = {id(one.of): one.of for one in options if isinstance(one.of, ModuleClass)}
    return next(iter(classes.values())) if len(classes) == 1 else None


def _read(store: _Store) -> Moment | None:
    """The first use of the value in the child's methods."""
    uses = store.child.project.uses
    for read in store.child.state.reads(store.attribute):
        event = read.event
        is_used = isinstance(event, Evaluated) and uses.of(event.term, read.frame.function) - {Use.LOOKED_AT}
        if is_used and read.frame.method.name not in ("train", "eval"):
            return read
    return None


def _missed(module: ModuleClass, store: _Store, switching: tuple[Moment, ...]) -> tuple[Refresh, ...]:
    """The events that leave the old value on the child."""
    name, child = store.attribute, store.child
    in_training = _in_training(switching)
    answered = {
        Refresh.TRAIN: _touches_any(in_training, name, child) or not _is_read_in_training(store),
        Refresh.LOAD: _touches_any((*load_moments(module), *_happening(module, _LOAD)), name, child)
        or answers_load(child, name),
        Refresh.CONVERT: _touches_any(_happening(module, "_apply"), name, child) or answers_conversion(child, name),
    }
    return tuple(event for event in (Refresh.CONVERT, Refresh.LOAD, Refresh.TRAIN) if not answered[event])


def _touches_any(moments: tuple[Moment, ...], name: str, child: ModuleClass) -> bool:
    """True where an event writes or deletes the attribute of some object, or calls a method of the child that does."""
    events = (moment.event for moment in moments)
    called = [callee.name for callee in map(_method_called, moments) if callee is not None]
    if any(touched_by(_in_training(_inside(child, one)), name, child) for one in called):
        return True
    return any(
        event.attribute == name
        if isinstance(event, (Write, Delete))
        else isinstance(event, ItemWrite) and isinstance(event.base, Attribute) and event.base.name == name
        for event in events
    )


def _in_training(moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    return tuple(moment for moment in moments if runs_in_mode(moment) is not False)


def _is_read_in_training(store: _Store) -> bool:
    return any(runs_in_mode(read) is not False for read in store.child.state.reads(store.attribute))


def _described(store: _Store, read: Moment, missed: tuple[Refresh, ...]) -> StaleCache:
    moment, frame = store.moment, store.moment.frame
    assert isinstance(moment.event, Write)
    assert isinstance(read.event, Evaluated)
    span = frame.span(moment.event.place)
    owner = frame.method.owner or (frame.view.qualname if frame.view is not None else "")
    is_attached = not store.value.detached and not _element(store.value).detached
    return StaleCache(
        attribute=store.shown,
        symbol=f"{owner}.{store.attribute}",
        span=span,
        store=span,
        read=read.frame.span(read.event.term.place),
        missed=missed,
        handled=tuple(event for event in (Refresh.CONVERT, Refresh.LOAD, Refresh.TRAIN) if event not in missed),
        is_learned=True,
        is_merge=False,
        keeps_graph=is_attached and not grad_is_off(moment, frame.evaluator),
    )
