"""Redundant conversions: casts before a transfer, casts of what was just made, and conversions that a loop repeats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.dtypes import LOW_PRECISION
from torchlint.knowledge.graphs import NETWORK_NAME
from torchlint.knowledge.lookup import is_view
from torchlint.model.devices.devices import moved_to
from torchlint.model.dtypes.repeated_conversions import Repeated, may_repeat
from torchlint.model.events import Evaluated, Write
from torchlint.model.flow.networks import written_name
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.gradients.lineages import Lineages
from torchlint.model.names.names import External
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Constant,
    Global,
    Imported,
    Operation,
    Subscript,
    Term,
)
from torchlint.source import Span

_CASTS = frozenset("float double half bfloat16 long int short bool".split())
_MOVES = frozenset("to cuda cpu xpu mps npu".split())
_WAITS = frozenset(("item", "cpu"))
_KEEPS = frozenset("unsqueeze_ squeeze_ contiguous permute div div_ mul mul_ sub sub_".split())
_MADE = frozenset(("tensor", "as_tensor"))
_READS_PIXELS = frozenset("imread imdecode open read_image decode_image decode_jpeg decode_png pil_to_tensor".split())
_NARROW = frozenset("uint8 int8 int16 bool float16 bfloat16".split())
_REACH = 6


@dataclass(frozen=True, slots=True)
class Redundant:
    """A conversion that costs and changes nothing. kind: "widened", "retyped", "step", "per step" or "invariant".
    cast, other: the calls, in words. loop: what repeats it, a loop or the step that is taken."""

    kind: str
    span: Span
    cast: str
    other: str
    loop: Span | None = None


def redundant_conversions(frame: Frame) -> Iterator[Redundant]:
    """The redundant conversions of a function, in order."""
    loops: Repeated | None = None
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(event, Evaluated) or not isinstance(call, Call):
            continue
        name = last_name(call)
        if isinstance(call.callee, Attribute) and (name in _CASTS or name in _MOVES or name == "type"):
            found = _widened(call, frame) or _retyped(call, frame)
            if found is not None:
                yield found
        if may_repeat(call):
            loops = loops or Repeated(frame)
            kind, region = loops.judged(event, call) or ("", None)
            if region is not None:
                yield Redundant(kind, frame.span(call.place), _words(call), "", frame.span(region.place))


# Before the transfer


def _widened(call: Call, frame: Frame) -> Redundant | None:
    """x.float().cuda(), where x holds pixels or is known to be narrower."""
    if last_name(call) not in _MOVES or not isinstance(call.callee, Attribute):
        return None
    cast = _cast_before(call.callee.base, frame)
    if cast is None or moved_to(call, frame) is None:
        return None
    source = cast.callee.base if isinstance(cast.callee, Attribute) else cast
    value = frame.value(source)
    is_narrow = value.dtype in _NARROW and (value.is_tensor or not NETWORK_NAME.fullmatch(written_name(source)))
    is_narrow = is_narrow or (value.dtype is None and Lineages(frame).of(source).dtype in LOW_PRECISION)
    if not is_narrow and not _holds_pixels(source) and not _is_scaled(call, cast, frame):
        return None
    return Redundant("widened", frame.span(call.place), _words(cast), _words(call))


def _cast_before(term: Term, frame: Frame) -> Call | None:
    """The cast to a floating dtype that a value went through last, but for views and scaling."""
    for _ in range(_REACH):
        if isinstance(term, Operation) and term.operator in ("/", "*", "-") and isinstance(term.parts[-1], Constant):
            term = term.parts[0]
        elif not isinstance(term, Call) or not isinstance(term.callee, Attribute):
            return None
        elif _is_floating_cast(term, frame):
            return term
        elif is_view(term.callee.name) or term.callee.name in _KEEPS:
            term = term.callee.base
        else:
            return None
    return None


def _is_floating_cast(call: Call, frame: Frame) -> bool:
    name = last_name(call)
    if name in ("float", "double"):
        return not call.inputs
    return (
        name in ("to", "type") and frame.value(call).dtype in ("float32", "float64") and moved_to(call, frame) is None
    )


def _holds_pixels(term: Term) -> bool:
    """True for what was read from an image file."""
    for _ in range(_REACH):
        if isinstance(term, Call) and last_name(term) in _READS_PIXELS and isinstance(term.callee, Imported):
            return term.callee.name.startswith(("cv2", "PIL", "imageio", "torchvision"))
        if isinstance(term, Call) and term.arguments and isinstance(term.callee, Imported):
            term = term.arguments[0]
        elif isinstance(term, Call) and isinstance(term.callee, Attribute) and last_name(term) != "astype":
            term = term.callee.base
        elif isinstance(term, (Attribute, Subscript)):
            term = term.base
        else:
            return False
    return False


def _is_scaled(move: Call, cast: Call, frame: Frame) -> bool:
    """True where the value is divided by 255 after the cast: it was made of bytes."""
    waiting: list[Term] = [move, cast]
    parents = parents_in(frame.function)
    for _ in range(2 * _REACH):
        if not waiting:
            return False
        term = waiting.pop()
        for parent in parents.get(id(term), ()):
            if (
                isinstance(parent, Operation)
                and parent.parts[0] is term
                and _is_of_bytes(parent.operator, parent.parts[-1], frame)
            ):
                return True
            if isinstance(parent, Attribute) and parent.base is term:
                for one in parents.get(id(parent), ()):
                    if isinstance(one, Call) and one.callee is parent:
                        is_divided = parent.name in ("div", "div_") and bool(one.arguments)
                        if is_divided and _is_of_bytes("/", one.arguments[0], frame):
                            return True
                        waiting += [one] if is_view(parent.name) or parent.name in _KEEPS else []
    return False


def _is_of_bytes(operator: str, number: Term, frame: Frame) -> bool:
    value = _number(number, frame) if operator == "/" else None
    return isinstance(value, (int, float)) and value in (255, 127.5, 256, 128)


def _number(term: Term, frame: Frame) -> object:
    """The constant that a term is: as it is written, at the top of a file, by default, or kept by the constructor."""
    if isinstance(term, Constant):
        return term.value
    if isinstance(term, (Global, Imported)):
        return frame.value(term).constant
    if isinstance(term, Argument) and term.index < len(frame.function.parameters):
        default = frame.function.parameters[term.index].default
        return default.value if isinstance(default, Constant) else None
    if not isinstance(term, Attribute) or frame.view is None or not frame.is_self(term.base):
        return None
    writes = frame.view.state.writes(term.name)
    event = writes[0].event if len(writes) == 1 else None
    kept = event.value if isinstance(event, Write) else None
    return _number(kept, writes[0].frame) if isinstance(kept, (Constant, Argument)) else None


# What was just made


def _retyped(call: Call, frame: Frame) -> Redundant | None:
    """torch.tensor(x).float(): the dtype could have been given."""
    name = last_name(call)
    if name not in ("to", "type") and (name not in _CASTS or call.inputs):
        return None
    made = call.callee.base if isinstance(call.callee, Attribute) else call
    for _ in range(_REACH):
        if (
            isinstance(made, Call)
            and isinstance(made.callee, Attribute)
            and (
                is_view(made.callee.name) or made.callee.name in _KEEPS - {"div", "div_", "mul", "mul_", "sub", "sub_"}
            )
        ):
            made = made.callee.base
    if not isinstance(made, Call) or not isinstance(made.callee, Imported) or made.keyword("dtype") is not None:
        return None
    if last_name(made) not in _MADE or not made.arguments or frame.value(made.arguments[0]).is_tensor:
        return None
    found = frame.evaluator.project.names.of_term(made.callee, frame.path)
    path = found.name if isinstance(found, External) else ""
    if path not in ("torch.tensor", "torch.as_tensor") or len(made.arguments) > 1:
        return None
    if name in ("to", "type") and (frame.value(call).dtype is None or moved_to(call, frame) is not None):
        return None
    return Redundant("retyped", frame.span(call.place), _words(call), f"{path}()")


def _words(call: Call) -> str:
    name = last_name(call)
    return f"{name}()" if isinstance(call.callee, (Attribute, Global)) else name
