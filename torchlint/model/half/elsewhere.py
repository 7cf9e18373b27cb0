"""Parameters that an optimizer gets in one function and another makes half: of a class whose objects a script converts,
and of a model that a helper is given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.dtypes.cast_targets import cast_target
from torchlint.model.events import Evaluated
from torchlint.model.flow.callers import callers_of, frames_in
from torchlint.model.flow.same_object import Key, is_exclusive, keys_of, steps_of
from torchlint.model.flow.signatures import receiver_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.half.conversions import conversions
from torchlint.model.half.trained import wholes
from torchlint.model.half.types import cast_to
from torchlint.model.terms import Argument, Attribute, Call, Constant, Subscript, Term
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import within
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# Wrappers that keep float32 copies of the parameters.
_KEEPS_COPIES = ("fp16", "master", "apex", "deepspeed", "fsdp", "mixedprecision")
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


def keeps_copies(frame: Frame) -> bool:
    """True for a function that speaks of a wrapper with float32 copies of the parameters."""
    calls = [(call, last_name(call).lower()) for call in frame.function.calls]
    initialised = any(name == "initialize" and call.inputs for call, name in calls)
    return initialised or any(word in name for _, name in calls for word in _KEEPS_COPIES)


def _by_script(view: ModuleClass) -> Span | None:
    """The conversion of an object of the class in a function that trains it: others only try it out."""
    for one in view.project.conversions.of(view):
        if "float16" in cast_to(one.call, one.frame) and _is_trained(one.call, one.frame):
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
        keys_given = keys_of(given, moment.frame) if given is not None else frozenset()
        widened = [one[1] for one in conversions((moment.frame,), narrow=False)] if keys_given else []
        for event, converted, span in conversions((moment.frame,), narrow=True) if keys_given else ():
            is_meant = converted & keys_given and not is_exclusive(event, moment.event)
            if is_meant and not any(converted & one for one in widened):
                return span
    return None


def _given(call: Call, frame: Frame, indices: list[object]) -> Term | None:
    """What a call passes for the first of some parameters that it passes anything for."""
    offset = int(receiver_of(call, frame.function) is not None)
    found = (call.argument(i - offset, frame.function.parameters[i].name) for i in indices if isinstance(i, int))
    return next((one for one in found if one is not None), None)


def _halved(frame: Frame) -> Iterator[tuple[Evaluated, Call]]:
    """The casts to float16 that a function makes by a method."""
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if isinstance(call, Call) and "float16" in cast_to(call, frame):
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
