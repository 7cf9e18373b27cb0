"""Layers that run in an island on a value that the enclosing region has lowered: their float32 weights refuse it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.autocast import STRICT_LAYERS
from torchlint.model.autocast.lower_precision import layer_called
from torchlint.model.autocast.lowered import Lowered, lowered
from torchlint.model.autocast.reach import callers_seen, entered_by
from torchlint.model.autocast.regions import Autocast, autocast_around, autocasts_around, may_open_autocast
from torchlint.model.events import Evaluated
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.layers import Built, built, chained
from torchlint.model.terms import Attribute, Call, Imported, Operation, Term
from torchlint.model.values import Kind
from torchlint.source import Span

_FUNCTIONS = frozenset(
    """
    linear bilinear prelu conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d
    matmul mm bmm mv addmm baddbmm einsum
    """.split()
)

_DEPTH = 2
# What takes any dtype and hands it on to the next layer of a chain.
_PASSING = frozenset("ReLU GELU SiLU Dropout Identity LayerNorm RMSNorm GroupNorm Flatten Tanh Sigmoid".split())


@dataclass(frozen=True, slots=True)
class IslandLayer:
    """A layer called in an island. lowered: what made its input low. is_certain: False where a name alone says what the
    layer, or the operation before it, is."""

    span: Span
    symbol: str
    island: Span
    layer: str
    lowered: Lowered
    is_certain: bool


def island_layers(frame: Frame) -> Iterator[IslandLayer]:
    """The calls of layers in the islands of a function, and in what it calls there, whose input the enclosing region
    has lowered."""
    if not may_open_autocast(frame.function):
        return
    callers: list[Moment] | None = None
    for moment, island in _in_islands(frame):
        for name, given, is_certain in _strict(moment.event.term, moment.frame):  # type: ignore[attr-defined]
            found = lowered(given, moment.frame, moment.caller)
            if found is None:
                callers = list(callers_seen(frame)) if callers is None else callers
                found = next(filter(None, (lowered(given, *_led(moment, caller)) for caller in callers)), None)
            if found is not None:
                yield _described(moment, name, found, island, is_certain=is_certain)
                break


def _in_islands(frame: Frame) -> Iterator[tuple[Moment, Autocast]]:
    """What is evaluated in the islands of a function, there and in the functions of the file that they call."""
    for event in frame.function.events:
        moment = Moment(event, frame)
        island = next(iter(autocasts_around(moment)), None) if isinstance(event, Evaluated) else None
        if island is not None and island.is_island and not island.casts_inputs:
            yield moment, island
            yield from ((inner, island) for inner in _entered(moment, _DEPTH))


def _entered(moment: Moment, depth: int) -> Iterator[Moment]:
    """What a call leads to in the functions of the same file that open no region of their own."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    if not depth or not isinstance(call, Call) or isinstance(call.callee, Imported):
        return
    for inner in entered_by(call, moment.frame):
        is_new = all(one.function is not inner.function for one in moment.functions())
        if inner.path != moment.frame.path or not is_new or inner.function.name == "__init__":
            continue
        for event in inner.function.events:
            step = Moment(event, inner, moment)
            if isinstance(event, Evaluated) and autocast_around(event, inner) is None:
                yield step
                yield from _entered(step, depth - 1)


def _led(moment: Moment, caller: Moment) -> tuple[Frame, Moment]:
    """The frame of an event, and the calls that led there, with one that leads to the first of them."""
    if moment.caller is None:
        return moment.frame, caller
    return moment.frame, Moment(moment.caller.event, *_led(moment.caller, caller))


def _described(moment: Moment, name: str, found: Lowered, island: Autocast, *, is_certain: bool) -> IslandLayer:
    frame, place = moment.frame, moment.event.term.place  # type: ignore[attr-defined]
    at = island.span or frame.span(island.place)
    return IslandLayer(frame.span(place), frame.symbol, at, name, found, is_certain and found.is_certain)


def _strict(term: Term, frame: Frame) -> Iterator[tuple[str, Term, bool]]:
    """The layer or product with float32 weights that a term runs: its name, its input, and whether that is certain."""
    if isinstance(term, Operation) and term.operator == "@":
        yield from _beside_parameter("@", term.parts, frame)
    if not isinstance(term, Call):
        return
    if isinstance(term.callee, Imported):
        if term.callee.name.startswith("torch.") and last_name(term) in _FUNCTIONS:
            yield from _beside_parameter(last_name(term), _factors(term), frame)
        return
    if isinstance(term.callee, Attribute) and last_name(term) in ("matmul", "mm", "bmm") and term.arguments:
        yield from _beside_parameter(last_name(term), (term.callee.base, term.arguments[0]), frame)
        return
    makers = list(built(term.callee, frame)) if term.arguments else []
    name = _first_strict(makers) if makers else layer_called(term, frame) if term.arguments else None
    if name is not None:
        yield name, term.arguments[0], bool(makers) or frame.value(term.callee).kind is Kind.MODULE


def _factors(call: Call) -> tuple[Term, ...]:
    """The two operands of a product: of addmm the last ones, of einsum what follows the equation."""
    is_last = last_name(call) in ("addmm", "baddbmm", "einsum")
    return call.arguments[1:3] if is_last else call.arguments[:2]


def _beside_parameter(name: str, operands: tuple[Term, ...], frame: Frame) -> Iterator[tuple[str, Term, bool]]:
    """The operand of a product whose other operand is a Parameter as it is."""
    values = [frame.value(term) for term in operands]
    if len(operands) == 2 and sum(value.kind is Kind.PARAMETER for value in values) == 1:
        yield name, next(t for t, v in zip(operands, values, strict=True) if v.kind is not Kind.PARAMETER), True


def _first_strict(makers: list[Built]) -> str | None:
    """The first strict layer that a call runs, where each that it may run was built in sight with the default dtype."""
    names = {_strict_in(maker) for maker in makers}
    return None if None in names else min(str(name) for name in names)


def _strict_in(built_as: Built) -> str | None:
    for maker, where in chained(*built_as) or [built_as]:
        name = (where.value(maker).made_by or "").rpartition(".")[2]
        if name in STRICT_LAYERS:
            return None if maker.keyword("dtype") is not None else name
        if name not in _PASSING:
            return None
    return None
