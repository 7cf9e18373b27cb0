"""TL401 cast-in-autocast: a cast by hand inside an autocast region that autocast ignores, or that loses what it
keeps."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.autocast.hand_casts import HandCast, hand_casts
from torchlint.rules import function_rule


@function_rule("TL401", helpers="own lines")
def cast_in_autocast(function: Frame) -> Iterator[Hit]:
    """Yield the casts that are ignored, that narrow by hand, or that make a layer raise."""
    for cast in hand_casts(function):
        yield hit(
            cast.span,
            function.symbol,
            when=cast.kind,
            dtype=cast.dtype,
            region=str(cast.region.line),
            operation=cast.operation,
            because=_places(cast),
        )


def _places(cast: HandCast) -> tuple[Place, ...]:
    region = Place(cast.region, "the autocast region starts here")
    if cast.used is None:
        return (region,)
    return region, Place(cast.used, f"{cast.operation} runs in the region's lower precision")
