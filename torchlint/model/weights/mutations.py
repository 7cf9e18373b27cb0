"""State that is taken for values and changed in place: the result is wanted, and the module is written as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Choice, Comprehension, Display, Operation, Starred, Term, children
from torchlint.model.weights.aliases import births, is_private, takers, words_of
from torchlint.model.weights.enumerated import Written, enumeration, is_in_place, module_of, taken_from, writes_into
from torchlint.model.weights.steps import same_module
from torchlint.source import Span

_STATE = frozenset("state_dict buffers named_buffers".split())
# What computes a value from the old one. copy_(), fill_() and the initialisers are said to write.
_ARITHMETIC = frozenset(
    """
    abs_ add_ addcdiv_ addcmul_ ceil_ clamp_ clamp_max_ clamp_min_ clip_ div_ divide_ exp_ floor_ floor_divide_ lerp_
    log_ mul_ multiply_ nan_to_num_ neg_ negative_ pow_ reciprocal_ relu_ remainder_ round_ rsqrt_ sigmoid_ sign_ sqrt_
    square_ sub_ subtract_ tanh_ true_divide_ trunc_
    """.split()
)
# The beginnings of words by which a function says that it measures.
_MEASURES = re.compile(
    r"(?<![a-z])(?:cost|error|loss|measure|sensitiv|norm(?!al|ed)|score|gap|distance|compar|estimat|impact|effect|snr)"
)
_OWN_STATE = ("ema", "avg", "average", "shadow", "teacher", "target", "swa", "momentum")


@dataclass(frozen=True, slots=True)
class Mutation:
    """An in-place operation on a tensor of a module's state. what: the enumeration, "state_dict". user: where the
    result goes."""

    span: Span
    what: str
    operation: str
    used: Span
    user: str


def mutations(frame: Frame) -> Iterator[Mutation]:
    """The in-place operations of a function whose result is taken as a value of its own."""
    seen: set[int] = set()
    for written in writes_into(frame):
        if written.term is None or not _computes(written.operation):
            continue
        source, holder = _state_of(written.outside or written.target, frame)
        if source is None or holder is None or _is_meant(source, frame):
            continue
        used = _used_as_value(written.term, frame) or _handed_on(source, holder, frame) or _measured(written, frame)
        line = written.term.place[0]
        if used is not None and line not in seen:
            seen.add(line)
            span, user = used
            yield Mutation(frame.span(written.term.place), last_name(source), _name(written), span, user)


def _state_of(target: Term, frame: Frame) -> tuple[Call | None, Term | None]:
    """The enumeration of state that a tensor is part of, and what holds the tensors: the state itself, what a helper
    returned, or a container that they were put into one by one."""
    source, holder = enumeration(target), taken_from(target)
    if source is None:
        made = (birth.term for birth in births(frame) if birth.term is holder)
        source = next(made, None) or _put_into(holder, frame)
    if source is None or not (last_name(source) in _STATE or source is holder):
        return None, None
    return source, holder


def _put_into(holder: Term | None, frame: Frame) -> Call | None:
    """The enumeration whose tensors a function puts into a container: `total[name] = value` in the first round."""
    for event in frame.function.events:
        if isinstance(event, ItemWrite) and event.operator == "=" and event.base is holder:
            options = event.value.options if isinstance(event.value, Choice) else (event.value,)
            found = next(filter(None, map(enumeration, options)), None)
            if found is not None:
                return found
    return None


def _computes(operation: str) -> bool:
    return operation in _ARITHMETIC or operation.endswith("=")


def _name(written: Written) -> str:
    return f"{written.operation}()" if is_in_place(written.operation) else written.operation


def _is_meant(source: Call, frame: Frame) -> bool:
    """True where the module is a private copy, or its name says that it is there to be written."""
    module = module_of(source)
    if is_private(module):
        return True
    if isinstance(module, Attribute) and frame.is_self(module.base) and frame.view is not None:
        writes = (event for method in frame.view.methods for event in method.events if isinstance(event, Write))
        if any(event.attribute == module.name and is_private(event.value) for event in writes):
            return True
    return module is not None and any(word in words_of(module) for word in _OWN_STATE)


def _used_as_value(result: Term, frame: Frame) -> tuple[Span, str] | None:
    """Where the result of an in-place operation is stored, passed or computed with; a further in-place one is none."""
    parents = parents_in(frame.function)
    waiting, seen = [result], {id(result)}
    while waiting:
        term = waiting.pop()
        for parent in parents.get(id(term), ()):
            if isinstance(parent, (Choice, Starred, Display, Comprehension)):
                if id(parent) not in seen:
                    seen.add(id(parent))
                    waiting.append(parent)
            elif isinstance(parent, Event):
                if not _is_same_place(parent, term):
                    return frame.span(getattr(parent, "place", term.place)), "is kept"
            elif isinstance(parent, Attribute):
                found = _called(parent, frame)
                if found is not None and not is_in_place(parent.name):
                    return frame.span(found.place), f"goes into {parent.name}()"
            elif isinstance(parent, Call) and parent.callee is not term:
                return frame.span(parent.place), f"goes into {last_name(parent)}()"
            elif isinstance(parent, Operation) and not _is_augmented(parent, term):
                return frame.span(parent.place), "is computed with"
    return None


def _measured(written: Written, frame: Frame) -> tuple[Span, str] | None:
    """Where a function that by its name only measures computes with the tensor that it has changed, and puts nothing
    back: error = (value - before).norm()."""
    if not _MEASURES.search(frame.function.name):
        return None
    root = _root(written.target)
    if any(one.operation == "copy_" and _root(one.target) is root for one in writes_into(frame)):
        return None
    after = frame.function.events[_index_of(written.event, frame) + 1 :]
    for event in after:
        term = event.term if isinstance(event, Evaluated) else None
        is_use = isinstance(term, Operation) and not _is_augmented(term, root)
        if term is not None and is_use and any(part is root for part in children(term)):
            return frame.span(term.place), "is computed with"
    return None


def _root(target: Term) -> Term:
    """The tensor below the in-place methods of a chain."""
    while isinstance(target, Call) and isinstance(target.callee, Attribute) and is_in_place(target.callee.name):
        target = target.callee.base
    return target


def _index_of(event: Event, frame: Frame) -> int:
    return next(at for at, one in enumerate(frame.function.events) if one is event)


def _called(attribute: Attribute, frame: Frame) -> Call | None:
    found = (one for one in parents_in(frame.function).get(id(attribute), ()) if isinstance(one, Call))
    return next((call for call in found if call.callee is attribute), None)


def _is_augmented(operation: Operation, term: Term) -> bool:
    """True for a further `term *= x`, which writes again."""
    return (
        operation.operator.endswith("=")
        and operation.operator not in ("==", "!=", "<=", ">=")
        and (operation.parts[0] is term)
    )


def _is_same_place(event: Event, term: Term) -> bool:
    """True for `state[name] *= 2`, which puts the result where the tensor was taken from."""
    if isinstance(event, Write):
        return event.attribute == "data"
    if not isinstance(event, ItemWrite):
        return False
    return event.operator != "=" or _holds(event.base, term)


def _holds(base: Term, term: Term) -> bool:
    found = taken_from(term)
    return found is base or (found is not None and found is enumeration_of(base))


def enumeration_of(holder: Term) -> Term | None:
    """The enumeration that a dict of state is, where it is one."""
    return holder if isinstance(holder, Call) and last_name(holder) in _STATE else None


def _handed_on(source: Call, holder: Term, frame: Frame) -> tuple[Span, str] | None:
    """Where the whole state is returned, saved, or loaded into another module after its values were changed. Loaded
    into its own module, the write was meant."""
    found: tuple[Span, str] | None = None
    for taken in takers(holder, frame):
        place = getattr(taken.event, "place", taken.term.place)
        if taken.kind == "load" and isinstance(taken.term, Call) and isinstance(taken.term.callee, Attribute):
            if same_module(taken.term.callee.base, module_of(source)):
                return None
            found = found or (frame.span(place), f"goes into {last_name(taken.term)}()")
        elif taken.kind == "save":
            found = found or (frame.span(place), f"goes into {last_name(taken.term)}()")
        elif taken.kind == "return":
            found = found or (frame.span(place), "is returned")
    return found
