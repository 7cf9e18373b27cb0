"""What is not known of a class: one sentence for each gap, so that silence about it is never taken for knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import MODULE_MEMBERS
from torchlint.model.events import Evaluated, ItemWrite, Write
from torchlint.model.frames import Moment, last_name
from torchlint.model.modules.attributes import names_read, nests_class
from torchlint.model.modules.sightings import every_moment, span_of
from torchlint.model.terms import Attribute, Call, Super, Term
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_REGISTERING = frozenset("register_buffer register_parameter register_module add_module".split())
_REGISTRIES = frozenset("__dict__ _buffers _parameters _modules".split())
# Decorators that give or take no attribute.
_HARMLESS_DECORATORS = frozenset(
    "dataclass final runtime_checkable total_ordering deprecated add_start_docstrings".split()
)
# Functions that only look at the object, or are followed by other means.
_LOOKING = frozenset(
    "isinstance issubclass id type hasattr getattr setattr delattr super len repr str hash print".split()
)


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is not known: a whole sentence, and the place that it speaks of."""

    text: str
    span: Span | None = None


def gaps(view: ModuleClass, unknown_bases: tuple[str, ...]) -> tuple[Gap, ...]:
    """Everything that the model knows not to know of the class. unknown_bases: as people would name them."""
    found = (
        *_circles(view),
        *_decorators(view),
        *(gap for moment in every_moment(view) for gap in _names_at_run_time(moment, view)),
        *(gap for moment in view.construction for gap in _calls_not_followed(moment, view)),
        *_answers_for_any_name(view),
        *_never_assigned(view, unknown_bases),
    )
    return tuple(dict.fromkeys(found))


def _circles(view: ModuleClass) -> Iterator[Gap]:
    """A base stands behind what derives from it; one that stands before it is reached in a circle, and left out."""
    seen: list[ModuleClass] = []
    for ancestor in view.ancestors:
        seen.append(ancestor)
        for base in (view.project.names.of_term(term, ancestor.path) for term in ancestor.outline.bases):
            if base in seen:
                text = f"the bases go in a circle: {ancestor.name} derives from {getattr(base, 'name', '')} again"
                yield Gap(text, ancestor.span)


def _decorators(view: ModuleClass) -> Iterator[Gap]:
    for ancestor in view.ancestors:
        for term in ancestor.facts.decorators:
            name = last_name(term) or "an expression"
            if name not in _HARMLESS_DECORATORS:
                text = f"the class {ancestor.name} is decorated with {name}: what the decorator changes is not followed"
                yield Gap(text, Span(ancestor.path, *term.place))


def _names_at_run_time(moment: Moment, view: ModuleClass) -> Iterator[Gap]:
    event, frame = moment.event, moment.frame
    if isinstance(event, Write) and not isinstance(event.attribute, str) and frame.is_self(event.base):
        if not view.project.evaluator.strings(event.attribute, frame):
            yield Gap("setattr() with a name that is known only at run time: any attribute may be set", span_of(moment))
    elif isinstance(event, ItemWrite) and _is_registry(event.base, moment):
        if not view.project.evaluator.strings(event.index, frame):
            registry = event.base.name  # type: ignore[attr-defined]
            yield Gap(f"self.{registry}[...] is assigned under a name known only at run time", span_of(moment))
    elif isinstance(event, Evaluated) and isinstance(event.term, Call):
        yield from _registers_at_run_time(event.term, moment, view)


def _registers_at_run_time(call: Call, moment: Moment, view: ModuleClass) -> Iterator[Gap]:
    callee = call.callee
    if not isinstance(callee, Attribute):
        return
    if callee.name == "update" and _is_registry(callee.base, moment):
        registry = callee.base.name  # type: ignore[attr-defined]
        yield Gap(f"self.{registry}.update(): which attributes it sets is not known", span_of(moment))
    on_object = isinstance(callee.base, Super) or moment.frame.is_self(callee.base)
    if callee.name not in _REGISTERING or not on_object:
        return
    name = call.argument(0, "name")
    if name is None or not view.project.evaluator.strings(name, moment.frame):
        yield Gap(f"{callee.name}() with a name that is known only at run time", span_of(moment))


def _is_registry(term: Term, moment: Moment) -> bool:
    return isinstance(term, Attribute) and term.name in _REGISTRIES and moment.frame.is_self(term.base)


def _calls_not_followed(moment: Moment, view: ModuleClass) -> Iterator[Gap]:
    """Calls of construction that pass the object to a function that is not found: it may set anything on it."""
    term = moment.event.term if isinstance(moment.event, Evaluated) else None
    if not isinstance(term, Call) or not any(moment.frame.is_self(passed) for passed in term.inputs):
        return
    name = last_name(term)
    if name in _LOOKING or any(True for _ in view.callees(term, moment.frame)):
        return
    if isinstance(term.callee, Attribute) and moment.frame.is_self(term.callee.base):
        return
    whom = name or getattr(term.callee, "name", "") or "a function without a name"
    text = f"construction passes the object to {whom}, which is not followed: it may set attributes"
    yield Gap(text, span_of(moment))


def _answers_for_any_name(view: ModuleClass) -> Iterator[Gap]:
    for name in ("__getattr__", "__getattribute__"):
        method = view.method(name)
        if method is not None:
            span = view.frame(method).span(method.place)
            yield Gap(f"{name} may answer for names that nothing assigns: where such values live is not known", span)
    if view.state.registers_itself:
        yield Gap("__setattr__ is replaced by one that registers: an assignment may be a registration")


def _never_assigned(view: ModuleClass, unknown_bases: tuple[str, ...]) -> Iterator[Gap]:
    names = [name for name in names_read(view) if not name.startswith("__") and not _is_explained(name, view)]
    if not names:
        return
    listed = ", ".join(f"self.{name}" for name in names)
    whose = " or ".join((*unknown_bases, "code outside the class"))
    yield Gap(f"read, but assigned nowhere that was looked at: {listed} (from {whose})")


def _is_explained(name: str, view: ModuleClass) -> bool:
    state = view.state
    if view.is_module and name in MODULE_MEMBERS:
        return True
    if view.method(name) is not None or state.writes(name) or state.registration(name) is not None:
        return True
    return any(name in a.facts.values or name in a.facts.annotations or nests_class(a, name) for a in view.ancestors)
