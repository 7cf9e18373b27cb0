"""TL404 half-model-autocast: the weights that mixed precision trains were converted to half themselves."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.half.trained import half_trained
from torchlint.rules import function_rule


@function_rule("TL404")
def half_model_autocast(function: Frame) -> Iterator[Hit]:
    """Yield the conversions to half of models that an optimizer trains in mixed precision."""
    for found in half_trained(function):
        yield hit(
            found.span,
            found.symbol,
            when=found.kind,
            model=found.model,
            dtype=found.dtype,
            because=(Place(found.trained, "here it is to be trained"),),
        )
