"""Buffers that forward writes in place after autograd has saved them for the backward pass of the same call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import is_metadata, is_view
from torchlint.knowledge.saved import SAVING, is_saved
from torchlint.model.events import Evaluated, ItemWrite, RegionKind, Return, Write
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.flow.timeline import changed_in_place, timeline
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.sightings import span_of
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Argument, Attribute, Call, Display, Operation, Subscript, Term, children
from torchlint.model.values import TENSORS, Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_SAVING_OPERATORS = frozenset(("*", "/", "@", "**", "*=", "/=", "@="))
# Through these no gradient flows: what autograd has saved on the way there is never used.
_STOPS = frozenset(
    """detach data argmax argmin argsort indices item tolist numpy long int bool sign eq ne lt le gt ge bincount
    multinomial nonzero isnan isfinite""".split()
)
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in", "not", "f-string"))
_MAX_TERMS = 200


@dataclass(frozen=True, slots=True)
class Overwritten:
    """An in-place write to a buffer, and the earlier read of the same call that backward still needs.

    operation: what saved the buffer there. writer: the method that writes.
    """

    attribute: str
    symbol: str
    span: Span
    read: Span
    operation: str
    writer: str


@dataclass(frozen=True, slots=True)
class _Saved:
    moment: Moment
    read: Term
    operation: str


def overwritten_buffers(module: ModuleClass) -> Iterator[Overwritten]:
    """The in-place writes of forward that make its own backward pass raise, one for each statement."""
    forward = module.method("forward")
    if forward is None or not any(_may_write(module, name) for name in module.state.registrations):
        return
    moments = timeline(module, module.frame(forward))
    saved: dict[str, list[_Saved]] = {}
    written: dict[str, list[Moment]] = {}
    reported: set[Span] = set()
    for moment in moments:
        for found in _at(module, moment, saved, written):
            if found.span not in reported:
                reported.add(found.span)
                yield found


def _may_write(module: ModuleClass, name: str) -> bool:
    return module.state.registration(name) is Registration.BUFFER


def _at(
    module: ModuleClass, moment: Moment, saved: dict[str, list[_Saved]], written: dict[str, list[Moment]]
) -> Iterator[Overwritten]:
    """What an event completes: a write after a read, or (in a loop) the read that the next round's write spoils."""
    event = moment.event
    if isinstance(event, Write) and event.operator == "=" and moment.frame.is_self(event.base):
        # From here on the name stands for another tensor.
        if isinstance(event.attribute, str) and not moment.guards():
            saved.pop(event.attribute, None)
        return
    name = _overwrites(moment)
    if name and _may_write(module, name):
        written.setdefault(name, []).append(moment)
        first = next((one for one in saved.get(name, ()) if not _are_exclusive(one.moment, moment)), None)
        if first is not None:
            yield _described(module, name, moment, first)
    read = _saved(module, moment)
    if read is not None:
        saved.setdefault(read[0], []).append(read[1])
        for write in written.get(read[0], ()):
            if _share_loop(write, moment):
                yield _described(module, read[0], write, read[1])


def _described(module: ModuleClass, name: str, write: Moment, saved: _Saved) -> Overwritten:
    method = write.frame.method
    return Overwritten(
        attribute=name,
        symbol=f"{method.owner or module.facts.qualname}.{name}",
        span=span_of(write),
        read=saved.moment.frame.span(saved.read.place),
        operation=saved.operation,
        writer=method.name,
    )


# Writes


def _overwrites(moment: Moment) -> str:
    """The attribute whose memory an event writes into; "" for none."""
    event, frame = moment.event, moment.frame
    if isinstance(event, ItemWrite):
        return _shared_with(event.base, frame) if event.operator != "del" else ""
    if not isinstance(event, Evaluated):
        return ""
    term = event.term
    if isinstance(term, Operation) and term.operator.endswith("=") and term.operator not in _COMPARISONS:
        return _shared_with(term.parts[0], frame)
    if not isinstance(term, Call):
        return ""
    changed = changed_in_place(term) or term.keyword("out")
    while isinstance(changed, Call) and (inner := changed_in_place(changed)) is not None:
        changed = inner
    return _shared_with(changed, frame) if changed is not None else ""


def _shared_with(term: Term, frame: Frame) -> str:
    """The attribute that a term is, or is a view of; not of `.data`, whose writes autograd does not see."""
    while True:
        if isinstance(term, Attribute) and frame.is_self(term.base):
            return term.name
        if isinstance(term, Subscript) or (isinstance(term, Attribute) and term.name in ("T", "mT")):
            term = term.base
        elif isinstance(term, Call) and isinstance(term.callee, Attribute) and _is_shared(term.callee.name):
            term = term.callee.base
        else:
            return ""


def _is_shared(method: str) -> bool:
    return method == "detach" or (is_view(method) and method not in ("to", "type", "contiguous", "reshape", "float"))


# Reads


def _saved(module: ModuleClass, moment: Moment) -> tuple[str, _Saved] | None:
    """The buffer that an event reads, where autograd keeps it for a gradient that reaches the output."""
    event, frame = moment.event, moment.frame
    for read in _buffers_read(event.term) if isinstance(event, Evaluated) else ():
        name = _buffer_that_is(read, module, frame)
        if not name or not _may_write(module, name) or grad_is_off(moment, module.project.evaluator):
            continue
        for term, operation, word, where in _saving_operations(read, moment):
            if _has_gradient(operation, term, where.frame) and _reaches_output(operation, where):
                return name, _Saved(moment, read, word)
    return None


def _buffers_read(term: Term) -> tuple[Term, ...]:
    """The terms that may be a buffer, where an event reads one: an attribute, or the parameters in an operation."""
    if isinstance(term, Attribute):
        return (term,)
    return tuple(part for part in children(term) if isinstance(part, Argument))


