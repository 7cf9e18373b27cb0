"""TL302 half-range: a number that float16 or bfloat16 cannot hold, an optimizer's eps, a counter that stops."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.half.counters import half_counters
from torchlint.model.half.optimizers import half_optimizers
from torchlint.model.half.ranges import numbers_out_of_range
from torchlint.rules import function_rule


@function_rule("TL302")
def half_range(function: Frame) -> Iterator[Hit]:
    """Yield the numbers out of range, the optimizers whose eps is lost, and the counters that stop."""
    yield from _numbers(function)
    for optimizer in half_optimizers(function):
        yield hit(
            optimizer.span,
            function.symbol,
            when="optimizer",
            optimizer=optimizer.name,
            number=f"{optimizer.eps:g}",
            because=(Place(optimizer.converted, "the parameters become half here"),),
        )
    for counter in half_counters(function):
        yield hit(
            counter.span,
            function.symbol,
            when="counter",
            counter=counter.name,
            dtype=counter.dtype,
            last=str(counter.last),
        )


def _numbers(function: Frame) -> Iterator[Hit]:
    for found in numbers_out_of_range(function):
        yield hit(
            found.span,
            function.symbol,
            when=found.kind,
            number=found.number,
            operation=found.operation,
            dtype=found.dtype,
            reason=found.reason,
        )
