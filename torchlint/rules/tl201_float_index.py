"""TL201 float-index: a value that is floating for certain reaches a position where torch demands integers."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.dtypes.indexing import FloatIndex, float_indices
from torchlint.model.flow.as_called import as_called
from torchlint.rules import function_rule


@function_rule("TL201", outranks=("TL202",))
def float_index(function: Frame) -> Iterator[Hit]:
    """Yield each birth of a floating value that is used as an index, with its uses."""
    births: dict[object, list[FloatIndex]] = {}
    for index in (found for one in as_called(function) for found in float_indices(one)):
        births.setdefault(index.born, []).append(index)
    for indices in births.values():
        first = indices[0]
        yield hit(
            first.born,
            function.symbol,
            by=first.by,
            because=tuple(dict.fromkeys(Place(index.used, f"used as an index here ({index.by})") for index in indices)),
        )
