"""TL405 half-loss: a loss is cast to float16 before the scaler multiplies it."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.half.losses import half_losses
from torchlint.rules import function_rule


@function_rule("TL405")
def half_loss(function: Frame) -> Iterator[Hit]:
    """Yield the casts to float16 of losses that a scaler gets."""
    for loss in half_losses(function):
        yield hit(
            loss.span,
            loss.symbol,
            when=loss.kind,
            cast=loss.cast,
            line=str(loss.scaled.line),
            because=(Place(loss.scaled, "the scaler multiplies it here"),),
        )
