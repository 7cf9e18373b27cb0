"""Functions as callers enter them: with the objects of the project that they are given, where the words of the function
do not say what its parameters are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.callers import calling
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.names.held_objects import with_held_objects
from torchlint.model.names.objects_named import CALL, objects_behind, objects_named
from torchlint.model.terms import Argument, Attribute, Call
from torchlint.model.values import TensorValue

_MAX_FRAMES = 4


def as_called(frame: Frame) -> tuple[Frame, ...]:
    """The frame, and the function with the objects that its callers in the file give it, or that its own words tell:
    `def update(rollout)` beside `class Rollout`, or any parameter whose methods one class of the file alone has."""
    if frame.outer is not None or frame.arguments:
        return (frame,)
    return frame.once("as called", lambda: (frame, *_known(frame), *with_held_objects(frame)[:_MAX_FRAMES]))


def _asked_of_parameters(function: Function) -> dict[int, frozenset[str]]:
    """What a function asks of each parameter that nothing is said about: its attributes, "__call__", nothing of a data
    set that it only loads."""
    known: dict[int, frozenset[str]] | None = function.derived.get("asked of parameters")
    if known is None:
        first = int(has_self(function))
        asked: dict[int, set[str]] = {}
        for event in function.events:
            term = event.term if isinstance(event, Evaluated) else None
            owner = term.callee if isinstance(term, Call) else term.base if isinstance(term, Attribute) else None
            if isinstance(owner, Argument) and owner.index >= first and _is_open(owner, function):
                asked.setdefault(owner.index, set()).add(term.name if isinstance(term, Attribute) else CALL)
            elif isinstance(term, Call) and last_name(term) == "DataLoader":
                given = (one for one in term.arguments if isinstance(one, Argument) and one.index >= first)
                asked |= {one.index: asked.get(one.index, set()) for one in given if _is_open(one, function)}
        known = {index: frozenset(names) for index, names in asked.items()}
        function.derived["asked of parameters"] = known
    return known


def _is_open(argument: Argument, function: Function) -> bool:
    parameter = function.parameters[argument.index] if argument.index < len(function.parameters) else None
    return parameter is not None and not parameter.kind and parameter.annotation is None


def _known(frame: Frame) -> Iterator[Frame]:
    asked = _asked_of_parameters(frame.function)
    named = {index: tuple(_named_after(index, names, frame)) for index, names in asked.items()}
    yield from (_bound(frame, given) for given in islice(_combined(named), _MAX_FRAMES))
    yield from (_bound(frame, given) for given in islice(_given(frame, asked) if asked else (), _MAX_FRAMES))


def _combined(found: Mapping[int, Sequence[TensorValue]]) -> Iterator[dict[int, TensorValue]]:
    """Each parameter as the first of what it may be, then one after the other as something else."""
    first = {index: values[0] for index, values in found.items() if values}
    if first:
        yield first
    yield from ({**first, index: value} for index, values in found.items() for value in values[1:])


def _named_after(index: int, names: frozenset[str], frame: Frame) -> Iterator[TensorValue]:
    return objects_named(frame.function.parameters[index].name, names, frame)


def _bound(frame: Frame, arguments: Mapping[int, TensorValue]) -> Frame:
    return Frame(frame.evaluator, frame.function, frame.view, dict(arguments), depth=frame.depth)


# Objects that callers give


def _given(frame: Frame, asked: Mapping[int, frozenset[str]]) -> Iterator[dict[int, TensorValue]]:
    """What each call in the file gives for the parameters in question, where that is an object of the project."""
    function, project = frame.function, frame.evaluator.project
    owner = function.owner or ""
    name = owner.rpartition(".")[2] if function.name == "__init__" else function.name
    for caller in calling(project, frame.path, name):
        for call in caller.function.calls:
            if last_name(call) == name and caller.function is not function.definition and _enters(call, caller, frame):
                yield from _combined(dict(_objects(call, caller, frame, asked)))


def _enters(call: Call, caller: Frame, frame: Frame) -> bool:
    """True for a call of the frame's function: by its name, or on an object of the class."""
    function = frame.function
    if function.owner is None or function.name == "__init__":
        found = caller.evaluator.project.names.of_term(call.callee, caller.path)
        return found is (function if function.owner is None else frame.view)
    value = caller.value(call.callee.base) if isinstance(call.callee, Attribute) else None
    return value is not None and value.of is not None and value.of is frame.view


def _objects(
    call: Call, caller: Frame, frame: Frame, asked: Mapping[int, frozenset[str]]
) -> Iterator[tuple[int, tuple[TensorValue, ...]]]:
    offset = int(has_self(frame.function))
    for index in asked:
        term = call.argument(index - offset, frame.function.parameters[index].name)
        yield index, tuple(objects_behind(term, caller)) if term is not None else ()
