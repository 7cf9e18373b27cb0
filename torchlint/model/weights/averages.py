"""A second model that is averaged from a first one over its parameters alone: its buffers stay where they began."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.events import Evaluated, Event, Region, RegionKind, Write
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.opened import opened
from torchlint.model.frames import Frame, called_names, has_self, last_name, self_use
from torchlint.model.modules.registration import Registration
from torchlint.model.terms import Argument, Attribute, Call, Element, Imported, Item, Subscript, Term
from torchlint.model.values import Kind, TensorValue
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import (
    Written,
    enumeration,
    held_in,
    is_foreach,
    module_of,
    path_of,
    taken_from,
    within,
    writes_into,
)
from torchlint.model.weights.kept_weights import is_own_copy
from torchlint.model.weights.steps import same_module
from torchlint.source import Span

_PARAMETERS = frozenset("parameters named_parameters".split())
_BUFFERS = frozenset("buffers named_buffers update_bn".split())
_JUDGED = frozenset("eval state_dict".split())
_MIXES = frozenset("add_ sub_ lerp_ addcmul_ += -=".split())
_COMBINES = frozenset("sum mean stack average".split())
_FLAT = "vector_to_parameters"
_STATISTICS = ("BatchNorm", "InstanceNorm")


@dataclass(frozen=True, slots=True)
class Average:
    """A loop that averages parameters. averaged: the model that is written, as the program names it. judged: where it
    is evaluated or saved, None where that is not seen. statistics: True where its buffers are known to change."""

    span: Span
    averaged: str
    written: Span
    judged: Span | None
    statistics: bool


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two models as a function names them."""

    frame: Frame
    averaged: Term
    other: Term


def averages(frame: Frame) -> Iterator[Average]:
    """The averages of a function that leave the buffers out, once a loop."""
    seen: set[int] = set()
    for written in (*writes_into(frame), *_flat_writes(frame)):
        pair = _pair(written, frame)
        loop = None if is_foreach(written) or written.operation == _FLAT else _loop_around(written)
        if pair is None or id(loop or written) in seen:
            continue
        seen.add(id(loop or written))
        pairs = [pair, *_as_callers_name_them(pair)]
        if any(_handles_buffers(one) for one in pairs) or (len(pairs) == 1 and _is_left_over(pair)):
            continue
        judged = next(filter(None, (_judged(one) for one in pairs)), None)
        statistics = any(_has_statistics(one) for one in pairs)
        name = path_of(pair.averaged) or "the averaged model"
        place = _place(written.event)
        yield Average(frame.span(loop.subject.place if loop else place), name, frame.span(place), judged, statistics)


def _loop_around(written: Written) -> Region | None:
    return next((one for one in written.event.regions if one.kind is RegionKind.LOOP), None)


def _place(event: Event) -> tuple[int, int, int, int]:
    return event.term.place if isinstance(event, Evaluated) else getattr(event, "place", (1, 1, 1, 1))


def _flat_writes(frame: Frame) -> Iterator[Written]:
    """vector_to_parameters(vector, averaged.parameters()): all of them are written from one vector."""
    for event in frame.function.events if _FLAT in called_names(frame.function) else ():
        call = event.term if isinstance(event, Evaluated) else None
        given = call.argument(1, "parameters") if isinstance(call, Call) and last_name(call) == _FLAT else None
        if isinstance(call, Call) and given is not None:
            yield Written(event, Element(given.place, given), call.inputs[:1], _FLAT, call)


def _pair(written: Written, frame: Frame) -> _Pair | None:
    """The model whose parameter is written and the one that is mixed in; None for a copy, and for one model alone."""
    target = enumeration(written.target)
    averaged = module_of(target) if target is not None and last_name(target) in _PARAMETERS else None
    if target is None or averaged is None:
        return None
    parts = [part for operand in written.operands for part in within(operand)]
    # What is joined to a vector is taken as a whole.
    sources = [source for part in parts if (source := _parameter(part) or _whole(part, written))]
    sources += [source for operand in written.operands for source in _given_by_callers(operand, frame)]
    modules = filter(None, map(module_of, sources))
    others = [one for one in modules if _is_other(one, averaged, is_copy=is_own_copy(target, frame))]
    is_mixed = (
        written.operation in _MIXES
        or _combines(written, others)
        or any(
            source is target or (written.operation == _FLAT and same_module(module_of(source), averaged))
            for source in sources
        )
    )
    return _Pair(frame, averaged, others[0]) if others and is_mixed else None


