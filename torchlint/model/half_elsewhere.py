"""Parameters that an optimizer gets in one function and another makes half: of a class whose objects a script converts,
and of a model that a helper is given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.blanket import cast_target
from torchlint.model.callers import callers_of, frames_in
from torchlint.model.enumerated import within
from torchlint.model.events import Evaluated
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.half_trained import wholes
from torchlint.model.same_object import Key, is_exclusive, keys_of, steps_of
from torchlint.model.terms import Argument, Attribute, Call, Constant, Subscript, Term
from torchlint.model.values import Kind
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# Wrappers that keep float32 copies of the parameters.
_KEEPS_COPIES = ("fp16", "master", "apex", "deepspeed", "initialize", "fsdp", "mixedprecision")
_FLAG = re.compile(r".*(fp_?16|float_?16|half).*", re.I)
_MAX_FILES = 12


def halved_elsewhere(frame: Frame, keys: frozenset[Key]) -> Span | None:
    """Where code outside of a function makes the parameters half that an optimizer gets there; None where none does.

    keys: the objects whose parameters they are.
    """
    view = frame.view
    if view is not None and view.is_module and frame.outer is None and ("self", id(view)) in keys | wholes(keys):
        found = _by_script(view)
        return found if found is not None else _by_flag(view, frame)
    return _by_caller(frame, keys)


def trains_in_half(frame: Frame) -> bool:
    """True where a file that names the module of the frame makes a model half, of whatever class, that it trains."""
    view, project = frame.view, frame.evaluator.project
    if view is None:
        return False
    question, top = f"{view.name} trains in half", project.top_of(frame.method)
    known: bool | None = top.derived.get(question)
    if known is None:
        naming = frozenset(project.files_around(frame.path, view.name.encode()))
        halving = (path for path in project.files_around(frame.path, b".half()") if path in naming)
        known = top.derived[question] = any(
            _is_unknown(call, one) and _is_trained(call, one)
            for path in project.looked_into(frame.path, halving)
            if project.was_passed(path)
            for one in project.functions_in(path)
            for _, call in _halved(one)
        )
    return known


def keeps_copies(frame: Frame) -> bool:
    """True for a function that speaks of a wrapper with float32 copies of the parameters."""
    names = {last_name(call).lower() for call in frame.function.calls}
    return any(word in name for name in names for word in _KEEPS_COPIES)


def _by_script(view: ModuleClass) -> Span | None:
    """The conversion of an object of the class in a function that trains it: others only try it out."""
    for one in view.project.conversions.of(view):
        if cast_target(one.call, one.frame) == "float16" and _is_trained(one.call, one.frame):
            return one.frame.span(one.call.place)
    return None


def _by_flag(view: ModuleClass, frame: Frame) -> Span | None:
    """The conversion of a model of an unknown class, under a flag that the constructor has as a parameter as well:
    `if config["G_fp16"]: G = G.half()` where the class was found by its name."""
    init = view.method("__init__")
    flags = frozenset(one.name for one in init.parameters if _FLAG.fullmatch(one.name)) if init is not None else None
    if not flags:
        return None
    project = frame.evaluator.project
    around = (file for file in project.files_around(frame.path, b".half()")[:_MAX_FILES] if file != frame.path)
    for path in project.looked_into(frame.path, (frame.path, *around)):
        for other in frames_in(project, path):
            for event, call in _halved(other):
                is_flagged = any(_names(guard.subject, flags) for guard in event.guards())
                if is_flagged and _is_unknown(call, other) and _is_trained(call, other):
                    return other.span(call.place)
    return None


def _by_caller(frame: Frame, keys: frozenset[Key]) -> Span | None:
    """The conversion of a model in a function that then gives it to this one."""
    indices = [key[2] for key in keys if key[:2] == ("argument", id(frame.function))]
    for moment in callers_of(frame) if indices else ():
        call = moment.event.term if isinstance(moment.event, Evaluated) else None
        if not isinstance(call, Call) or keeps_copies(moment.frame):
            continue
        given = _given(call, frame, indices)
        halved = _halved(moment.frame) if given is not None else ()
        for event, conversion in halved:
            meets = given is not None and keys_of(_receiver(conversion), moment.frame) & keys_of(given, moment.frame)
            if meets and not is_exclusive(event, moment.event) and not _is_widened(conversion, moment.frame):
                return moment.frame.span(conversion.place)
    return None


def _given(call: Call, frame: Frame, indices: list[object]) -> Term | None:
    """What a call passes for the first of some parameters that it passes anything for."""
    offset = int(has_self(frame.function) and isinstance(call.callee, Attribute))
    found = (call.argument(i - offset, frame.function.parameters[i].name) for i in indices if isinstance(i, int))
    return next((one for one in found if one is not None), None)


def _halved(frame: Frame) -> Iterator[tuple[Evaluated, Call]]:
    """The casts to float16 that a function makes by a method."""
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if isinstance(call, Call) and isinstance(call.callee, Attribute) and cast_target(call, frame) == "float16":
            assert isinstance(event, Evaluated)
            yield event, call


def _receiver(conversion: Call) -> Term:
    assert isinstance(conversion.callee, Attribute)
    return conversion.callee.base


def _is_unknown(conversion: Call, frame: Frame) -> bool:
    value = frame.value(_receiver(conversion))
    return value.kind is Kind.UNKNOWN or (value.kind is Kind.MODULE and value.of is None)


def _is_trained(conversion: Call, frame: Frame) -> bool:
    """True where the function puts the converted object into training mode, and it stays half."""
    keys = keys_of(_receiver(conversion), frame)
    trains = any(step.kind == "train" and step.keys & keys for step in steps_of(frame))
    return trains and not keeps_copies(frame) and not _is_widened(conversion, frame)


def _is_widened(conversion: Call, frame: Frame) -> bool:
    """True where the function converts the object to float32 as well."""
    keys = keys_of(_receiver(conversion), frame)
    return any(
        isinstance(call.callee, Attribute)
        and cast_target(call, frame) == "float32"
        and keys_of(call.callee.base, frame) & keys
        for call in frame.function.calls
    )


def _names(subject: Term, flags: frozenset[str]) -> bool:
    """True for args.fp16, config["fp16"] and a parameter fp16 in a test."""
    for term in within(subject, 20):
        if isinstance(term, (Attribute, Argument)) and term.name in flags:
            return True
        if isinstance(term, Subscript) and isinstance(term.index, Constant) and term.index.value in flags:
            return True
    return False
