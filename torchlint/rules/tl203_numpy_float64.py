"""TL203 numpy-float64: an array of float64 becomes a float64 tensor and meets a network, a loss or its weights."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.dtypes.doubles import doubles
from torchlint.rules import function_rule


@function_rule("TL203")
def numpy_float64(function: Frame) -> Iterator[Hit]:
    """Yield the places where a float64 array enters torch without a dtype and goes to a network or a loss."""
    for double in doubles(function):
        yield hit(
            double.entry,
            double.symbol,
            by=double.by,
            because=(Place(double.met, f"{double.by} takes it here"),),
        )