def _is_other(module: Term, averaged: Term, *, is_copy: bool) -> bool:
    """True for another model, also for the argument net beside self.net, a copy that the object made."""
    return not same_module(module, averaged) or (is_copy and path_of(module) != path_of(averaged))


def _combines(written: Written, others: list[Term]) -> bool:
    """True for p.copy_(sum(b[name] for b in books)): the weights of several models in one."""
    calls = (part for operand in written.operands for part in within(operand) if isinstance(part, Call))
    return any(isinstance(other, Element) for other in others) and any(last_name(call) in _COMBINES for call in calls)


def _given_by_callers(operand: Term, frame: Frame) -> Iterator[Call]:
    """The parameters() of the model whose weights callers collect and pass: fresh of fresh[name]."""
    holders = {id(one): one for part in within(operand) if isinstance(one := taken_from(part), Argument)}
    for holder in (one for one in holders.values() if not frame.is_self(one)):
        for moment in callers_of(frame):
            call = moment.event.term if isinstance(moment.event, Evaluated) else None
            offset = int(has_self(frame.function))
            given = call.argument(holder.index - offset, holder.name) if isinstance(call, Call) else None
            source = held_in(opened(given, moment.frame)) if given is not None else None
            if source is not None and last_name(source) in _PARAMETERS:
                yield source


def _whole(term: Term, written: Written) -> Call | None:
    is_listed = written.operation == _FLAT and isinstance(term, Call) and last_name(term) in _PARAMETERS
    return term if isinstance(term, Call) and is_listed else None


def _parameter(term: Term) -> Call | None:
    source = enumeration(term)
    return source if source is not None and last_name(source) in _PARAMETERS else None


# Where the two are seen


def _as_callers_name_them(pair: _Pair) -> Iterator[_Pair]:
    """The pair in the functions of the file that pass the models in."""
    if not isinstance(pair.averaged, Argument) or not isinstance(pair.other, Argument):
        return
    function, project = pair.frame.function, pair.frame.evaluator.project
    for frame in project.functions_in(pair.frame.path):
        for event in frame.function.events:
            call = event.term if isinstance(event, Evaluated) else None
            if not isinstance(call, Call) or last_name(call) != function.name:
                continue
            target = function_called(call, frame)
            if target is not None and target.function is function.definition:
                offset = int(has_self(function))
                averaged = call.argument(pair.averaged.index - offset, pair.averaged.name)
                other = call.argument(pair.other.index - offset, pair.other.name)
                if averaged is not None and other is not None:
                    yield _Pair(frame, averaged, other)


def _is_left_over(pair: _Pair) -> bool:
    """True for a helper that its own file, a script that calls its other functions when it runs, never calls."""
    function, project = pair.frame.function, pair.frame.evaluator.project
    if not isinstance(pair.averaged, Argument) or function.owner is not None or pair.frame.outer is not None:
        return False
    top = next(project.functions_in(pair.frame.path), None)
    targets = [function_called(call, top) for call in top.function.calls] if top is not None else []
    return any(target is not None and target.function.path == function.path for target in targets)


def _handles_buffers(pair: _Pair) -> bool:
    """True where the function, or another method of its class, takes the buffers along."""
    if any(last_name(call) == "load_state_dict" and _concerns(call, pair) for call in pair.frame.function.calls):
        return True
    view = pair.frame.view
    frames = [view.frame(method) for method in view.methods] if view is not None else [pair.frame]
    return any(_takes_buffers(frame, pair) for frame in frames)


def _takes_buffers(frame: Frame, pair: _Pair) -> bool:
    if any(last_name(call) in _BUFFERS and _concerns(call, pair) for call in frame.function.calls):
        return True
    for event in frame.function.events:
        if isinstance(event, Write) and event.attribute in ("running_mean", "running_var"):
            return True
    targets = (enumeration(written.target) for written in writes_into(frame))
    return any(one is not None and last_name(one) == "state_dict" and _concerns(one, pair) for one in targets)


