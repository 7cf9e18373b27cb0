"""Redundant conversions: casts before a transfer, casts of what was just made, and conversions that a loop repeats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.graphs import COMPARES
from torchlint.knowledge.lookup import is_view
from torchlint.model.devices import moved_to
from torchlint.model.events import Evaluated, Region, RegionKind, Write
from torchlint.model.frames import Frame, last_name
from torchlint.model.lineage import event_of
from torchlint.model.lineages import Lineages
from torchlint.model.names import External
from torchlint.model.networks import is_loss, network_run
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Constant,
    Display,
    Global,
    Imported,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.uses import parents_in
from torchlint.model.values import Kind
from torchlint.source import Span

_CASTS = frozenset("float double half bfloat16 long int short bool".split())
_MOVES = frozenset("to cuda cpu xpu mps npu".split())
_WAITS = frozenset(("item", "cpu"))
_KEEPS = frozenset("unsqueeze_ squeeze_ contiguous permute div div_ mul mul_ sub sub_".split())
_MADE = frozenset(("tensor", "as_tensor"))
_READS_PIXELS = frozenset(("imread", "imdecode", "open"))
_NARROW = frozenset("uint8 int8 int16 bool float16 bfloat16".split())
_REACH = 6


@dataclass(frozen=True, slots=True)
class Redundant:
    """A conversion that costs and changes nothing. kind: "widened", "retyped", "step" or "invariant". cast, other: the
    calls, in words. loop: the loop that repeats it."""

    kind: str
    span: Span
    cast: str
    other: str
    loop: Span | None = None


def redundant_conversions(frame: Frame) -> Iterator[Redundant]:
    """The redundant conversions of a function, in order."""
    loops: _Loops | None = None
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(event, Evaluated) or not isinstance(call, Call):
            continue
        name = last_name(call)
        if isinstance(call.callee, Attribute) and (name in _CASTS or name in _MOVES or name == "type"):
            found = _widened(call, frame) or _retyped(call, frame)
            if found is not None:
                yield found
        if _may_repeat(call, name) and any(one.kind is RegionKind.LOOP for one in event.regions):
            loops = loops or _Loops(frame)
            repeated = loops.judged(event, call)
            if repeated is not None:
                yield repeated


def _may_repeat(call: Call, name: str) -> bool:
    if isinstance(call.callee, Attribute):
        return name in _WAITS or name in _CASTS or name in ("to", "cuda", "type")
    return name == "float" and isinstance(call.callee, Global) and len(call.arguments) == 1


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
    is_narrow = value.is_tensor and value.dtype in _NARROW
    if not is_narrow and not _holds_pixels(source, frame) and not _is_scaled(call, cast, frame):
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


def _holds_pixels(term: Term, frame: Frame) -> bool:
    """True for what was read from an image file."""
    for _ in range(_REACH):
        if isinstance(term, Call) and last_name(term) in _READS_PIXELS and isinstance(term.callee, Imported):
            return term.callee.name.startswith(("cv2", "PIL", "imageio"))
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


# In loops


class _Loops:
    """The conversions that the loops of one function repeat."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._lineages = Lineages(frame)
        self._hot: dict[int, bool] = {}
        self._trains: set[int] = set()
        for event in frame.function.events:
            loop = _loop_of(event)
            if loop is not None and isinstance(event, Evaluated) and isinstance(event.term, Call):
                self._note(loop, event.term)
        self._written = {getattr(e, "attribute", None) for e in frame.function.events if not isinstance(e, Evaluated)}

    def _note(self, loop: Region, call: Call) -> None:
        if network_run(call, self._frame) is not None:
            self._hot[id(loop)] = True
        if last_name(call) == "backward":
            self._trains.add(id(loop))

    def judged(self, event: Evaluated, call: Call) -> Redundant | None:
        """The conversion as a finding, where its innermost loop repeats it for nothing."""
        loop = _loop_of(event)
        if loop is None or isinstance(loop.subject, Display) or _is_guarded(event, loop):
            return None
        name = last_name(call)
        span, place = self._frame.span(call.place), self._frame.span(loop.place)
        if name in _WAITS or isinstance(call.callee, Global):
            return Redundant("step", span, _words(call), "", place) if self._waits(event, call, name) else None
        return Redundant("invariant", span, _words(call), "", place) if self._is_invariant(call, loop) else None

    def _waits(self, event: Evaluated, call: Call, name: str) -> bool:
        """True where the loop runs a network, and the call waits for what it computes."""
        loops = [one for one in event.regions if one.kind is RegionKind.LOOP]
        if (call.inputs and name != "float") or not any(id(one) in self._hot for one in loops):
            return False
        if name == "cpu" and not any(id(one) in self._trains for one in loops):
            return False
        base = call.callee.base if isinstance(call.callee, Attribute) else call.arguments[0]
        if name == "float" and not (isinstance(base, Call) and is_loss(base.callee, self._frame)):
            return False
        found = self._lineages.of(base)
        return (
            found.network is not None and not found.is_python and found.away is not False and not self._is_taken(call)
        )

    def _is_taken(self, call: Call) -> bool:
        """True where the program needs the number at once, for a test, and for x.cpu() of x.cpu().item(): the outer
        call is the finding."""
        parents = parents_in(self._frame.function).get(id(call), ())
        if any(isinstance(one, Operation) and one.operator in COMPARES for one in parents):
            return True
        return any(isinstance(one, Attribute) and one.name in ("item", "numpy", "detach", "data") for one in parents)

    def _is_invariant(self, call: Call, loop: Region) -> bool:
        """True for a cast or a move of a tensor that the loop does not change."""
        if not isinstance(call.callee, Attribute) or not self._changes(call):
            return False
        return self._stays(call.callee.base, loop) and all(self._is_fixed(one, loop) for one in call.inputs)

    def _changes(self, call: Call) -> bool:
        name = last_name(call)
        value = self._frame.value(call.callee.base) if isinstance(call.callee, Attribute) else self._frame.value(call)
        if not value.is_tensor:
            return False
        if name in _CASTS:
            return not call.inputs and self._frame.value(call).dtype != value.dtype
        return bool(call.inputs) or name == "cuda"

    def _stays(self, base: Term, loop: Region) -> bool:
        frame = self._frame
        if isinstance(base, Attribute):
            kind = frame.value(base).kind
            return (
                frame.is_self(base.base)
                and base.name not in self._written
                and kind in (Kind.BUFFER, Kind.PARAMETER, Kind.TENSOR)
            )
        if isinstance(base, Argument):
            return True
        event = event_of(base, frame.function) if isinstance(base, (Call, Subscript)) else None
        return event is not None and loop not in event.regions

    def _is_fixed(self, term: Term, loop: Region) -> bool:
        if isinstance(term, (Constant, Imported, Global, Argument)):
            return True
        if isinstance(term, Attribute):
            return self._is_fixed(term.base, loop) and not isinstance(term.base, Call)
        event = event_of(term, self._frame.function)
        return event is not None and loop not in event.regions


def _loop_of(event: object) -> Region | None:
    regions = getattr(event, "regions", ())
    return next((one for one in regions if one.kind is RegionKind.LOOP), None)


def _is_guarded(event: Evaluated, loop: Region) -> bool:
    """True where a condition inside the loop decides on the call: each hundredth step."""
    inside = event.regions[: event.regions.index(loop)]
    return any(one.kind is RegionKind.GUARD for one in inside)


def _words(call: Call) -> str:
    name = last_name(call)
    return f"{name}()" if isinstance(call.callee, (Attribute, Global)) else name
