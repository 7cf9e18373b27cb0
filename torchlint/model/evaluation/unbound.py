"""Parameters that nobody binds: what their defaults say of them."""

from __future__ import annotations

from torchlint.model.facts import Parameter
from torchlint.model.frames import Frame
from torchlint.model.terms import Argument, Choice, Constant, Element, Operation, Term
from torchlint.model.values import UNKNOWN, Kind, TensorValue


def may_drop_an_argument(term: Choice) -> bool:
    """True where None takes the place of what the caller gave: a test, often of its shape, decides what is left."""
    is_dropped = any(isinstance(option, Constant) and option.value is None for option in term.options)
    return is_dropped and any(isinstance(option, Argument) for option in term.options)


def is_absent(term: Term, frame: Frame) -> bool:
    """True for a parameter that nobody binds or describes, and that is None by default."""
    if not isinstance(term, Argument) or term.index in frame.arguments or term.index >= len(frame.function.parameters):
        return False
    parameter = frame.function.parameters[term.index]
    default = parameter.default
    return parameter.annotation is None and isinstance(default, Constant) and default.value is None


def after_a_round(term: Choice) -> tuple[Term, ...]:
    """The options of a choice, without a parameter that a loop divides by each of its elements: a loop over something
    runs at least once."""
    rounds = (one for one in term.options if isinstance(one, Operation) and one.operator in ("/", "/="))
    divided = {
        id(part) for one in rounds if any(isinstance(other, Element) for other in one.parts) for part in one.parts
    }
    given = [one for one in term.options if isinstance(one, Argument) and id(one) in divided]
    return tuple(one for one in term.options if one not in given) if given else term.options


def by_default(parameter: Parameter) -> TensorValue:
    """A parameter whose default is a number is one; a caller may give an integer for a float, so no dtype is known."""
    default = parameter.default
    value = default.value if isinstance(default, Constant) else None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return TensorValue(Kind.NUMBER) if is_number else UNKNOWN
