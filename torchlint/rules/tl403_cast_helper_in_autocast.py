"""TL403 cast-helper-in-autocast: a function casts by hand, and a caller runs it inside an autocast region."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.autocast.hand_casts import HandCast, casts_in_helper
from torchlint.model.autocast.regions import line_of
from torchlint.rules import function_rule


@function_rule("TL403")
def cast_helper_in_autocast(function: Frame) -> Iterator[Hit]:
    """Yield the casts of a function that work against the region of its caller."""
    for cast in casts_in_helper(function):
        yield hit(
            cast.span,
            function.symbol,
            when=cast.kind,
            dtype=cast.dtype,
            function=function.function.name,
            region=line_of(cast.region, function),
            operation=cast.operation,
            because=_places(cast),
        )


def _places(cast: HandCast) -> tuple[Place, ...]:
    called = (Place(cast.called, "the function is run from here"),) if cast.called is not None else ()
    used = (Place(cast.used, f"{cast.operation} runs in the region's lower precision"),) if cast.used else ()
    return (Place(cast.region, "the autocast region starts here"), *called, *used)
