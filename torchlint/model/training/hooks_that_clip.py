"""Hooks that clip: methods that a trainer, an object of another class, calls when the gradients are there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Write
from torchlint.model.frames import Frame
from torchlint.model.gradients.clips import clip_written, clips
from torchlint.model.terms import Call
from torchlint.model.training.compared_acts import calls_by

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# What a method calls that is a training function itself, or undoes the scale.
_OF_TRAINERS = ("backward", "unscale", "get_scale", "scale")
_MAX_FILES = 30


def clippings_of_a_hook(frame: Frame) -> tuple[Call, ...]:
    """The clippings of a method that is no training function itself: it runs no backward pass and unscales nothing.
    None of a method whose name several families of classes have, so that the name does not tell who is called."""
    if frame.view is None or frame.outer is not None or any(calls_by(frame, word) for word in _OF_TRAINERS):
        return ()
    found = tuple(_clippings(frame))
    return found if found and _is_of_one_family(frame, frame.view) else ()


def _clippings(frame: Frame) -> Iterator[Call]:
    for event in frame.function.events:
        if isinstance(event, Write) and (written := clip_written(event)) is not None:
            yield written
        elif isinstance(event, Evaluated) and isinstance(event.term, Call) and clips(event.term, frame):
            yield event.term


def _is_of_one_family(frame: Frame, view: ModuleClass) -> bool:
    """True where all classes of the project with a method of that name have a base of the project in common."""
    project, name = frame.evaluator.project, frame.function.name
    files = project.files_around(frame.path, f"def {name}(".encode())
    if len(files) > _MAX_FILES:
        return False
    family = {id(one) for one in view.ancestors}
    for path in dict.fromkeys((frame.path, *project.looked_into(frame.path, islice(files, _MAX_FILES)))):
        outline = project.outline(path)
        for one in outline.classes.values() if outline is not None else ():
            if name in one.methods and not any(id(base) in family for base in project.linked(one).ancestors):
                return False
    return True
