"""TL408 stale-autocast-cache: weights are written inside an autocast region that keeps their casts."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.autocast.stale_casts import stale_casts
from torchlint.rules import function_rule


@function_rule("TL408")
def stale_autocast_cache(function: Frame) -> Iterator[Hit]:
    """Yield the writes into weights between two passes of one outermost region."""
    for found in stale_casts(function):
        yield hit(
            found.span,
            found.symbol,
            write=found.name,
            region=str(found.region.line),
            line=str(found.forward.line),
            because=(
                Place(found.region, "the outermost autocast region starts here"),
                Place(found.forward, "this pass uses the casts of the old weights"),
            ),
        )
