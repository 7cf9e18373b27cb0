"""TL307 redundant-conversion: a cast or a transfer that costs and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.dtypes.redundant import redundant_conversions
from torchlint.rules import function_rule


@function_rule("TL307", helpers="own lines")
def redundant_conversion(function: Frame) -> Iterator[Hit]:
    """Yield the conversions that another place, or an argument, would do for less."""
    for found in redundant_conversions(function):
        reason = "the step is taken here" if found.kind == "per step" else "the loop starts here"
        places = (Place(found.loop, reason),) if found.loop is not None else ()
        yield hit(found.span, function.symbol, when=found.kind, cast=found.cast, call=found.other, because=places)
