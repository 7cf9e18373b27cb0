"""Numbers that a program writes down: literals, limits of a dtype, and the names for them."""

from __future__ import annotations

from collections.abc import Callable

from torchlint.knowledge.ranges import EPS, LARGEST, TINY
from torchlint.model.events import Write
from torchlint.model.frames import Frame, last_name
from torchlint.model.half.extreme_fields import behind_field
from torchlint.model.names.names import Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Global,
    Imported,
    Operation,
    Term,
)

_DEPTH = 8
LIMITS: dict[str, Callable[[str], float | None]] = {
    "min": lambda dtype: -LARGEST[dtype] if dtype in LARGEST else None,
    "max": LARGEST.get,
    "tiny": TINY.get,
    "smallest_normal": TINY.get,
    "eps": EPS.get,
}
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
}
_TYPES: dict[str, Callable[[float], float]] = {"float": float, "float32": float, "int": int}


def number(term: Term, frame: Frame, depth: int = _DEPTH) -> float | None:
    """The number that a term is: a literal, arithmetic of literals, float("1e9"), a limit of a dtype, or a name for one
    of these: an int where it is written as a whole number. None for anything else."""
    if isinstance(term, Constant):
        value = term.value
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return value if is_number and abs(value) < LARGEST["float64"] else None  # type: ignore[return-value,arg-type]
    if not depth:
        return None
    if isinstance(term, Operation):
        return _computed(term, frame, depth - 1)
    if isinstance(term, Choice):
        found = [number(option, frame, depth - 1) for option in term.options]
        known = [one for one in found if one is not None]
        return _mildest(known) if len(known) == len(found) else None
    if isinstance(term, Call):
        return _called(term, frame, depth - 1)
    if isinstance(term, Attribute) and (term.name in LIMITS) and (dtype := limit_of(term, frame)) is not None:
        return LIMITS[term.name](dtype)
    return _named(term, frame, depth - 1)


def _mildest(numbers: list[float]) -> float:
    """The one of several numbers that is nearest to 1 in size: the least of great ones, the greatest of small ones."""
    return (max if all(abs(one) < 1 for one in numbers) else min)(numbers, key=abs)


def _computed(term: Operation, frame: Frame, depth: int) -> float | None:
    parts = [number(part, frame, depth) for part in term.parts]
    if len(parts) == 1 and parts[0] is not None:
        return -parts[0] if term.operator == "-" else None
    left, right = parts if len(parts) == 2 else (None, None)
    compute = _ARITHMETIC.get(term.operator)
    if left is None or right is None or compute is None or abs(right) > LARGEST["float32"]:
        return None
    try:
        # In floats, which overflow where whole numbers would grow without end.
        found = float(compute(float(left), float(right)))
    except (ArithmeticError, TypeError, ValueError):
        return None
    is_whole = isinstance(left, int) and isinstance(right, int) and term.operator != "/"
    return int(found) if is_whole and found.is_integer() else found


def _called(call: Call, frame: Frame, depth: int) -> float | None:
    """float(x), int(x), torch.tensor(x) and np.float32(x) of a number."""
    name = last_name(call)
    is_wrapper = isinstance(call.callee, (Global, Imported)) and name in (
        "float",
        "int",
        "tensor",
        "float32",
        "as_tensor",
    )
    if not is_wrapper or len(call.arguments) != 1 or call.keyword("dtype") is not None:
        return None
    given = call.arguments[0]
    if isinstance(given, Constant) and isinstance(given.value, str):
        try:
            found = float(given.value)
        except ValueError:
            return None
        return found if abs(found) <= LARGEST["float64"] else None
    inner = number(given, frame, depth)
    return _TYPES[name](inner) if inner is not None and name in _TYPES else inner


def _named(term: Term, frame: Frame, depth: int) -> float | None:
    """A constant of the file, a default of a parameter that nobody binds, or an attribute that is written once."""
    if isinstance(term, Captured) and frame.outer is not None:
        return number(term.value, frame.outer, depth)
    if isinstance(term, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(term, frame.path)
        if isinstance(found, Value):
            return number(found.term, frame.evaluator.frame(found.top, None), depth)
        return LARGEST["float64"] if isinstance(term, Imported) and term.name == "sys.float_info.max" else None
    if isinstance(term, Argument) and term.index < len(frame.function.parameters):
        bound = frame.arguments.get(term.index)
        default = frame.function.parameters[term.index].default
        if bound is not None:
            return bound.constant if type(bound.constant) in (int, float) else None
        return number(default, frame, depth) if isinstance(default, (Constant, Operation)) else None
    if isinstance(term, Attribute) and term.known is not None:
        return number(term.known, frame, depth)
    if isinstance(term, Attribute) and frame.view is not None and frame.is_self(term.base):
        writes = frame.view.state.writes(term.name)
        if len(writes) == 1 and isinstance(writes[0].event, Write):
            return number(writes[0].event.value, writes[0].frame, depth)
        constant = frame.view.state.class_value(term.name).constant if not writes else None
        if writes or constant is not None:
            return constant if type(constant) in (int, float) else None
    return _declared(term, frame, depth) if isinstance(term, Attribute) else None


def _declared(term: Attribute, frame: Frame, depth: int) -> float | None:
    """The number that a field of settings has where it is declared."""
    found = [number(one, where, depth) for one, where in behind_field(term, frame)]
    known = [one for one in found if one is not None]
    return _mildest(known) if known and len(known) == len(found) else None


def limit_of(term: Term, frame: Frame) -> str | None:
    """The dtype of `torch.finfo(torch.float32).min` and its like; None where it is another tensor's, or no limit."""
    if isinstance(term, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(term, frame.path)
        if isinstance(found, Value):
            return limit_of(found.term, frame.evaluator.frame(found.top, None))
        return None
    if isinstance(term, Operation) and len(term.parts) == 1:
        return limit_of(term.parts[0], frame)
    if not isinstance(term, Attribute) or not isinstance(term.base, Call) or last_name(term.base) != "finfo":
        return None
    given = term.base.arguments[0] if term.base.arguments else None
    if given is None:
        return "float32"
    if isinstance(given, Imported):
        last = given.name.rpartition(".")[2]
        return {"float": "float32", "float32": "float32", "double": "float64", "float64": "float64"}.get(last)
    return "float64" if isinstance(given, Global) and given.name == "float" else None
