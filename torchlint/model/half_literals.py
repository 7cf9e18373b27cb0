"""Numbers that a program writes down, and the operations in which they meet the elements of a tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from torchlint.knowledge.ranges import CHECKED_FILLS, EPS, GUARDED, LARGEST, SILENT_FILLS, TINY
from torchlint.model.divisors import is_divisor
from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.extreme_fields import behind_field, fields_far_from_one
from torchlint.model.frames import Frame, last_name
from torchlint.model.names import Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Global,
    Imported,
    Operation,
    Place,
    Term,
)

_DEPTH = 8
_LIMITS: dict[str, Callable[[str], float | None]] = {
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
_MOST = 1e4
_LEAST = 1e-4
_CLAMPS = frozenset("clamp clamp_ clamp_min clamp_min_ clip".split())


@dataclass(frozen=True, slots=True)
class Meeting:
    """A number that meets a tensor. number: its value, an int where it is written as a whole number, or of several
    possible ones the mildest. how: "raises" (torch checks it), "silent" (it is rounded to infinity) or "eps" (it keeps
    a division from zero). operation: in words. limit: the dtype whose finfo it is, "" for a literal."""

    operand: Term
    number: float
    how: str
    operation: str
    place: Place
    event: Event
    literal: Term
    limit: str = ""


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
        return min(known, key=abs) if len(known) == len(found) else None
    if isinstance(term, Call):
        return _called(term, frame, depth - 1)
    if isinstance(term, Attribute) and (term.name in _LIMITS) and (dtype := limit_of(term, frame)) is not None:
        return _LIMITS[term.name](dtype)
    return _named(term, frame, depth - 1)


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
    return min(known, key=abs) if known and len(known) == len(found) else None


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


# Meetings


def meetings(frame: Frame) -> Iterator[Meeting]:
    """The numbers too great or too small for half that meet a tensor in a function."""
    for event in _candidates(frame):
        if isinstance(event, ItemWrite):
            yield from _written(event, frame)
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from _passed(event.term, event, frame)
        elif isinstance(event, Evaluated) and isinstance(event.term, Operation):
            yield from _operated(event.term, event, frame)


def _candidates(frame: Frame) -> list[Event]:
    """The events that may be meetings by their form alone; worked out once."""
    known: list[Event] | None = frame.function.derived.get("meetings")
    if known is None:
        known = frame.function.derived["meetings"] = [e for e in frame.function.events if _may_meet(e, frame)]
    return known


def _may_meet(event: Event, frame: Frame) -> bool:
    if isinstance(event, ItemWrite):
        return event.operator == "=" and _may_be_number(event.value, frame)
    if not isinstance(event, Evaluated):
        return False
    term = event.term
    if isinstance(term, Call):
        name = last_name(term)
        return name in CHECKED_FILLS or name in SILENT_FILLS or name in GUARDED or name in _CLAMPS
    return (
        isinstance(term, Operation)
        and term.operator in ("*", "+", "-", "*=", "+=", "-=")
        and len(term.parts) == 2
        and any(_is_extreme(part, frame) for part in term.parts)
    )


def _may_be_number(term: Term, frame: Frame) -> bool:
    if isinstance(term, Constant):
        return _is_extreme(term, frame)
    return isinstance(term, (Operation, Attribute, Global, Imported, Call))


def _is_extreme(term: Term, frame: Frame) -> bool:
    """True for a literal far from 1, and for what may be a name of one."""
    if isinstance(term, Constant):
        value = term.value
        if not isinstance(value, (int, float)) or isinstance(value, bool) or value == 0:
            return False
        return abs(value) > _MOST or abs(value) < _LEAST
    if isinstance(term, Operation):
        return term.operator in ("-", "**", "*") and all(isinstance(p, (Constant, Operation)) for p in term.parts)
    if isinstance(term, Attribute):
        return term.name in _LIMITS or "eps" in term.name.lower() or term.name in fields_far_from_one(frame)
    if isinstance(term, (Global, Argument)):
        return (isinstance(term, Global) and term.name.isupper()) or "eps" in term.name.lower()
    return isinstance(term, Call) and last_name(term) == "float"


def _meeting(operand: Term, literal: Term, how: str, operation: str, event: Event, frame: Frame) -> Iterator[Meeting]:
    found = number(literal, frame)
    place = event.place if isinstance(event, ItemWrite) else event.term.place if isinstance(event, Evaluated) else None
    if found is None or found == 0 or place is None:
        return
    is_great = abs(found) > LARGEST["float16"]
    if (is_great and how != "eps") or (how == "eps" and 0 < found < _LEAST):
        yield Meeting(operand, found, how, operation, place, event, literal, limit_of(literal, frame) or "")


def _written(event: ItemWrite, frame: Frame) -> Iterator[Meeting]:
    parts = event.index.parts if isinstance(event.index, Display) else (event.index,)
    is_tensor_index = isinstance(event.index, Display) or any(
        isinstance(part, Operation) or frame.value(part).is_tensor for part in parts
    )
    if is_tensor_index or frame.value(event.base).is_tensor:
        yield from _meeting(event.base, event.value, "silent", "an item assignment", event, frame)


def _passed(call: Call, event: Event, frame: Frame) -> Iterator[Meeting]:
    name = last_name(call)
    is_method = isinstance(call.callee, Attribute)
    if isinstance(call.callee, Imported) and not call.callee.name.startswith("torch."):
        return
    if not is_method and not isinstance(call.callee, Imported):
        return
    if name in GUARDED:
        yield from _guarded(call, name, event, frame)
    elif name in _CLAMPS:
        yield from _clamped(call, name, event, frame)
    elif name in CHECKED_FILLS or name in SILENT_FILLS:
        yield from _filled(call, name, event, frame)


def _filled(call: Call, name: str, event: Event, frame: Frame) -> Iterator[Meeting]:
    position, keyword = CHECKED_FILLS.get(name) or SILENT_FILLS[name]
    how = "raises" if name in CHECKED_FILLS else "silent"
    is_method = isinstance(call.callee, Attribute)
    makes = name in ("tensor", "scalar_tensor", "full")
    if not is_method and not makes:
        position += 1
    literal = call.argument(position, keyword)
    if name == "where":
        yield from _in_where(call, event, frame)
        return
    operand = call if makes else call.callee.base if isinstance(call.callee, Attribute) else call.argument(0, "input")
    if literal is not None and operand is not None and (not makes or call.keyword("dtype") is not None):
        yield from _meeting(operand, literal, how, f"{name}()", event, frame)


def _in_where(call: Call, event: Event, frame: Frame) -> Iterator[Meeting]:
    """torch.where(mask, x, number), torch.where(mask, number, x), x.where(mask, number)."""
    if isinstance(call.callee, Attribute):
        pairs = [(call.callee.base, call.argument(1, "other"))]
    else:
        first, second = call.argument(1, "input"), call.argument(2, "other")
        pairs = [(first, second), (second, first)] if first is not None and second is not None else []
    for operand, literal in pairs:
        if operand is not None and literal is not None and number(operand, frame) is None:
            yield from _meeting(operand, literal, "silent", "where()", event, frame)


def _guarded(call: Call, name: str, event: Event, frame: Frame) -> Iterator[Meeting]:
    default, position = GUARDED[name]
    operand = call.argument(0, "input") or (call.argument(0, "x1") if name == "cosine_similarity" else None)
    given = call.argument(position, "eps") or Constant(call.place, default)
    if operand is not None and isinstance(call.callee, Imported):
        yield from _meeting(operand, given, "eps", f"{name}()", event, frame)


def _clamped(call: Call, name: str, event: Event, frame: Frame) -> Iterator[Meeting]:
    is_method = isinstance(call.callee, Attribute)
    operand = call.callee.base if isinstance(call.callee, Attribute) else call.argument(0, "input")
    position = 0 if is_method else 1
    for at, keyword in ((position, "min"), (position + 1, "max")):
        given = call.argument(at, keyword)
        if operand is None or given is None:
            continue
        yield from _meeting(operand, given, "raises", f"{name}()", event, frame)
        if keyword == "min" and is_divisor(call, frame):
            yield from _meeting(operand, given, "eps", f"{name}()", event, frame)


def _operated(term: Operation, event: Event, frame: Frame) -> Iterator[Meeting]:
    left, right = term.parts
    operator = term.operator.rstrip("=")
    for operand, literal in ((left, right), (right, left)):
        if not _is_extreme(literal, frame) or number(operand, frame) is not None:
            continue
        yield from _meeting(operand, literal, "silent", operator, event, frame)
        if operator == "+" and is_divisor(term, frame):
            yield from _meeting(operand, literal, "eps", operator, event, frame)
