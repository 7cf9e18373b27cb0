"""TL202 legacy-constructor: torch.Tensor(..) and its like guess from their arguments what is meant, and guess wrong."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.dtypes.legacy_calls import LegacyCall, legacy_calls
from torchlint.model.dtypes.unfilled import holds_sizes, unfilled
from torchlint.rules import function_rule

_NOTES = {"sized": "sized", "sizes": "data", "data": "data", "empty": "data"}


@function_rule("TL202")
def legacy_constructor(function: Frame) -> Iterator[Hit]:
    """Yield every call of a legacy constructor; a warning where its arguments do not mean what was meant."""
    for legacy in legacy_calls(function):
        yield _judged(legacy, function)


def _judged(legacy: LegacyCall, function: Frame) -> Hit:
    span = function.span(legacy.call.place)
    if legacy.form == "sizes" and holds_sizes(legacy.call, function):
        return hit(span, function.symbol, when="tuple of sizes", call=legacy.name)
    if legacy.form in _NOTES:
        found = unfilled(legacy.call, function) if legacy.form == "sized" else None
        if found is None:
            return hit(span, function.symbol, when=_NOTES[legacy.form], call=legacy.name)
        because = (Place(found.read, "read here"),) if found.read is not None else ()
        if found.attribute:
            name = found.attribute
            return hit(span, function.symbol, when="never filled", call=legacy.name, name=name, because=because)
        return hit(span, function.symbol, when="read unfilled", call=legacy.name, because=because)
    when = "device" if legacy.form == "device" else "keyword"
    return hit(span, function.symbol, when=when, call=legacy.name, keyword=legacy.form)
