"""TL402 backward-in-autocast: the backward pass runs while autocast is on."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.autocast.backward_regions import BackwardInRegion, backwards_in_regions
from torchlint.model.autocast.regions import line_of
from torchlint.rules import function_rule


@function_rule("TL402")
def backward_in_autocast(function: Frame) -> Iterator[Hit]:
    """Yield the backward passes inside a region, those that undo an island as warnings."""
    for found in backwards_in_regions(function):
        yield hit(
            found.span,
            function.symbol,
            when="island" if found.island is not None else "default",
            region=line_of(found.region, function),
            operation=found.operation,
            because=_places(found),
        )


def _places(found: BackwardInRegion) -> tuple[Place, ...]:
    called = (Place(found.called, "the function is run from here"),) if found.called is not None else ()
    island = (Place(found.island, "its gradient is computed in lower precision"),) if found.island is not None else ()
    return (Place(found.region, "the autocast region starts here"), *called, *island)
