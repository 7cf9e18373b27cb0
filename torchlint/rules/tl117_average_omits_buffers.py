"""TL117 average-omits-buffers: an averaged model follows another one over its parameters alone."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.weights.averages import Average, averages
from torchlint.rules import function_rule


@function_rule("TL117")
def average_omits_buffers(function: Frame) -> Iterator[Hit]:
    """Yield the loops that average parameters and leave the buffers out."""
    for average in averages(function):
        yield hit(
            average.span,
            function.symbol,
            averaged=average.averaged,
            when="default" if average.judged is not None and average.statistics else "buffers not known",
            because=_places(average),
        )


def _places(average: Average) -> tuple[Place, ...]:
    written = Place(average.written, "only parameters are averaged here")
    judged = (Place(average.judged, "the averaged model is evaluated or saved here"),) if average.judged else ()
    return (written, *judged)
