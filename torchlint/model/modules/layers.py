"""Layers: the constructor calls of the modules that a term may be, through attributes, lists of modules, loops and
helpers."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.knowledge.lookup import layer_children, layer_state
from torchlint.model.flow.origins import origins, returning
from torchlint.model.flow.same_object import RETURNS_SELF
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.registration import Registration
from torchlint.model.terms import (
    Attribute,
    Call,
    Comprehension,
    Display,
    Element,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
)
from torchlint.model.values import Kind, TensorValue

Built = tuple[Call, Frame]
_WRAPPERS = frozenset(
    """
    DataParallel DistributedDataParallel FullyShardedDataParallel DDP FSDP compile script prepare
    convert_sync_batchnorm unwrap_model
    """.split()
)
_LISTS = frozenset("ModuleList ModuleDict Sequential list tuple reversed enumerate zip values items children".split())
_OF_MODULES = frozenset(("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"))
_DEPTH = 6


def built(term: Term, frame: Frame, depth: int = _DEPTH) -> Iterator[Built]:
    """The constructor calls, each with the frame it is written in; nothing where they are out of sight."""
    for origin, where in origins(term, frame) if depth else ():
        if isinstance(origin, Call):
            yield from _built_by(origin, where, depth)
        elif isinstance(origin, Element):
            yield from _elements(origin.iterable, where, depth - 1)
        elif isinstance(origin, Subscript):
            yield from _elements(origin.base, where, depth - 1)
        elif isinstance(origin, Item) and isinstance(origin.base, Element):
            yield from _elements(origin.base.iterable, where, depth - 1, at=origin.index)
        elif isinstance(origin, Item) and isinstance(origin.base, Call) and last_name(origin.base) == "prepare":
            for argument in origin.base.arguments[origin.index :][:1]:
                yield from built(argument, where, depth - 1)


def chained(call: Call, frame: Frame) -> list[Built] | None:
    """The layers of nn.Sequential(..) in order; None where they are not all in sight, and for another
    layer."""
    value = frame.value(call)
    if value.kind is not Kind.MODULE or (value.made_by or "").rpartition(".")[2] != "Sequential" or call.keywords:
        return None
    found: list[Built] = []
    for argument in call.arguments:
        parts = list(built(argument, frame)) if not isinstance(argument, Starred) else []
        if len(parts) != 1:
            return None
        found += parts
    return found


def _built_by(call: Call, frame: Frame, depth: int) -> Iterator[Built]:
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name in RETURNS_SELF and not isinstance(callee.base, Imported):
        yield from built(callee.base, frame, depth - 1)
    elif last_name(call) in _WRAPPERS and call.arguments:
        yield from built(call.arguments[0], frame, depth - 1)
    else:
        inner = returning(call, frame)
        if inner is None:
            yield call, frame
        for event in inner.function.returned if inner is not None else ():
            if inner is not None and inner.depth < depth:
                yield from built(event.value, inner, depth - 1)


def _elements(term: Term, frame: Frame, depth: int, at: int | None = None) -> Iterator[Built]:
    """The same for the elements of a list of modules; at: which part of the tuples that enumerate() or zip() gives."""
    for origin, where in origins(term, frame) if depth > 0 else ():
        if isinstance(origin, Display):
            for part in origin.parts:
                yield from built(part, where, depth - 1)
        elif isinstance(origin, Comprehension):
            yield from built(origin.parts[-1], where, depth - 1)
        elif isinstance(origin, Operation) and origin.operator in ("grown", "extended", "+"):
            yield from _grown(origin, where, depth - 1)
        elif isinstance(origin, Call) and last_name(origin) in _LISTS:
            yield from _listed(origin, where, depth - 1, at)
        elif isinstance(origin, Subscript):
            yield from _elements(origin.base, where, depth - 1)


def _grown(operation: Operation, frame: Frame, depth: int) -> Iterator[Built]:
    first, *others = operation.parts
    yield from _elements(first, frame, depth)
    for other in others:
        yield from (built if operation.operator == "grown" else _elements)(other, frame, depth)


def _listed(call: Call, frame: Frame, depth: int, at: int | None) -> Iterator[Built]:
    name = last_name(call)
    if isinstance(call.callee, Attribute) and name in ("values", "items", "children"):
        yield from _elements(call.callee.base, frame, depth)
        return
    given = call.arguments
    if name == "zip" and at is not None:
        given = given[at : at + 1]
    for argument in given:
        if isinstance(argument, Starred):
            yield from _elements(argument.value, frame, depth)
        elif name == "Sequential":
            yield from built(argument, frame, depth)
        else:
            yield from _elements(argument, frame, depth)


def has_parameters(layer: TensorValue, depth: int = 3) -> bool:
    """True for a layer that is known to have parameters."""
    made_by = layer.made_by or ""
    if layer.of is None:
        return bool(layer_state(made_by)[0] or layer_children(made_by)) or made_by in _OF_MODULES
    state = layer.of.state
    names = {*state.names, *state.registrations}
    if any(state.registration(name) is Registration.PARAMETER for name in names):
        return True
    layers = (state.value(name) for name in names if state.registration(name) is Registration.MODULE)
    return depth > 0 and any(has_parameters(one, depth - 1) for one in layers)
