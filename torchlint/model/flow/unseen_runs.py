"""What runs although nothing calls it by its name: properties that are read, and hooks of the modules that are run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.facts import Function
from torchlint.model.flow.callers import frames_in
from torchlint.model.flow.origins import owner_of
from torchlint.model.frames import Frame, is_decorated, last_name
from torchlint.model.terms import Attribute, Term

if TYPE_CHECKING:
    from torchlint.model.project import Project

_HOOKS = frozenset("register_forward_hook register_forward_pre_hook".split())


def run_by_reading(term: Term, frame: Frame) -> Iterator[Frame]:
    """The property of a class of the same file that the reading of an attribute runs."""
    if not isinstance(term, Attribute) or term.known is not None or term.name not in _properties(frame):
        return
    view = owner_of(term.base, frame)
    method = view.method(term.name) if view is not None else None
    if method is not None and is_decorated(method, "property"):
        yield frame.evaluator.frame(method, view)


def _properties(frame: Frame) -> frozenset[str]:
    """The names of the properties of a file; worked out once."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    known: frozenset[str] | None = top.derived.get("names of properties")
    if known is None:
        functions = (one.function for one in project.functions_in(frame.path))
        found = (one.name for one in functions if is_decorated(one, "property"))
        known = top.derived["names of properties"] = frozenset(found)
    return known


def forward_hooks(project: Project, path: str) -> Iterator[Frame]:
    """The functions that a file registers as forward hooks: they run where the modules do."""
    for frame in frames_in(project, path, "register_forward"):
        for call in frame.function.calls:
            target = frame.value(call.arguments[0]).of if last_name(call) in _HOOKS and call.arguments else None
            if isinstance(target, BoundClosure):
                yield frame.evaluator.nested_frame(target.function, target.frame)
            elif isinstance(target, Function):
                yield frame.evaluator.frame(target, frame.view if target.owner is not None else None)
