"""What forward leaves on the module for its next call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, RegionKind, Write
from torchlint.model.frames import Frame, Moment, self_use
from torchlint.model.leftovers import mentions_attribute
from torchlint.model.regions import grad_is_off
from torchlint.model.terms import Attribute, Call, Global, Imported, Term, children
from torchlint.model.uses import Use
from torchlint.model.values import Kind, Source, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_JOINS = frozenset("cat concat concatenate stack hstack vstack".split())


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


def carried_tensors(module: ModuleClass) -> Iterator[Carried]:
    """The stores of forward, and of what it reaches, that a later call reads back; then the records that nothing
    reads."""
    walk = module.walk("forward")
    writes: dict[str, list[Moment]] = {}
    for moment in walk:
        event = moment.event
        if isinstance(event, Write) and isinstance(event.attribute, str) and moment.frame.is_self(event.base):
            writes.setdefault(event.attribute, []).append(moment)
    for name, moments in writes.items():
        if module.state.registration(name) is None and not module.state.registers_itself:
            yield from _carried(module, name, moments, walk)


def _carried(module: ModuleClass, name: str, moments: list[Moment], walk: tuple[Moment, ...]) -> Iterator[Carried]:
    attached = [moment for moment in moments if _keeps_graph(module, moment)]
    if not attached:
        return
    grows = any(_accumulates(module, name, moment) for moment in attached)
    read = _read_back(module, name, moments, walk)
    is_read = bool(module.state.reads(name))
    for moment in attached:
        if (read is not None and _is_carried(module, name, moment, walk, grows=grows)) or not is_read:
            yield _described(module, name, moment, read, grows=grows)


def _is_carried(module: ModuleClass, name: str, moment: Moment, walk: tuple[Moment, ...], *, grows: bool) -> bool:
    """A growing graph is a fault with a reset or without; any other store may be guarded (a cache, TL104) or reset."""
    return grows or not (_is_guarded(moment) or _is_reset(module, name, walk))


def _described(module: ModuleClass, name: str, moment: Moment, read: Span | None, *, grows: bool) -> Carried:
    event = moment.event
    assert isinstance(event, Write)
    method = moment.frame.method
    symbol = f"{method.owner or module.facts.qualname}.{name}"
    return Carried(name, symbol, moment.frame.span(event.place), method.name, read, grows)


def _keeps_graph(module: ModuleClass, moment: Moment) -> bool:
    """True where autograd records what is stored: computed from learned state, not detached, gradients on."""
    evaluator = module.project.evaluator
    event = moment.event
    assert isinstance(event, Write)
    value = evaluator.value(event.value, moment.frame)
    parts = value.items if value.kind is Kind.CONTAINER and value.made_by in (None, "tuple") else None
    return (
        (value.kind is Kind.TENSOR or (bool(parts) and all(part.kind is Kind.TENSOR for part in parts or ())))
        and not value.detached
        and not value.is_integral
        and _is_learned(module, value)
        and not grad_is_off(moment, evaluator)
    )


def _is_learned(module: ModuleClass, value: TensorValue) -> bool:
    return any(source.owner == id(module) and source.kind == "state" for source in value.sources)


def _accumulates(module: ModuleClass, name: str, moment: Moment) -> bool:
    """True where the new value is computed from the old one, other than by joining pieces to it as key-value caches
    do."""
    event = moment.event
    assert isinstance(event, Write)
    value = module.project.evaluator.value(event.value, moment.frame)
    if Source(id(module), "plain", name) not in value.sources:
        return False
    return not _is_joined(event.value, event.base, name)


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


def _read_back(module: ModuleClass, name: str, writes: list[Moment], walk: tuple[Moment, ...]) -> Span | None:
    """The first read in a call of forward that sees what an earlier call stored: no store of this call comes before
    it."""
    order = {id(moment.event): position for position, moment in enumerate(walk)}
    certain = [order[id(w.event)] for w in writes if not w.guards() and not _in_loop(w)]
    first_write = min(certain, default=len(walk))
    frames = {id(moment.frame.function): moment.frame for moment in reversed(walk)}
    frames.setdefault(id(module.method("forward")), module.frame(module.method("forward")))  # type: ignore[arg-type]
    for moment in module.state.reads(name):
        event, frame = moment.event, frames.get(id(moment.frame.function))
        if (
            frame is None
            or not isinstance(event, Evaluated)
            or not isinstance(event.term, Attribute)
            or event.term.known is not None
        ):
            continue
        if Use.COMPUTES not in module.project.uses.of(event.term, frame.function):
            continue
        if _position(frame, event, walk, order) <= first_write:
            return frame.span(event.term.place)
    return None


def _in_loop(moment: Moment) -> bool:
    return any(region.kind is RegionKind.LOOP for region in moment.event.regions)


def _position(frame: Frame, read: Evaluated, walk: tuple[Moment, ...], order: dict[int, int]) -> int:
    """Where in the walk the read happens: before the next step of its function, and after all that its earlier calls
    did."""
    steps = {id(event) for event in self_use(frame.function).steps}
    passed = False
    for event in frame.function.events:
        passed = passed or event is read
        if passed and id(event) in steps and id(event) in order:
            return order[id(event)]
    inside = [i for i, moment in enumerate(walk) if any(f.function is frame.function for f in moment.functions())]
    return inside[-1] + 1 if inside else 0
