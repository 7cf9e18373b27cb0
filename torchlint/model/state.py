"""State: the attributes of a class's instances: what they hold, whether torch knows of them, who writes and who
reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import registered_by
from torchlint.model.annotations import annotated
from torchlint.model.events import Delete, Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment, SelfUse, is_decorated, last_name, self_use
from torchlint.model.regions import grad_is_off
from torchlint.model.terms import Attribute, Call, Constant, Global, Operation, Super, Term
from torchlint.model.values import NONE, UNKNOWN, Kind, Source, TensorValue, join_all

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_VALUES = 12
_LEARNED = {
    "register_buffer": Kind.BUFFER,
    "register_parameter": Kind.PARAMETER,
    "add_module": Kind.MODULE,
    "register_module": Kind.MODULE,
}


class Registration(Enum):
    """How torch knows of an attribute."""

    PARAMETER = "parameter"
    BUFFER = "buffer"
    MODULE = "module"
    OTHER = "by a method of a base class"


@dataclass(frozen=True, slots=True)
class Registered:
    """A registration call: what kind of state, and the term that was registered (None where only the name is known)."""

    how: Registration
    value: Term | None
    moment: Moment | None


class State:
    """The attributes of one class, each looked into when it is asked for."""

    def __init__(self, view: ModuleClass) -> None:
        self._view = view
        self._values: dict[str, TensorValue] = {}
        self._patterns: list[tuple[re.Pattern[str], Registration]] = []

    # Registration

    @cached_property
    def registrations(self) -> dict[str, tuple[Registered, ...]]:
        """The registration calls by attribute name, over all methods; names in loops and f-strings are followed."""
        found: dict[str, list[Registered]] = {}
        for moment in self._registration_calls():
            call = moment.event.term  # type: ignore[attr-defined]
            method = last_name(call.callee)
            how = _registration(method)
            # nn.Module.register_buffer(self, name, value): the object comes first.
            first = 0 if isinstance(call.callee, Attribute) else 1
            name = call.argument(first, "name")
            value = call.argument(first + 1, "tensor" if method == "register_buffer" else "param")
            names = self._view.project.evaluator.strings(name, moment.frame) if name is not None else ()
            if name is not None and not names and (pattern := _pattern(name, moment.frame)) is not None:
                self._patterns.append((pattern, how))
            for text in names:
                found.setdefault(text, []).append(Registered(how, value, moment))
        return {name: tuple(calls) for name, calls in found.items()}

    def _registration_calls(self) -> list[Moment]:
        moments = [moment for moment in self._view.construction if _is_registration(moment)]
        seen = self._view.construction_functions
        for function in self._view.methods:
            if id(function) not in seen:
                frame = self._view.frame(function)
                calls = (Moment(event, frame) for event in self_use(function).steps)
                moments += [moment for moment in calls if _is_registration(moment)]
        return moments

    def registration(self, name: str) -> Registration | None:
        """How the attribute is registered when construction ends; None for a plain one. `del` of a buffer
        un-registers it."""
        if name in self.unregistered:
            return None
        if name in self.registrations:
            return self.registrations[name][0].how
        by_pattern = next((how for pattern, how in self._patterns if pattern.fullmatch(name)), None)
        if by_pattern is not None:
            return by_pattern
        kinds = {self._written(moment).kind for moment in self.writes(name)}
        for kind, how in (
            (Kind.PARAMETER, Registration.PARAMETER), (Kind.BUFFER, Registration.BUFFER), (Kind.MODULE,
            Registration.MODULE),
        ):  # fmt: skip
            if kind in kinds:
                return how
        return self._inherited(name)

    def _inherited(self, name: str) -> Registration | None:
        for base in self._view.foreign_bases:
            kind = registered_by(base, name)
            if kind is not None:
                return Registration(kind)
        return None

    def is_saved(self, name: str) -> bool:
        """True for a persistent buffer of construction: a checkpoint brings the value that belongs to its weights."""
        return any(
            call.how is Registration.BUFFER
            and call.moment is not None
            and id(call.moment.frame.function) in self._view.construction_functions
            and not _is_transient(call.moment)
            for call in self.registrations.get(name, ())
        )

    @cached_property
    def unregistered(self) -> frozenset[str]:
        """The names that some method deletes from the object and does not register again right after."""
        found: set[str] = set()
        for function in self._view.methods:
            steps = self_use(function).steps
            for position, event in enumerate(steps):
                if not isinstance(event, Delete) or not isinstance(event.attribute, str):
                    continue
                is_own = self._view.frame(function).is_self(event.base)
                if is_own and not _registers(steps[position:], event.attribute):
                    found.add(event.attribute)
        return frozenset(found)

    @cached_property
    def registers_itself(self) -> bool:
        """True where the class replaces __setattr__ by one that registers: an assignment is then a registration."""
        return any(
            _calls_registration(ancestor.facts.methods["__setattr__"])
            for ancestor in self._view.ancestors
            if "__setattr__" in ancestor.outline.methods and "__setattr__" in ancestor.facts.methods
        )

    # Writes and reads

    def writes(self, name: str) -> tuple[Moment, ...]:
        """The assignments to an attribute, those of construction first, with what their arguments were there."""
        return self._writes.get(name, ())

    @cached_property
    def _writes(self) -> dict[str, tuple[Moment, ...]]:
        found: dict[str, list[Moment]] = {}
        for moment in self._view.construction:
            self._note_write(moment, found)
        seen = self._view.construction_functions
        for function in self._view.methods:
            if id(function) not in seen:
                for frame, use in self._with_inner(self._view.frame(function), self_use(function)):
                    for event in use.steps:
                        self._note_write(Moment(event, frame), found)
        return {name: tuple(moments) for name, moments in found.items()}

    def _note_write(self, moment: Moment, found: dict[str, list[Moment]]) -> None:
        event = moment.event
        if not isinstance(event, Write) or not moment.frame.is_self(event.base):
            return
        names = (event.attribute,) if isinstance(event.attribute, str) else self._strings(event.attribute, moment.frame)
        for name in names:
            found.setdefault(name, []).append(moment)

    def _strings(self, term: Term, frame: Frame) -> frozenset[str]:
        return self._view.project.evaluator.strings(term, frame)

    def reads(self, name: str) -> tuple[Moment, ...]:
        """Where methods (and functions nested in them) read the attribute from the object."""
        found: list[Moment] = []
        for function in self._view.methods:
            for frame, use in self._with_inner(self._view.frame(function), self_use(function)):
                for event in use.reads.get(name, ()):
                    if isinstance(event.term, Attribute) and frame.is_self(event.term.base):
                        found.append(Moment(event, frame))
        return tuple(found)

    def _with_inner(self, frame: Frame, use: SelfUse) -> list[tuple[Frame, SelfUse]]:
        """A function and those nested in it."""
        found = [(frame, use)]
        for nested, inner in use.inner:
            found += self._with_inner(self._view.project.evaluator.nested_frame(nested, frame), inner)
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """Every attribute that some method assigns."""
        return tuple(self._writes)

    # Values

    def value(self, name: str) -> TensorValue:
        """What the attribute holds: the join of all that is written to it."""
        if name not in self._values:
            self._values[name] = NONE
            self._values[name] = self._evaluate(name)
        return self._values[name]

    def _evaluate(self, name: str) -> TensorValue:
        method = self._view.method(name)
        if method is not None:
            return self._of_method(method)
        values = [self._written(moment) for moment in self.writes(name)[:_MAX_VALUES]]
        values += [self._registered(call) for call in self.registrations.get(name, ())[:_MAX_VALUES]]
        if not values:
            values.append(self.class_value(name))
        joined = join_all(values)
        how = self.registration(name)
        if how is None:
            source = frozenset({Source(id(self._view), "plain", name)})
            return joined.but(sources=joined.sources | source)
        kind = {
            Registration.PARAMETER: Kind.PARAMETER,
            Registration.BUFFER: Kind.BUFFER,
            Registration.MODULE: Kind.MODULE,
        }
        source = frozenset({Source(id(self._view), "state", name)})
        detached = how is Registration.BUFFER and joined.detached
        return joined.but(kind=kind.get(how, joined.kind), sources=source, detached=detached)

    def _of_method(self, method: Function) -> TensorValue:
        if is_decorated(method, "property") or is_decorated(method, "cached_property"):
            return self._view.project.evaluator.returned(self._view.frame(method))
        return TensorValue(Kind.CALLABLE, of=method)

    def _written(self, moment: Moment) -> TensorValue:
        event, evaluator = moment.event, self._view.project.evaluator
        if not isinstance(event, Write):
            return UNKNOWN
        value = evaluator.value(event.value, moment.frame)
        return value.but(detached=True) if value.kind is Kind.TENSOR and grad_is_off(moment, evaluator) else value

    def _registered(self, call: Registered) -> TensorValue:
        if call.value is None or call.moment is None:
            return UNKNOWN
        return self._view.project.evaluator.value(call.value, call.moment.frame)

    def class_value(self, name: str) -> TensorValue:
        """What the class itself holds under a name: a class-level value, or what an annotation promises."""
        project = self._view.project
        for ancestor in self._view.ancestors:
            if name not in ancestor.outline.annotations and name not in ancestor.outline.values:
                continue
            facts = ancestor.facts
            if name in facts.annotations:
                # An annotated value of the class is the default of a field: instances may hold another of that kind.
                return annotated(facts.annotations[name], project, facts.path)
            if name in facts.values and not isinstance(facts.values[name], Global):
                top = project.top_frame(facts.path, ancestor.outline.group)
                return project.evaluator.value(facts.values[name], top)
        if self._inherited(name) is not None:
            return TensorValue(Kind.UNKNOWN, dtype="floating") if name in ("weight", "bias") else UNKNOWN
        return UNKNOWN


def _calls_registration(function: Function) -> bool:
    return any(
        isinstance(event, Evaluated) and isinstance(event.term, Call) and last_name(event.term.callee) in _LEARNED
        for event in function.events
    )


def _registration(method: str) -> Registration:
    kind = _LEARNED.get(method)
    return Registration(kind.value) if kind else Registration.OTHER


def _is_registration(moment: Moment) -> bool:
    event = moment.event
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return False
    callee, inputs = event.term.callee, event.term.inputs
    name = last_name(callee)
    named = name in ("add_module", "add_state") or (name.startswith("register_") and not name.endswith("_hook"))
    if not named or not inputs:
        return False
    if isinstance(callee, Attribute):
        return isinstance(callee.base, Super) or moment.frame.is_self(callee.base)
    return moment.frame.is_self(inputs[0])


def _pattern(name: Term, frame: Frame) -> re.Pattern[str] | None:
    """The names that an f-string with unknown parts can make; None for any other term, or one with nothing known."""
    if not isinstance(name, Operation) or name.operator != "f-string":
        return None
    known = [part.value if isinstance(part, Constant) and isinstance(part.value, str) else None for part in name.parts]
    if not any(known):
        return None
    parts = zip(name.parts, known, strict=True)
    return re.compile("".join(_unknown_part(part, frame) if text is None else re.escape(text) for part, text in parts))


def _unknown_part(part: Term, frame: Frame) -> str:
    value = frame.value(part)
    return r"\d+" if value.kind is Kind.NUMBER and value.is_integral else ".+"


def _is_transient(moment: Moment) -> bool:
    """True for register_buffer(.., persistent=False), or with a persistence that is not known."""
    call = moment.event.term  # type: ignore[attr-defined]
    persistent = call.argument(2, "persistent")
    return persistent is not None and not (isinstance(persistent, Constant) and persistent.value is True)


def _registers(steps: list[Event], name: str) -> bool:
    """True where a later step of the same function registers `name`."""
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and isinstance(event.term.callee, Attribute)
        and event.term.callee.name in _LEARNED
        and any(isinstance(term, Constant) and term.value == name for term in event.term.inputs)
        for event in steps
    )
