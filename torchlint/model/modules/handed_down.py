"""Tensors that the owner of a module hands to its constructor.

A conversion of the owner gives it a new buffer; the module that keeps the old one on a plain attribute is not told.
A Parameter keeps its identity instead, and what is registered in both places is converted twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.model.devices.placements import device_of
from torchlint.model.events import Write
from torchlint.model.flow.callers import constructed_in, imports_torch, is_named_test
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment
from torchlint.model.terms import Argument, Attribute, Call, Comprehension, Display, Term
from torchlint.model.values import Kind, TensorValue, join_all

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_FILES = 12


def handed_down(module: ModuleClass, moment: Moment) -> TensorValue | None:
    """What `self.x = x` keeps where every construction in sight passes a buffer of the module that makes it, or a
    tensor that this one makes on the CPU; None where one passes anything else."""
    event, frame = moment.event, moment.frame
    term = event.value if isinstance(event, Write) else None
    if not isinstance(term, Argument) or frame.function.name != "__init__" or term.index in frame.arguments:
        return None
    if frame.function.owner != module.qualname or frame.outer is not None or not term.index:
        return None
    found = [_given(call, caller, term) for call, caller in _constructions(module)]
    given = [value for value in found if value is not None]
    return join_all(given) if given and len(given) == len(found) else None


def _constructions(module: ModuleClass) -> tuple[tuple[Call, Frame], ...]:
    """The calls that build the class. Other files are asked only where its own file has one inside of a module."""
    project, top = module.project, module.frame(module.method("__init__"))  # type: ignore[arg-type]

    def find() -> Iterator[tuple[Call, Frame]]:
        here = list(constructed_in(module, module.path))
        yield from here
        if here and all(_builds(call, frame) for call, frame in here):
            name = module.qualname.rpartition(".")[2].encode()
            around = project.looked_into(module.path, project.files_around(module.path, name))
            others = (file for file in around if file != module.path and not is_named_test(file))
            for file in islice((file for file in others if imports_torch(project, file)), _MAX_FILES):
                yield from constructed_in(module, file)

    return top.once("constructions", find)


def _given(call: Call, frame: Frame, parameter: Argument) -> TensorValue | None:
    """What a module hands to one that it builds and keeps; None for what is neither its buffer nor made by it."""
    given = call.argument(parameter.index - 1, parameter.name)
    if given is None or not _builds(call, frame):
        return None
    value = frame.value(given)
    is_made = value.kind is Kind.TENSOR and device_of(value.placed) == "cpu" and not value.is_given
    return value.but(kind=Kind.TENSOR, is_given=False) if is_made or _is_buffer(given, value, frame) else None


def _is_buffer(term: Term, value: TensorValue, frame: Frame) -> bool:
    return value.kind is Kind.BUFFER and isinstance(term, Attribute) and frame.is_self(term.base)


def _builds(call: Call, frame: Frame) -> bool:
    """True where a module builds another while it is built itself, and keeps it."""
    view = frame.view
    if view is None or not view.is_module or id(frame.function) not in view.construction_functions:
        return False
    parents = parents_in(frame.function).get(id(call), ())
    return any(isinstance(parent, (Write, Call, Display, Comprehension)) for parent in parents)
