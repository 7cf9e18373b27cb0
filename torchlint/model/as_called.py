"""Functions as callers enter them: with the objects of the project that they are given, where the words of the function
do not say what its parameters are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import returned
from torchlint.model.callers import calling
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.terms import Argument, Attribute, Call
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_FRAMES = 4
_CALL = "__call__"
# Methods that objects of other libraries have as well.
_COMMON = frozenset(dir(list) + dir(dict) + dir(str) + dir(set)) | frozenset(
    """
    __call__ forward parameters buffers state_dict load_state_dict train eval to half cuda cpu modules children step
    zero_grad backward fit predict transform reset sample close read write run start stop save load open next log info
    astype tobytes name device dtype encode decode
    """.split()
)
_OBJECTS = frozenset((Kind.OBJECT, Kind.MODULE))
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def as_called(frame: Frame) -> tuple[Frame, ...]:
    """The frame, and the function with the objects that its callers in the file give it, or that its own words tell:
    `def update(rollout)` beside `class Rollout`, or any parameter whose methods one class of the file alone has."""
    asked = _asked_of_parameters(frame.function) if frame.outer is None and not frame.arguments else {}
    return frame.once("as called", lambda: (frame, *_known(frame, asked))) if asked else (frame,)


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
                asked.setdefault(owner.index, set()).add(term.name if isinstance(term, Attribute) else _CALL)
            elif isinstance(term, Call) and last_name(term) == "DataLoader":
                given = (one for one in term.arguments if isinstance(one, Argument) and one.index >= first)
                asked |= {one.index: asked.get(one.index, set()) for one in given if _is_open(one, function)}
        known = {index: frozenset(names) for index, names in asked.items()}
        function.derived["asked of parameters"] = known
    return known


def _is_open(argument: Argument, function: Function) -> bool:
    parameter = function.parameters[argument.index] if argument.index < len(function.parameters) else None
    return parameter is not None and not parameter.kind and parameter.annotation is None


def _known(frame: Frame, asked: Mapping[int, frozenset[str]]) -> Iterator[Frame]:
    named = {index: value for index, names in asked.items() for value in _named_after(index, names, frame)}
    if named:
        yield _bound(frame, named)
    found = (_bound(frame, given) for given in _given(frame, asked) if given)
    yield from islice(found, _MAX_FRAMES)


def _bound(frame: Frame, arguments: Mapping[int, TensorValue]) -> Frame:
    return Frame(frame.evaluator, frame.function, frame.view, dict(arguments), depth=frame.depth)


# Objects that the function's own words tell


def _named_after(index: int, names: frozenset[str], frame: Frame) -> Iterator[TensorValue]:
    view = _class_called(frame.function.parameters[index].name, frame) or _class_with(names, frame)
    if view is not None and names and all(_has(view, name) for name in names):
        kind = Kind.MODULE if view.is_module else Kind.OBJECT
        yield TensorValue(kind, of=view, made_by="instance", origin=frame.span(frame.function.place))


def _class_called(name: str, frame: Frame) -> ModuleClass | None:
    """The class of the file whose name is that of a parameter."""
    outline = frame.evaluator.project.outline(frame.path)
    classes = [one for one in outline.classes if _plain(one) == name] if outline is not None else []
    return frame.evaluator.project.view_of(frame.path, classes[0]) if len(classes) == 1 else None


def _class_with(names: frozenset[str], frame: Frame) -> ModuleClass | None:
    """The class of the file that alone, but for its subclasses, has a method that a parameter is asked for."""
    distinct = [name for name in names if name not in _COMMON and returned(f"Tensor.{name}") is None]
    outline = frame.evaluator.project.outline(frame.path) if distinct else None
    owners = (
        [one for one in outline.classes.values() if any(name in one.methods for name in distinct)] if outline else []
    )
    views = [frame.evaluator.project.linked(one) for one in owners]
    bases = [view for view in views if not any(other in view.ancestors for other in views if other is not view)]
    return bases[0] if len(bases) == 1 and bases[0] is not frame.view else None


def _plain(name: str) -> str:
    """ReplayBuffer as a parameter is called: replay_buffer; "" for what is no name of a class."""
    return _WORDS.sub("_", name).lower() if name[:1].isupper() else ""


def _has(view: ModuleClass, name: str) -> bool:
    if name == _CALL:
        return view.method(_CALL) is not None or (view.is_module and view.method("forward") is not None)
    return view.method(name) is not None or name in view.state.names or name in view.facts.annotations


# Objects that callers give


def _given(frame: Frame, asked: Mapping[int, frozenset[str]]) -> Iterator[dict[int, TensorValue]]:
    """What each call in the file gives for the parameters in question, where that is an object of the project."""
    function, project = frame.function, frame.evaluator.project
    owner = function.owner or ""
    name = owner.rpartition(".")[2] if function.name == "__init__" else function.name
    for caller in calling(project, frame.path, name):
        for call in caller.function.calls:
            if last_name(call) == name and caller.function is not function and _enters(call, caller, frame):
                yield dict(_objects(call, caller, frame, asked))


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
) -> Iterator[tuple[int, TensorValue]]:
    offset = int(has_self(frame.function))
    for index in asked:
        term = call.argument(index - offset, frame.function.parameters[index].name)
        value = caller.value(term) if term is not None else None
        if value is not None and value.kind in _OBJECTS and value.of is not None and value.made_by != "self":
            yield index, value
