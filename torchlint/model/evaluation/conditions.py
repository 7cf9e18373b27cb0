"""Whether the conditions around an event can hold: type tests of values that are known."""

from __future__ import annotations

from torchlint.model.evaluation.truths import combined
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Call, Display, Term
from torchlint.model.values import TENSORS, Kind, TensorValue

_CLASSES = {
    "Tensor": TENSORS,
    "Parameter": frozenset({Kind.PARAMETER}),
    "Buffer": frozenset({Kind.BUFFER}),
    "Module": frozenset({Kind.MODULE}),
}
# An object of the project may be of any class, also of one of torch's.
_OPEN = frozenset({Kind.UNKNOWN, Kind.OBJECT})


def is_ruled_out(moment: Moment) -> bool:
    """True where a condition around the event, or around the calls that led to it, is known not to hold."""
    return any(truth(region.subject, frame) is (not region.holds) for region, frame in moment.guards())


def is_sure(moment: Moment) -> bool:
    """True where every condition in the event's own function is known to hold."""
    return all(truth(region.subject, moment.frame) is region.holds for region in moment.event.guards())


def truth(condition: Term, frame: Frame) -> bool | None:
    """Whether a condition holds; None where that is not known."""
    return combined(condition, lambda part: _of_type(part, frame))


def _of_type(condition: Term, frame: Frame) -> bool | None:
    if isinstance(condition, Call) and last_name(condition) == "isinstance" and len(condition.arguments) == 2:
        return _is_instance(frame.value(condition.arguments[0]), condition.arguments[1])
    return None


def _is_instance(value: TensorValue, classes: Term) -> bool | None:
    options = classes.parts if isinstance(classes, Display) else (classes,)
    kinds = [_CLASSES.get(last_name(option)) for option in options]
    if any(one is not None and value.kind in one for one in kinds):
        return True
    return None if value.kind in _OPEN or None in kinds else False