def _concerns(call: Call, pair: _Pair) -> bool:
    """True for a call on one of the two models, or on a part of one."""
    if last_name(call) == "update_bn":
        return True
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    return base is not None and any(_is_part(part, pair) for part in within(base))


def _is_part(term: Term, pair: _Pair) -> bool:
    return same_module(term, pair.averaged) or same_module(term, pair.other)


def _judged(pair: _Pair) -> Span | None:
    """Where the averaged model is set to eval() or its state is taken."""
    view = pair.frame.view
    frames = [view.frame(method) for method in view.methods] if view is not None else [pair.frame]
    for frame in frames:
        for call in frame.function.calls:
            base = call.callee.base if isinstance(call.callee, Attribute) else None
            if last_name(call) in _JUDGED and same_module(base, pair.averaged):
                return frame.span(call.place)
    return _begun_in_eval(pair)


def _begun_in_eval(pair: _Pair) -> Span | None:
    """Where the averaged models that an attribute holds are put into evaluation mode as they are made: nobody trains
    them."""
    holder, view = _holder(pair.averaged), pair.frame.view
    for method in view.methods if view is not None and holder is not None else ():
        for event in method.events:
            if isinstance(event, Write) and holder is not None and event.attribute == holder.name:
                calls = (part for part in within(event.value) if isinstance(part, Call) and not part.inputs)
                made = next((call for call in calls if last_name(call) == "eval"), None)
                if made is not None and view is not None:
                    return view.frame(method).span(made.place)
    return None


def _holder(term: Term) -> Attribute | None:
    """The attribute of the object whose elements or values a model is one of: self.slow of self.slow[role]."""
    while isinstance(term, (Subscript, Item, Element, Call)):
        if isinstance(term, Call):
            is_listing = isinstance(term.callee, Attribute) and term.callee.name in ("values", "items", "get")
            term = term.callee.base if is_listing and isinstance(term.callee, Attribute) else term.callee
        else:
            term = term.iterable if isinstance(term, Element) else term.base
    return term if isinstance(term, Attribute) and isinstance(term.base, Argument) and term.base.index == 0 else None


# Buffers that change


def _has_statistics(pair: _Pair) -> bool:
    return any(_keeps_statistics(term, pair.frame) for term in (pair.averaged, pair.other))


def _keeps_statistics(term: Term, frame: Frame, depth: int = 3) -> bool:
    """True for a module that has, for certain, a layer with running statistics or a buffer that it updates."""
    if _changes_buffers(frame.value(term), depth) or any(_is_statistical(part) for part in within(term)):
        return True
    if any(_builds_statistics(part, frame, depth) for part in within(term) if isinstance(part, Call)):
        return True
    view, term = frame.view, _holder(term) or term
    if not isinstance(term, Attribute) or view is None or not frame.is_self(term.base) or not depth:
        return False
    written = (
        (event.value, method)
        for method in view.methods
        for event in method.events
        if isinstance(event, Write) and event.attribute == term.name
    )
    return any(_keeps_statistics(value, view.frame(method), depth - 1) for value, method in written)


def _builds_statistics(call: Call, frame: Frame, depth: int) -> bool:
    """True for a function of the project that builds such a layer."""
    target = function_called(call, frame) if depth and not isinstance(call.callee, Attribute) else None
    if target is None or target.view is not None:
        return False
    return any(_is_statistical(inner.callee) for inner in target.function.calls)


def _is_statistical(term: Term) -> bool:
    return isinstance(term, Imported) and any(word in term.name for word in _STATISTICS)


def _changes_buffers(value: TensorValue, depth: int) -> bool:
    view = value.of
    if value.kind is not Kind.MODULE or not depth:
        return False
    if view is None:
        return any(word in (value.made_by or "") for word in _STATISTICS)
    for name in dict.fromkeys((*view.state.registrations, *view.state.names)):
        how = view.state.registration(name)
        if how is Registration.MODULE and _changes_buffers(view.state.value(name), depth - 1):
            return True
        forward = view.method("forward")
        if how is Registration.BUFFER and forward is not None and name in self_use(forward).writes:
            return True
    built = (call for method in view.methods for call in method.calls)
    return any(_is_statistical(call.callee) for call in built)
