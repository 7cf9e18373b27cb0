"""Registration: the calls and assignments by which torch comes to know of an attribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.model.evaluation.bound import applied
from torchlint.model.evaluation.conditions import is_ruled_out, is_sure
from torchlint.model.evaluation.torch_calls import BUFFER
from torchlint.model.events import Delete, Evaluated, Event, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment, called_names, last_name, self_use
from torchlint.model.terms import Argument, Attribute, Call, Constant, Starred, Super, Term
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


class Registration(Enum):
    """How torch knows of an attribute."""

    PARAMETER = "parameter"
    BUFFER = "buffer"
    MODULE = "module"
    OTHER = "by a method of a base class"


@dataclass(frozen=True, slots=True)
class Registered:
    """A registration: what kind of state, and the term that was registered (None where only the name is known)."""

    how: Registration
    value: Term | None
    moment: Moment | None


# The methods of nn.Module that register, and the dicts in which it keeps what they register.
_LEARNED = {
    "register_buffer": Registration.BUFFER,
    "register_parameter": Registration.PARAMETER,
    "add_module": Registration.MODULE,
    "register_module": Registration.MODULE,
}
_REGISTRIES = {
    "_buffers": Registration.BUFFER,
    "_parameters": Registration.PARAMETER,
    "_modules": Registration.MODULE,
}
_ASSIGNED = {Kind.PARAMETER: Registration.PARAMETER, Kind.MODULE: Registration.MODULE}


def registered_by_value(value: TensorValue) -> Registration | None:
    """How an assignment of the value registers it; of buffers only one that nn.Buffer made does."""
    if value.kind is Kind.BUFFER and value.made_by == BUFFER:
        return Registration.BUFFER
    return _ASSIGNED.get(value.kind)


def registers(function: Function) -> bool:
    """True where the body of a function calls a method of nn.Module that registers."""
    return any(
        isinstance(event, Evaluated) and isinstance(event.term, Call) and last_name(event.term.callee) in _LEARNED
        for event in function.events
    )


def registers_again(steps: list[Event], name: str) -> bool:
    """True where one of the steps registers `name`."""
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and isinstance(event.term.callee, Attribute)
        and event.term.callee.name in _LEARNED
        and any(isinstance(term, Constant) and term.value == name for term in event.term.inputs)
        for event in steps
    )


def is_transient(registered: Registered) -> bool:
    """True for a buffer that is not saved (persistent=False), or of which that is not known."""
    event = registered.moment.event if registered.moment is not None else None
    if isinstance(event, Evaluated) and isinstance(event.term, Call):
        return _is_transient(event.term.argument(2, "persistent"))
    if isinstance(event, Write) and isinstance(event.value, Call) and last_name(event.value) == "Buffer":
        return _is_transient(event.value.argument(1, "persistent"))
    return not isinstance(event, ItemWrite)


def _is_transient(persistent: Term | None) -> bool:
    return persistent is not None and not (isinstance(persistent, Constant) and persistent.value is True)


class Registry:
    """The registrations of one class by calls, over all its methods; construction comes first."""

    def __init__(self, view: ModuleClass) -> None:
        self._view = view
        self._ways: dict[int, _Way] = {}

    def found(self) -> Iterator[tuple[TensorValue, Registered]]:
        """Each registration, after its name: a text, one of several, or a pattern."""
        for moment in self._moments():
            found = self._of_call(moment) or self._of_registry(moment)
            if found is not None and not is_ruled_out(moment) and not _is_doubtful(moment):
                yield moment.frame.value(found[0]), found[1]

    def _moments(self) -> Iterator[Moment]:
        yield from self._view.construction
        seen = self._view.construction_functions
        for function in self._view.methods:
            if id(function) not in seen:
                yield from self._later(function)

    def _later(self, function: Function) -> Iterator[Moment]:
        """What a method does that construction does not run, and what the methods do by which it registers."""
        frame = self._view.frame(function)
        for event in self_use(function).steps:
            moment = Moment(event, frame)
            yield moment
            call = _registering_call(moment)
            is_entered = self._is_named_by_caller(event) if call is None else self._target(call, moment) is not None
            if is_entered and isinstance(event, Evaluated) and isinstance(event.term, Call):
                for callee in self._view.callees(event.term, frame):
                    yield from self._view.walk_frame(callee)

    def _is_named_by_caller(self, event: Event) -> bool:
        """True for a call of a method that registers under a name which it is given."""
        term = event.term if isinstance(event, Evaluated) else None
        return isinstance(term, Call) and last_name(term.callee) in self._naming

    @cached_property
    def _naming(self) -> frozenset[str]:
        """The methods that register under a name which they are given."""
        return frozenset(function.name for function in self._view.methods if _takes_name(function))

    def _of_call(self, moment: Moment) -> tuple[Term, Registered] | None:
        """The name and the registration of self.register_buffer(name, value) and its like."""
        call = _registering_call(moment)
        if call is None:
            return None
        method = last_name(call.callee)
        target = self._target(call, moment)
        if target is not None:
            way = self._way(target)
            if (way.names or method in _LEARNED) and not way.passes_on:
                # What a method of the project registers is found inside of it.
                return None
        # nn.Module.register_buffer(self, name, value): the object comes first.
        first = 0 if isinstance(call.callee, Attribute) else 1
        name = call.argument(first, "name")
        value = call.argument(first + 1, "tensor" if method == "register_buffer" else "param")
        how = _LEARNED.get(method, Registration.OTHER)
        return (name, Registered(how, value, moment)) if name is not None else None

    def _of_registry(self, moment: Moment) -> tuple[Term, Registered] | None:
        """The name and the registration of self._buffers[name] = value."""
        event = moment.event
        if not isinstance(event, ItemWrite) or not isinstance(event.base, Attribute) or event.operator != "=":
            return None
        how = _REGISTRIES.get(event.base.name)
        if how is None or not moment.frame.is_self(event.base.base):
            return None
        return event.index, Registered(how, event.value, moment)

    def _target(self, call: Call, moment: Moment) -> Frame | None:
        """The function of the project that a registering call enters; None for torch's own."""
        for callee in self._view.callees(call, moment.frame):
            if not self._view.project.imports.defines_module(callee.path):
                return callee
        return None

    def _way(self, target: Frame) -> _Way:
        """How a function registers what it is given, looked at once."""
        key = id(target.function)
        if key not in self._ways:
            self._ways[key] = _Way()
            self._ways[key] = self._way_of(self._view.walk_frame(target))
        return self._ways[key]

    def _way_of(self, moments: tuple[Moment, ...]) -> _Way:
        calls = [call for moment in moments if (call := _any_registering_call(moment)) is not None]
        return _Way(
            names=any(last_name(call.callee) in _LEARNED for call in calls)
            or any(isinstance(m.event, ItemWrite) and _is_registry(m.event.base) for m in moments),
            passes_on=any(last_name(call.callee) in _LEARNED and _is_passed_on(call) for call in calls),
        )

    def deletions(self) -> Iterator[tuple[int, str]]:
        """The names that construction deletes from the object, each with its position in construction."""
        for position, moment in enumerate(self._view.construction):
            event = moment.event
            if isinstance(event, Delete) and moment.frame.is_self(event.base) and not is_ruled_out(moment):
                names = (
                    (event.attribute,)
                    if isinstance(event.attribute, str)
                    else self._view.project.evaluator.strings(event.attribute, moment.frame)
                )
                yield from ((position, name) for name in names)
            else:
                removed = _removed(event, moment.frame)
                found = self._view.project.evaluator.strings(removed, moment.frame) if removed is not None else ()
                yield from ((position, name) for name in found)

    def lost_later(self) -> Iterator[str]:
        """The names that a method deletes after construction and then assigns as a plain attribute."""
        for function in self._view.methods:
            if id(function) in self._view.construction_functions:
                continue
            frame, steps = self._view.frame(function), self_use(function).steps
            for position, event in enumerate(steps):
                if not isinstance(event, Delete) or not isinstance(event.attribute, str):
                    continue
                rest = steps[position:]
                is_assigned = any(isinstance(step, Write) and step.attribute == event.attribute for step in rest)
                if frame.is_self(event.base) and is_assigned and not registers_again(rest, event.attribute):
                    yield event.attribute


