"""State: the attributes of a class's instances: what they hold, whether torch knows of them, who writes and who
reads them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import registered_by
from torchlint.model.evaluation.conditions import is_ruled_out
from torchlint.model.evaluation.fixpoints import Open
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.frames import Frame, Moment, SelfUse, is_decorated, self_use
from torchlint.model.modules.registration import (
    Registered,
    Registration,
    Registry,
    is_transient,
    registered_by_value,
    registers,
)
from torchlint.model.names.annotations import annotated
from torchlint.model.terms import Attribute, Call, Global, Super, Term
from torchlint.model.values import ABSENT, UNKNOWN, Kind, Pattern, Source, TensorValue, join_all, strings_of

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_Calls = tuple[dict[str, tuple[Registered, ...]], tuple[tuple[Pattern, Registered], ...]]

_MAX_VALUES = 12
_KINDS = {
    Registration.PARAMETER: Kind.PARAMETER,
    Registration.BUFFER: Kind.BUFFER,
    Registration.MODULE: Kind.MODULE,
}


class State:
    """The attributes of one class, each looked into when it is asked for."""

    def __init__(self, view: ModuleClass) -> None:
        self._view = view
        self._registry = Registry(view)
        self._values: dict[str, TensorValue | Open[TensorValue]] = {}
        self._known_ways: dict[str, tuple[Registration, ...]] = {}
        self._past_torch: set[int] = set()

    # Registration

    @property
    def registrations(self) -> dict[str, tuple[Registered, ...]]:
        """The registration calls by attribute name, over all methods, wherever the name comes from."""
        return self._registered[0]

    @cached_property
    def _registered(self) -> _Calls:
        """The registration calls, and those whose names are known in part. A name may itself be held by an attribute:
        what is asked of the state to know it finds no registrations yet, and is asked again afterwards."""
        self.__dict__["_registered"] = ({}, ())
        before = (set(self._values), set(self._known_ways))
        found: dict[str, list[Registered]] = {}
        patterns: list[tuple[Pattern, Registered]] = []
        for name, registered in self._registry.found():
            if isinstance(name.constant, Pattern):
                patterns.append((name.constant, registered))
            for text in strings_of(name):
                found.setdefault(text, []).append(registered)
        fixpoints = self._view.project.evaluator.fixpoints
        fixpoints.retract(self._values, self._values.keys() - before[0])
        fixpoints.retract(self._known_ways, self._known_ways.keys() - before[1])
        return {name: tuple(calls) for name, calls in found.items()}, tuple(patterns)

    @property
    def _patterns(self) -> Iterator[tuple[Pattern, Registration | None]]:
        """The names of which only a part is known, and how they are registered."""
        yield from ((pattern, registered.how) for pattern, registered in self._registered[1])
        yield from ((pattern, self._registered_by(moment)) for pattern, moment in self._all_writes[1])

    @property
    def numbered_writes(self) -> tuple[tuple[Pattern, Moment], ...]:
        """The assignments to names of which only a part is known."""
        return self._all_writes[1]

    def may_register(self, pattern: Pattern) -> bool:
        """True where something is registered under such a name."""
        return any(how is not None and one.expressions & pattern.expressions for one, how in self._patterns)

    def registration(self, name: str) -> Registration | None:
        """How the attribute is registered when construction ends; None for a plain one. Of several ways the likeliest:
        what a call registers, then what an assignment does."""
        return next(iter(self._ways(name)), None)

    def registrations_of(self, name: str) -> frozenset[Registration]:
        """Every way in which the attribute may be registered when construction ends: code that is run under a condition
        may make a parameter of what is a buffer otherwise."""
        return frozenset(self._ways(name))

    def _ways(self, name: str) -> tuple[Registration, ...]:
        if name not in self._known_ways:
            self._known_ways[name] = () if name in self._lost_later else tuple(dict.fromkeys(self._find_ways(name)))
        return self._known_ways[name]

    def _find_ways(self, name: str) -> Iterator[Registration]:
        deleted = self.deleted.get(name, -1)
        calls = [call for call in self.registrations.get(name, ()) if self.is_after(call.moment, deleted)]
        yield from sorted((call.how for call in calls), key=lambda how: how is Registration.OTHER)
        if deleted < 0:
            yield from (how for pattern, how in self._patterns if how is not None and pattern.matches(name))
        assigned = {self._registered_by(moment) for moment in self.writes(name) if self.is_after(moment, deleted)}
        yield from (how for how in Registration if how in assigned)
        inherited = self._inherited(name) if deleted < 0 else None
        if inherited is not None:
            yield inherited

    def is_after(self, moment: Moment | None, deleted: int) -> bool:
        """True for what happens after the position of a deletion."""
        return moment is None or self._position.get(id(moment), len(self._position)) > deleted

    @cached_property
    def _position(self) -> dict[int, int]:
        return {id(moment): position for position, moment in enumerate(self._view.construction)}

    @cached_property
    def deleted(self) -> dict[str, int]:
        """Where construction last takes a name out of the object."""
        return {name: position for position, name in self._registry.deletions()}

    @cached_property
    def _lost_later(self) -> frozenset[str]:
        return frozenset(self._registry.lost_later())

    def _registered_by(self, moment: Moment) -> Registration | None:
        """How an assignment registers its attribute."""
        if id(moment) in self._past_torch or is_ruled_out(moment):
            return None
        return registered_by_value(self._written(moment))

    def registering_writes(self, name: str) -> tuple[Moment, ...]:
        """The assignments that register an attribute; none where something else does so as well."""
        others = name in self.registrations or self._inherited(name) is not None
        if others or any(pattern.matches(name) for pattern, _ in self._patterns):
            return ()
        return tuple(moment for moment in self.writes(name) if self._registered_by(moment) is not None)

    def _inherited(self, name: str) -> Registration | None:
        # Torch's own layers are known by their tables also where their files are read.
        for base in (*(ancestor.dotted for ancestor in self._view.ancestors), *self._view.foreign_bases):
            kind = registered_by(base, name)
            if kind is not None:
                return Registration(kind)
        return None

    def is_saved(self, name: str) -> bool:
        """True for a persistent buffer of construction: a checkpoint brings the value that belongs to its weights."""
        assigned = (
            Registered(Registration.BUFFER, None, moment)
            for moment in self.writes(name)
            if self._registered_by(moment) is Registration.BUFFER
        )
        return any(
            one.how is Registration.BUFFER
            and one.moment is not None
            and id(one.moment.frame.function) in self._view.construction_functions
            and not is_transient(one)
            for one in (*self.registrations.get(name, ()), *assigned)
        )

    @cached_property
    def registers_itself(self) -> bool:
        """True where the class replaces __setattr__ by one that registers: an assignment is then a registration."""
        return any(
            registers(ancestor.facts.methods["__setattr__"])
            for ancestor in self._view.ancestors
            if not self._view.project.imports.defines_module(ancestor.path)
            and "__setattr__" in ancestor.outline.methods
            and "__setattr__" in ancestor.facts.methods
        )

    # Writes and reads

    def writes(self, name: str) -> tuple[Moment, ...]:
        """The assignments to an attribute, those of construction first, with what their arguments were there."""
        return self._writes.get(name, ())

    @property
    def _writes(self) -> dict[str, tuple[Moment, ...]]:
        return self._all_writes[0]

    @cached_property
    def _all_writes(self) -> tuple[dict[str, tuple[Moment, ...]], tuple[tuple[Pattern, Moment], ...]]:
        """The assignments by name, and those of names of which only a part is known."""
        found: dict[str, list[Moment]] = {}
        patterns: list[tuple[Pattern, Moment]] = []
        before: Moment | None = None
        for moment in self._moments():
            if isinstance(moment.event, Write) and _is_own(moment.event.base, moment.frame):
                names, pattern = self._names(moment.event.attribute, moment.frame)
                for name in names:
                    found.setdefault(name, []).append(moment)
                if pattern is not None:
                    patterns.append((pattern, moment))
                if moment.event.unseen or (before is not None and _goes_past_torch(before.event)):
                    self._past_torch.add(id(moment))
            before = moment
        return {name: tuple(moments) for name, moments in found.items()}, tuple(patterns)

    def _moments(self) -> Iterator[Moment]:
        """What happens to the object: construction first, then each other method, as it is written."""
        yield from self._view.construction
        seen = self._view.construction_functions
        for function in self._view.methods:
            if id(function) not in seen:
                for frame, use in self._with_inner(self._view.frame(function), self_use(function)):
                    yield from (Moment(event, frame) for event in use.steps)

    def _names(self, attribute: str | Term, frame: Frame) -> tuple[frozenset[str], Pattern | None]:
        if isinstance(attribute, str):
            return frozenset({attribute}), None
        value = frame.value(attribute)
        return strings_of(value), value.constant if isinstance(value.constant, Pattern) else None

    def reads(self, name: str) -> tuple[Moment, ...]:
        """Where methods (and functions nested in them) read the attribute from the object."""
        return tuple(
            Moment(event, frame)
            for frame, use in self._uses
            for event in use.reads.get(name, ())
            if isinstance(event.term, Attribute) and frame.is_self(event.term.base)
        )

    @cached_property
    def _uses(self) -> list[tuple[Frame, SelfUse]]:
        """Every method, and the functions nested in them, with what it does with the object."""
        methods = self._view.methods
        return [one for method in methods for one in self._with_inner(self._view.frame(method), self_use(method))]

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
        known = self._values.get(name)
        fixpoints = self._view.project.evaluator.fixpoints
        if known is not None:
            return fixpoints.needed(known) if isinstance(known, Open) else known
        return fixpoints.settle(self._values, name, ABSENT, self._evaluate, name)

    def _evaluate(self, name: str) -> TensorValue:
        method = self._view.method(name)
        if method is not None:
            return self._of_method(method)
        values = [self._written(moment) for moment in self._assigned(name)[:_MAX_VALUES]]
        values += [self._given(call) for call in self.registrations.get(name, ())[:_MAX_VALUES]]
        if not values:
            values += self._by_pattern(name)
        if not values:
            values.append(self.class_value(name))
        joined = join_all(values)
        how = self.registration(name)
        if how is None:
            source = frozenset({Source(id(self._view), "plain", name)})
            return joined.but(sources=joined.sources | source)
        source = frozenset({Source(id(self._view), "state", name)})
        detached = how is Registration.BUFFER and joined.detached
        return joined.but(kind=_KINDS.get(how, joined.kind), sources=source, detached=detached)

    def _assigned(self, name: str) -> list[Moment]:
        """The writes that decide what an attribute is: `self.count += 1` changes a buffer in place, and asks for the
        buffer itself."""
        writes = list(self.writes(name))
        if self.registration(name) is not Registration.BUFFER:
            return writes
        return [moment for moment in writes if not isinstance(moment.event, Write) or moment.event.operator == "="]

    def _by_pattern(self, name: str) -> list[TensorValue]:
        """What is registered or assigned under names of which only a part is known, and which `name` may be."""
        called = (self._given(call) for pattern, call in self._registered[1] if pattern.matches(name))
        assigned = (self._written(moment) for pattern, moment in self._all_writes[1] if pattern.matches(name))
        return [*called, *assigned][:_MAX_VALUES]

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

    def _given(self, call: Registered) -> TensorValue:
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
            if (held := facts.values.get(name)) is not None:
                value = project.evaluator.value(held, project.top_frame(facts.path, ancestor.outline.group))
                if value.made_by == "class" or not isinstance(held, Global):  # a function would be a method
                    return value
        if self._inherited(name) is not None:
            return TensorValue(Kind.UNKNOWN, dtype="floating") if name in ("weight", "bias") else UNKNOWN
        return UNKNOWN


def _is_own(term: Term, frame: Frame) -> bool:
    """True for the object, and for super(): an assignment through it is one to the object."""
    return frame.is_self(term) or (isinstance(term, Super) and frame.view is not None)


def _goes_past_torch(event: Event) -> bool:
    """True for the call object.__setattr__(self, name, value), which nn.Module does not see."""
    callee = event.term.callee if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    if not isinstance(callee, Attribute) or callee.name != "__setattr__":
        return False
    return isinstance(callee.base, Global) and callee.base.name == "object"


__all__ = ["Registered", "Registration", "State"]