def _buffer_that_is(term: Term, module: ModuleClass, frame: Frame) -> str:
    """The buffer that self.name is, or that a helper got for its parameter."""
    if isinstance(term, Attribute):
        return term.name if frame.is_self(term.base) else ""
    value = frame.value(term)
    owned = [source.name for source in value.sources if source.owner == id(module) and source.kind == "state"]
    return owned[0] if value.kind is Kind.BUFFER and len(value.sources) == len(owned) == 1 else ""


def _saving_operations(read: Term, moment: Moment) -> Iterator[tuple[Term, Term, str, Moment]]:
    """The operations that save the buffer, or a view of it, also where a method hands it back: the term as it goes in,
    the operation, its name, and the moment in whose function it is."""
    waiting, seen = [read], {id(read)}
    while waiting and len(seen) < _MAX_TERMS:
        term = waiting.pop()
        for parent in parents_in(moment.frame.function).get(id(term), ()):
            caller = moment.caller
            if isinstance(parent, Return) and caller is not None and isinstance(caller.event, Evaluated):
                yield from _saving_operations(caller.event.term, caller)
            if not isinstance(parent, Term) or id(parent) in seen:
                continue
            word = _saving_word(parent, term)
            if word:
                yield term, parent, word, moment
            elif _keeps_memory(parent, term):
                seen.add(id(parent))
                waiting.append(parent)


def _saving_word(parent: Term, term: Term) -> str:
    """The name of an operation that saves `term`; "" for any other."""
    if isinstance(parent, Operation):
        return parent.operator if parent.operator in _SAVING_OPERATORS else ""
    if isinstance(parent, Subscript):
        return "indexing" if parent.index is term else ""
    if not isinstance(parent, Call) or changed_in_place(parent) in (term, getattr(term, "base", term)):
        return ""
    name = last_name(parent).rstrip("_")
    return name if any(is_saved(name, *place) for place in _places_in(parent, term)) else ""


def _places_in(call: Call, term: Term) -> Iterator[tuple[int, str | None]]:
    """Where an operand stands in a call, by the function's form: the receiver of a method is its first operand."""
    if call.callee is term:
        yield 0, None
    first = 1 if isinstance(call.callee, Attribute) else 0
    yield from ((index, None) for index, one in enumerate(call.arguments, first) if one is term)
    yield from ((-1, name) for name, one in call.keywords if one is term and name is not None)


def _keeps_memory(parent: Term, term: Term) -> bool:
    """True for a view, the method of one, or a tuple that passes the tensor on."""
    if isinstance(parent, Attribute):
        return parent.name in ("T", "mT") or _is_shared(parent.name) or parent.name.rstrip("_") in SAVING
    if isinstance(parent, Subscript):
        return parent.base is term
    if isinstance(parent, Call):
        return parent.callee is term
    return isinstance(parent, Display) and parent.kind == "tuple"


def _has_gradient(operation: Term, term: Term, frame: Frame) -> bool:
    """True where another operand is computed from learned state or from the caller's tensors, and not detached."""
    parts: tuple[Term, ...] = ()
    if isinstance(operation, Operation):
        parts = operation.parts
    elif isinstance(operation, Subscript):
        parts = (operation.base,)
    elif isinstance(operation, Call):
        callee = operation.callee
        parts = (*((callee.base,) if isinstance(callee, Attribute) else ()), *operation.inputs)
    return any(part is not term and _needs_gradient(frame.value(part)) for part in parts)


def _needs_gradient(value: TensorValue) -> bool:
    if value.detached or value.is_integral or value.kind not in (*TENSORS, Kind.UNKNOWN) or value.kind is Kind.BUFFER:
        return False
    return any(source.kind in ("state", "argument") for source in value.sources)


def _reaches_output(operation: Term, moment: Moment | None) -> bool:
    """True where the gradient of the output comes back to the operation: returned, or stored for someone."""
    waiting, seen = [operation], {id(operation)}
    assert moment is not None
    frame = moment.frame
    while waiting and len(seen) < _MAX_TERMS:
        term = waiting.pop()
        parents = parents_in(frame.function).get(id(term), ())
        for parent in parents:
            if isinstance(parent, Return):
                if moment.caller is None or not isinstance(moment.caller.event, Evaluated):
                    return True
                if _reaches_output(moment.caller.event.term, moment.caller):
                    return True
            elif isinstance(parent, Write) or (isinstance(parent, ItemWrite) and parent.value is term):
                return True
            elif isinstance(parent, Term) and id(parent) not in seen and not _stops(parent, term):
                seen.add(id(parent))
                waiting.append(parent)
    return False


def _stops(parent: Term, term: Term) -> bool:
    if isinstance(parent, Attribute):
        return parent.name in _STOPS or is_metadata(parent.name)
    if isinstance(parent, Operation):
        return parent.operator in _COMPARISONS
    if isinstance(parent, Subscript):
        return parent.index is term
    return isinstance(parent, Call) and parent.callee is not term and last_name(parent) in _STOPS


# Ways


def _are_exclusive(first: Moment, second: Moment) -> bool:
    """True where a test keeps the two apart."""
    held = {id(region.subject): region.holds for region, _ in first.guards()}
    return any(held.get(id(region.subject), region.holds) is not region.holds for region, _ in second.guards())


def _share_loop(first: Moment, second: Moment) -> bool:
    loops = {id(region) for one in _chain(first) for region in one.event.regions if region.kind is RegionKind.LOOP}
    return any(
        id(region) in loops for one in _chain(second) for region in one.event.regions if region.kind is RegionKind.LOOP
    )


def _chain(moment: Moment) -> Iterator[Moment]:
    one: Moment | None = moment
    while one is not None:
        yield one
        one = one.caller
