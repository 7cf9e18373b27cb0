"""Methods of objects whose class is not known: what the modules of the project do under that name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.origins import owner_of
from torchlint.model.flow.signatures import takes
from torchlint.model.frames import Frame, has_self, is_decorated, last_name
from torchlint.model.terms import Attribute, Call
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_FILES = 8
_MAX_METHODS = 6


def entered_by_name(call: Call, frame: Frame) -> tuple[Frame, ...]:
    """The methods that `model.log_prob(x)` may enter, where nothing is known of the model: those of that name in the
    modules of the project that take what is given; none where there are many, or where one of them does not say what it
    does."""
    callee = call.callee
    if not isinstance(callee, Attribute) or callee.name.startswith("__") or frame.is_self(callee.base):
        return ()
    if frame.value(callee.base).kind is not Kind.UNKNOWN or frame.value(callee.base).of is not None:
        return ()
    named = _methods_named(callee.name, frame)
    fitting = (one for one in named if takes(one[1], call, 1 if has_self(one[1]) else 0))
    found = list(islice(fitting, _MAX_METHODS + 1))
    if len(found) > _MAX_METHODS or any(method.nested or method.decorators for _, method in found):
        return ()
    return tuple(frame.evaluator.frame(method, view) for view, method in found if not _is_abstract(method))


def properties_entered(term: Attribute, frame: Frame) -> tuple[Frame, ...]:
    """The properties that an attribute reads: that of the object's class, or where nothing is known of the object those
    of this name in the modules of the file."""
    owner = owner_of(term.base, frame)
    if owner is None and frame.value(term.base).kind not in (Kind.UNKNOWN, Kind.MODULE):
        return ()
    views = (owner,) if owner is not None else modules_with(term.name, frame.path, frame)
    found = [(view, view.method(term.name)) for view in views]
    return tuple(view.frame(one) for view, one in found if one is not None and is_decorated(one, "property"))


def modules_with(name: str, path: str, frame: Frame) -> Iterator[ModuleClass]:
    """The module classes of a file that write a method of that name."""
    project = frame.evaluator.project
    outline = project.outline(path)
    for one in outline.classes.values() if outline is not None else ():
        view = project.linked(one) if name in one.methods else None
        if view is not None and view.is_module:
            yield view


def _methods_named(name: str, frame: Frame) -> Iterator[tuple[ModuleClass, Function]]:
    project = frame.evaluator.project
    around = project.looked_into(frame.path, project.files_around(frame.path, f"def {name}".encode()))
    for path in dict.fromkeys((frame.path, *islice(around, _MAX_FILES))):
        for view in modules_with(name, path, frame):
            method = view.facts.methods.get(name)
            if method is not None:
                yield view, method


def _is_abstract(method: Function) -> bool:
    """True for a method that computes nothing: it only raises, whatever the text, or is empty."""
    steps = (event for event in method.events if isinstance(event, Evaluated) and not event.guards())
    is_refused = any(last_name(event.term) == "NotImplementedError" for event in steps)
    return not method.returned and (is_refused or not method.events)
