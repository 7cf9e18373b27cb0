"""TL301 blanket-half: a conversion that takes every tensor of a state along, integers and complex numbers included."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, hit
from torchlint.model import Frame
from torchlint.model.weights.blanket import blanket_conversions
from torchlint.rules import function_rule


@function_rule("TL301")
def blanket_half(function: Frame) -> Iterator[Hit]:
    """Yield the casts of whole states that test no dtype."""
    for cast in blanket_conversions(function):
        yield hit(cast.span, cast.symbol, when=cast.kind, dtype=cast.dtype or "", what=cast.what)
