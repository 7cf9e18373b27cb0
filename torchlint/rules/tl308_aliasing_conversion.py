"""TL308 aliasing-conversion: an in-place write to the result of a conversion that may have copied nothing."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.dtypes.borrowed_writes import borrowed_writes
from torchlint.rules import function_rule


@function_rule("TL308")
def aliasing_conversion(function: Frame) -> Iterator[Hit]:
    """Yield the writes that reach an argument, a Parameter or a buffer where its dtype already fits."""
    for write in borrowed_writes(function):
        yield hit(
            write.span,
            function.symbol,
            when="default" if write.kind == "argument" else "state",
            operation=write.operation,
            conversion=write.conversion,
            root=write.root,
            kind=write.kind,
            because=(Place(write.converted, f"{write.conversion} returns {write.root} itself where it already fits"),),
        )
