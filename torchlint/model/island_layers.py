"""Layers that run in an island on a value that the enclosing region has lowered: their float32 weights refuse it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.autocast import STRICT_LAYERS
from torchlint.model.autocast import Autocast, autocasts_around, may_open_autocast
from torchlint.model.autocast_reach import callers_seen
from torchlint.model.events import Evaluated
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.layers import Built, built, chained
from torchlint.model.lower_precision import layer_called
from torchlint.model.lowered import Lowered, lowered
from torchlint.model.terms import Attribute, Call, Imported, Operation, Term
from torchlint.model.values import Kind
from torchlint.source import Span

_FUNCTIONS = frozenset(
    """
    linear bilinear prelu conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d matmul mm bmm
    """.split()
)

# What takes any dtype and hands it on to the next layer of a chain.
_PASSING = frozenset("ReLU GELU SiLU Dropout Identity LayerNorm RMSNorm GroupNorm Flatten Tanh Sigmoid".split())


@dataclass(frozen=True, slots=True)
class IslandLayer:
    """A layer called in an island. lowered: what made its input low. is_certain: False where a name alone says what the
    layer, or the operation before it, is."""

    span: Span
    island: Span
    layer: str
    lowered: Lowered
    is_certain: bool


def island_layers(frame: Frame) -> Iterator[IslandLayer]:
    """The calls of layers in the islands of a function whose input the enclosing region has lowered."""
    if not may_open_autocast(frame.function):
        return
    callers: list[Moment] | None = None
    for event in frame.function.events:
        if not isinstance(event, Evaluated):
            continue
        island = next(iter(autocasts_around(Moment(event, frame))), None)
        if island is None or not island.is_island or island.casts_inputs:
            continue
        for name, given, is_certain in _strict(event.term, frame):
            found = lowered(given, frame)
            if found is None:
                callers = list(callers_seen(frame)) if callers is None else callers
                found = next(filter(None, (lowered(given, frame, caller) for caller in callers)), None)
            if found is not None:
                yield _described(event.term, name, found, island, frame, is_certain=is_certain)
                break


def _described(
    term: Term, name: str, found: Lowered, island: Autocast, frame: Frame, *, is_certain: bool
) -> IslandLayer:
    at = island.span or frame.span(island.place)
    return IslandLayer(frame.span(term.place), at, name, found, is_certain and found.is_certain)


def _strict(term: Term, frame: Frame) -> Iterator[tuple[str, Term, bool]]:
    """The layer or product with float32 weights that a term runs: its name, its input, and whether that is certain."""
    if isinstance(term, Operation) and term.operator == "@":
        yield from _beside_parameter("@", term.parts, frame)
    if not isinstance(term, Call):
        return
    if isinstance(term.callee, Imported):
        if term.callee.name.startswith("torch.") and last_name(term) in _FUNCTIONS:
            yield from _beside_parameter(last_name(term), term.arguments[:2], frame)
        return
    if isinstance(term.callee, Attribute) and last_name(term) in ("matmul", "mm", "bmm") and term.arguments:
        yield from _beside_parameter(last_name(term), (term.callee.base, term.arguments[0]), frame)
        return
    makers = list(built(term.callee, frame)) if term.arguments else []
    name = _first_strict(makers) if makers else layer_called(term, frame) if term.arguments else None
    if name is not None:
        yield name, term.arguments[0], bool(makers) or frame.value(term.callee).kind is Kind.MODULE


def _beside_parameter(name: str, operands: tuple[Term, ...], frame: Frame) -> Iterator[tuple[str, Term, bool]]:
    """The operand of a product whose other operand is a Parameter as it is."""
    values = [frame.value(term) for term in operands]
    if len(operands) == 2 and sum(value.kind is Kind.PARAMETER for value in values) == 1:
        yield name, next(t for t, v in zip(operands, values, strict=True) if v.kind is not Kind.PARAMETER), True


def _first_strict(makers: list[Built]) -> str | None:
    """The first strict layer that a call runs, where it was built in sight with the default dtype."""
    if len(makers) != 1:
        return None
    for maker, where in chained(*makers[0]) or makers:
        name = (where.value(maker).made_by or "").rpartition(".")[2]
        if name in STRICT_LAYERS:
            return None if maker.keyword("dtype") is not None else name
        if name not in _PASSING:
            return None
    return None
