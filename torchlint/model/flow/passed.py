"""What the callers of a function pass for its parameters."""

from __future__ import annotations

from torchlint.model.events import Evaluated
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.origins import default_of
from torchlint.model.frames import Frame, Moment, has_self
from torchlint.model.terms import Argument, Call, Constant, Display, Term


def arguments_of(moment: Moment, frame: Frame) -> list[tuple[int, Term]]:
    """What a caller passes, with the positions of the parameters that it is for."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    if not isinstance(call, Call):
        return []
    function = frame.function
    first = int(has_self(function))
    names = {parameter.name: index for index, parameter in enumerate(function.parameters)}
    positions = [(index + first, term) for index, term in enumerate(call.arguments)]
    return positions + [(names[key], term) for key, term in call.keywords if key in names]


def passed(argument: Argument, frame: Frame) -> tuple[Term, ...]:
    """What callers pass for a parameter, in their own terms."""
    return tuple(term for call in _calls(frame) for index, term in call if index == argument.index)


def _calls(frame: Frame) -> tuple[list[tuple[int, Term]], ...]:
    """What each caller passes, worked out once."""
    return frame.once("passed by callers", lambda: (arguments_of(moment, frame) for moment in callers_of(frame)))


def greatest_passed(argument: Argument, frame: Frame) -> int | None:
    """The greatest whole number that a parameter is, or that stands in the tuple that it is: by its default and by what
    callers pass. None where one of these is not known, and where no caller is seen."""
    if not _calls(frame):
        return None
    numbers = [numbers_written(term) for term in (default_of(argument, frame.function), *passed(argument, frame))]
    return max(map(max, numbers)) if all(numbers) else None


def numbers_written(term: Term | None) -> list[int]:
    """The whole numbers that are written there; none where something else stands among them."""
    parts = term.parts if isinstance(term, Display) and term.kind != "dict" else (term,)
    values = [part.value if isinstance(part, Constant) else None for part in parts]
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    return numbers if len(numbers) == len(values) else []
