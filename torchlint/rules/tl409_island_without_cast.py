"""TL409 island-without-cast: a layer in an island gets a value that the enclosing region has lowered."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.autocast.island_layers import island_layers
from torchlint.rules import function_rule


@function_rule("TL409")
def island_without_cast(function: Frame) -> Iterator[Hit]:
    """Yield the layers of islands that meet a lowered input."""
    for found in island_layers(function):
        yield hit(
            found.span,
            found.symbol,
            when="default" if found.is_certain else "likely",
            layer=found.layer,
            operation=found.lowered.operation,
            because=(
                Place(found.lowered.span, f"{found.lowered.operation} runs in the region's lower precision"),
                Place(found.island, "the island starts here"),
            ),
        )
