"""The operations in which a number that half cannot hold meets the elements of a tensor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.ranges import ARITHMETIC, CHECKED_FILLS, GUARDED, LARGEST, SILENT_FILLS
from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.flow.divisors import is_divisor
from torchlint.model.flow.networks import written_name
from torchlint.model.frames import Frame, last_name
from torchlint.model.half.extreme_fields import fields_far_from_one
from torchlint.model.half.literals import LIMITS, limit_of, number
from torchlint.model.terms import Argument, Attribute, Call, Constant, Display, Global, Imported, Operation, Place, Term

_MOST = 1e4
_LEAST = 1e-4
_CLAMPS = frozenset("clamp clamp_ clamp_min clamp_min_ clamp_max clamp_max_ clip clip_".split())
_ADDS = {name + tail: operator for name, operator in ARITHMETIC.items() for tail in ("", "_")}
_CALLS = frozenset((*CHECKED_FILLS, *SILENT_FILLS, *GUARDED, *_CLAMPS, *_ADDS, "nan_to_num", "nan_to_num_", "pow"))
_OPERATORS = frozenset("* + - ** *= += -=".split())


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
        return last_name(term) in _CALLS
    return (
        isinstance(term, Operation)
        and term.operator in _OPERATORS
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
        is_named = term.name in LIMITS or "eps" in term.name.lower() or term.name in fields_far_from_one(frame)
        return is_named or (frame.view is not None and frame.is_self(term.base))
    if isinstance(term, Argument):
        default = frame.function.parameters[term.index].default if term.index < len(frame.function.parameters) else None
        return isinstance(default, (Constant, Operation)) and _is_extreme(default, frame)
    if isinstance(term, Global):
        return True
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
        isinstance(part, Operation) or "mask" in written_name(part).lower() or frame.value(part).is_tensor
        for part in parts
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
    elif name in _ADDS:
        yield from _added(call, name, event, frame)
    elif name == "pow":
        yield from _raised(call, event, frame)
    elif name.startswith("nan_to_num"):
        yield from _replaced(call, event, frame)
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
    is_made = makes and not is_method and call.keyword("dtype") is not None
    if literal is not None and operand is not None and (is_made or not makes):
        yield from _meeting(operand, literal, how, f"{name}()", event, frame)
        if name.startswith("masked_fill") and is_divisor(call, frame):
            yield from _meeting(operand, literal, "eps", f"{name}()", event, frame)


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
            if is_divisor(call, frame):
                yield from _meeting(operand, literal, "eps", "where()", event, frame)


def _guarded(call: Call, name: str, event: Event, frame: Frame) -> Iterator[Meeting]:
    default, position = GUARDED[name]
    operand = call.argument(0, "input") or (call.argument(0, "x1") if name == "cosine_similarity" else None)
    given = call.argument(position, "eps") or Constant(call.place, default)
    if operand is not None and isinstance(call.callee, Imported):
        yield from _meeting(operand, given, "eps", f"{name}()", event, frame)


def _clamped(call: Call, name: str, event: Event, frame: Frame) -> Iterator[Meeting]:
    is_method = isinstance(call.callee, Attribute)
    operand = call.callee.base if isinstance(call.callee, Attribute) else call.argument(0, "input")
    position, is_upper = 0 if is_method else 1, "max" in name
    for at, keyword in ((position, "max"),) if is_upper else ((position, "min"), (position + 1, "max")):
        given = call.argument(at, keyword)
        if operand is None or given is None:
            continue
        yield from _meeting(operand, given, "raises", f"{name}()", event, frame)
        if keyword == "min" and is_divisor(call, frame):
            yield from _meeting(operand, given, "eps", f"{name}()", event, frame)


def _added(call: Call, name: str, event: Event, frame: Frame) -> Iterator[Meeting]:
    """x.add(number), torch.mul(x, number)."""
    operand = call.callee.base if isinstance(call.callee, Attribute) else call.argument(0, "input")
    given = call.argument(int(not isinstance(call.callee, Attribute)), "other")
    if operand is not None and given is not None:
        yield from _computed(operand, given, _ADDS[name], call, event, frame)


def _raised(call: Call, event: Event, frame: Frame) -> Iterator[Meeting]:
    """torch.pow(number, x)."""
    base, exponent = call.argument(0, "self"), call.argument(1, "exponent")
    if isinstance(call.callee, Imported) and base is not None and exponent is not None:
        yield from _powers(base, exponent, "pow()", event, frame)


def _powers(base: Term, exponent: Term, operation: str, event: Event, frame: Frame) -> Iterator[Meeting]:
    """The powers of a great number, unless the exponents are negative."""
    is_negative = isinstance(exponent, Operation) and exponent.operator == "-" and len(exponent.parts) == 1
    if not is_negative and number(exponent, frame) is None and (number(base, frame) or 0) > LARGEST["float16"]:
        yield from _meeting(exponent, base, "silent", operation, event, frame)


def _replaced(call: Call, event: Event, frame: Frame) -> Iterator[Meeting]:
    """torch.nan_to_num(x, nan, posinf, neginf), which replaces one infinity by another."""
    is_method = isinstance(call.callee, Attribute)
    operand = call.callee.base if isinstance(call.callee, Attribute) else call.argument(0, "input")
    for at, keyword in enumerate(("nan", "posinf", "neginf"), start=0 if is_method else 1):
        given = call.argument(at, keyword)
        if operand is not None and given is not None:
            yield from _meeting(operand, given, "silent", "nan_to_num()", event, frame)


def _operated(term: Operation, event: Event, frame: Frame) -> Iterator[Meeting]:
    left, right = term.parts
    operator = term.operator.rstrip("=")
    if operator == "**":
        yield from _powers(left, right, operator, event, frame)
        return
    for operand, literal in ((left, right), (right, left)):
        if _is_extreme(literal, frame) and number(operand, frame) is None:
            yield from _computed(operand, literal, operator, term, event, frame)


def _computed(
    operand: Term, literal: Term, operator: str, result: Term, event: Event, frame: Frame
) -> Iterator[Meeting]:
    """An arithmetic operation with a great number, or the sum with a small one that something is divided by."""
    yield from _meeting(operand, literal, "silent", operator, event, frame)
    if operator == "+" and is_divisor(result, frame):
        yield from _meeting(operand, literal, "eps", operator, event, frame)