@dataclass(frozen=True, slots=True)
class _Way:
    """How a function of the project registers. names: it calls torch's methods, or fills torch's dicts, itself.
    passes_on: with *args, so that the name is known only where the function is called."""

    names: bool = False
    passes_on: bool = False


def _takes_name(function: Function) -> bool:
    if function.name in _LEARNED or _LEARNED.keys().isdisjoint(called_names(function)):
        return False
    return any(
        last_name(call.callee) in _LEARNED and call.inputs and isinstance(call.inputs[0], Argument)
        for call in function.calls
    )


def _is_doubtful(moment: Moment) -> bool:
    """True inside a __setattr__ that registers some values and not others, where it is not known which this is."""
    return moment.frame.function.name == "__setattr__" and not is_sure(moment)


def _is_registry(term: Term) -> bool:
    return isinstance(term, Attribute) and term.name in _REGISTRIES


def _removed(event: Event, frame: Frame) -> Term | None:
    """The name that del self._buffers[name] and self._buffers.pop(name) take out of the object."""
    if isinstance(event, ItemWrite):
        return event.index if event.operator == "del" and _is_own_registry(event.base, frame) else None
    call = event.term if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    callee = call.callee if call is not None else None
    if call is None or not isinstance(callee, Attribute) or callee.name != "pop" or not call.arguments:
        return None
    return call.arguments[0] if _is_own_registry(callee.base, frame) else None


def _is_own_registry(term: Term, frame: Frame) -> bool:
    return isinstance(term, Attribute) and term.name in _REGISTRIES and frame.is_self(term.base)


def _is_passed_on(call: Call) -> bool:
    return any(isinstance(term, Starred) for term in call.arguments[:1]) or (
        not call.arguments and any(name is None for name, _ in call.keywords)
    )


def _any_registering_call(moment: Moment) -> Call | None:
    """A call of a method that registers by its name, whatever it is called on."""
    event = moment.event
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call) or not event.term.inputs:
        return None
    call = applied(event.term, moment.frame) if isinstance(event.term.callee, Call) else event.term
    name = last_name(call.callee)
    named = name in ("add_module", "add_state") or (name.startswith("register_") and not name.endswith("_hook"))
    return call if named else None


def _registering_call(moment: Moment) -> Call | None:
    """A call that registers, by its name, something of the object."""
    call = _any_registering_call(moment)
    if call is None:
        return None
    callee, frame = call.callee, moment.frame
    if isinstance(callee, Attribute):
        return call if isinstance(callee.base, Super) or frame.is_self(callee.base) else None
    return call if frame.is_self(call.inputs[0]) else None
