"""TL101 unregistered-tensor: construction leaves a tensor on a plain attribute that a later method reads."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.modules.numbered import numbered_leftovers
from torchlint.model.unregistered.leftovers import Leftover, Reading, leftovers
from torchlint.model.unregistered.leftovers_on_children import leftovers_on_children
from torchlint.rules import class_rule

_WHEN = {
    Reading.COMPUTES: "default",
    Reading.MOVED: "moved at every read",
    Reading.INDEXES: "index only",
    Reading.SCALAR: "0-dim",
    Reading.GIVEN: "given",
    Reading.SCRATCH: "scratch",
}


@class_rule("TL101")
def unregistered_tensor(module: ModuleClass) -> Iterator[Hit]:
    """Yield the tensors, and the callables that captured one, which construction leaves on plain attributes."""
    for leftover in (*leftovers(module), *numbered_leftovers(module), *leftovers_on_children(module)):
        yield hit(
            leftover.span,
            leftover.symbol,
            attribute=leftover.attribute,
            reader=leftover.reader,
            when=_variant(leftover),
            because=_places(leftover),
            confidence=None if module.is_certain else Confidence.MEDIUM,
        )


def _variant(leftover: Leftover) -> str:
    if leftover.is_callable:
        return "captured given" if leftover.reading is Reading.GIVEN else "captured"
    return "distribution" if leftover.is_distribution else _WHEN[leftover.reading]


def _places(leftover: Leftover) -> tuple[Place, ...]:
    born = Place(leftover.born, "the tensor is made here") if leftover.born and leftover.born != leftover.span else None
    read = Place(leftover.read, f"read here, in {leftover.reader}()") if leftover.read else None
    return tuple(place for place in (born, read) if place is not None)
