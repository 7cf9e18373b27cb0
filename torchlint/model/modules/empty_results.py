"""Attributes that get the result of a call that registers: that result is None."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.evaluation.bound import applied
from torchlint.model.events import Event, Return, Write
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Choice, Constant, Super, Term
from torchlint.model.values import Kind
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_REGISTERING = frozenset("register_buffer register_parameter register_module add_module".split())
_OF_MODULE = "torch.nn.Module."


@dataclass(frozen=True, slots=True)
class EmptyResult:
    """An assignment of None where state was meant. call: the registering method. is_same: it is the registered name,
    so that the assignment empties what was just registered."""

    attribute: str
    symbol: str
    span: Span
    call: str
    is_same: bool


def empty_results(module: ModuleClass) -> Iterator[EmptyResult]:
    """The attributes that some method of the class sets to the result of a registering call."""
    for name in module.state.names:
        for moment in module.state.writes(name):
            event, frame = moment.event, moment.frame
            found = next((inner for one in _calls(event) if (inner := _registering(one, frame))), None)
            if isinstance(event, Write) and found is not None:
                yield EmptyResult(
                    attribute=name,
                    symbol=f"{frame.method.owner or module.facts.qualname}.{name}",
                    span=frame.span(event.place),
                    call=last_name(found[0]),
                    is_same=_registers(found[0], name, found[1]),
                )


def _calls(event: Event) -> list[Call]:
    """The calls whose result an assignment puts in place."""
    value = event.value if isinstance(event, Write) else None
    options = value.options if isinstance(value, Choice) else (value,)
    return [one for one in options if isinstance(one, Call)]


def _registering(call: Call, frame: Frame, depth: int = 2) -> tuple[Call, Frame] | None:
    """The registering call whose result a call is: itself, or what its helper returns, with where it stands."""
    call = applied(call, frame)
    if _returns_nothing(call, frame):
        return call, frame
    if frame.view is None or not depth or not isinstance(call.callee, Attribute):
        return None
    for inner in frame.view.callees(call, frame):
        returned = [event.value for event in inner.function.returned]
        found = [_registering(one, inner, depth - 1) for one in returned if isinstance(one, Call)]
        if found and len(found) == len(returned) and all(found):
            return found[0]
    return None


def _returns_nothing(call: Call, frame: Frame) -> bool:
    """True for a registering method of a module; one that the project overrides may return something."""
    if last_name(call.callee) not in _REGISTERING or _registers_none(call, frame):
        return False
    if frame.value(call.callee).made_by == f"{_OF_MODULE}{last_name(call.callee)}":
        return True
    overridden = [inner.function for inner in frame.view.callees(call, frame)] if frame.view is not None else []
    if overridden:
        return all(_is_none(event.value) for one in overridden for event in one.events if isinstance(event, Return))
    return isinstance(call.callee, Attribute) and frame.value(call.callee.base).kind is Kind.MODULE


def _registers_none(call: Call, frame: Frame) -> bool:
    """True for self.register_parameter("bias", None): then None is what the attribute should be."""
    given = call.argument(1, "tensor") or call.argument(1, "param") or call.argument(1, "module")
    return given is not None and frame.value(given).kind is Kind.NONE


def _is_none(term: Term) -> bool:
    return isinstance(term, Constant) and term.value is None


def _registers(call: Call, name: str, frame: Frame) -> bool:
    """True where the call registers `name` of the object itself."""
    callee = call.callee
    given = call.argument(0 if isinstance(callee, Attribute) else 1, "name")
    is_own = not isinstance(callee, Attribute) or isinstance(callee.base, Super) or frame.is_self(callee.base)
    return is_own and given is not None and name in frame.evaluator.strings(given, frame)
