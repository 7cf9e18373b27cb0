"""Whole numbers in states: whether the modules of a project save any that a rounded share would spoil."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from torchlint.model.flow.callers import frames_in, imports_torch
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.registration import Registration
from torchlint.model.terms import Call, Constant

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_COUNTER = "num_batches_tracked"
_MAX_FILES = 12


def reads_whole_numbers(frame: Frame) -> bool:
    """True where the project around a function saves a buffer of integers, such as a table of positions, or makes a
    BatchNorm with momentum=None: that one reads its counter of batches, which any other only counts up (torch 2.13)."""
    path, project = frame.path, frame.evaluator.project
    around = project.looked_into(path, project.files_around(path, b"register_buffer"))
    files = (file for file in around if file != path and imports_torch(project, file))
    modules = (module for file in (path, *islice(files, _MAX_FILES)) for module in project.modules_in(file))
    if any(map(_saves_integers, modules)):
        return True
    around = project.looked_into(path, project.files_around(path, b"momentum=None"))
    functions = (function for file in islice(around, _MAX_FILES) for function in frames_in(project, file, "momentum"))
    return any(map(_has_own_average, functions))


def _saves_integers(module: ModuleClass) -> bool:
    state = module.state
    names = (name for name in dict.fromkeys((*state.registrations, *state.names)) if name != _COUNTER)
    buffers = (name for name in names if state.registration(name) is Registration.BUFFER and state.is_saved(name))
    return any(state.value(name).is_integral for name in buffers)


def _has_own_average(frame: Frame) -> bool:
    """True where a function makes a BatchNorm whose running values are plain averages."""
    norms = (call for call in frame.function.calls if "BatchNorm" in last_name(call))
    return any(_is_none(call) for call in norms)


def _is_none(call: Call) -> bool:
    momentum = call.argument(2, "momentum")
    return isinstance(momentum, Constant) and momentum.value is None
