"""What a training function does against the protocol of its scaler, and where it is told."""

from __future__ import annotations

from dataclasses import dataclass

from torchlint.model.events import Evaluated
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Super
from torchlint.model.training.acts import Act
from torchlint.source import Span


@dataclass(frozen=True, slots=True)
class Break:
    """A call that breaks the protocol. kind: the message. other: the call that explains it; name: what is called."""

    kind: str
    span: Span
    symbol: str
    name: str
    other: Span


def found(kind: str, act: Act, other: Act) -> Break:
    """Told where the act is written."""
    return Break(kind, act.span, act.symbol, last_name(act.call), other.span)


def seen_beside(kind: str, act: Act, others: tuple[Act, Act]) -> Break:
    """Told in the function that holds one of the others too, where a helper that anybody may call does no more than
    the act; a method of the same object is part of its protocol."""
    beside = {id(frame.function) for other in others for frame in other.moment.functions()}
    moment, call = act.moment, act.call
    while moment.caller is not None and id(moment.frame.function) not in beside:
        moment = moment.caller
        led = moment.event.term if isinstance(moment.event, Evaluated) else None
        if not isinstance(led, Call) or _is_own(led, moment.frame):
            return found(kind, act, others[0])
        call = led
    return Break(kind, moment.frame.span(call.place), moment.frame.symbol, last_name(call), others[0].span)


def _is_own(call: Call, frame: Frame) -> bool:
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    return isinstance(base, Super) or (base is not None and frame.is_self(base))
