"""TL406 grad-scaler-protocol: a path on which the calls of a GradScaler are incomplete or out of order."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.training.scaler_protocol import breaks
from torchlint.rules import function_rule

_BECAUSE = {
    "clip": "the gradients come out of here multiplied by the scale",
    "raw": "the loss is scaled here",
    "twice": "the scaler steps it here",
    "skipped": "unscale_() has run by then",
    "often": "only this allows the next unscale_()",
    "never": "the second call of step() raises",
    "missed": "only here does the scaler forget the step",
    "late": "update() runs only after the loop",
    "alone": "only here are the gradients looked at",
}


@function_rule("TL406")
def grad_scaler_protocol(function: Frame) -> Iterator[Hit]:
    """Yield the calls that clip or step scaled gradients, and the steps and updates that lack the other."""
    for found in breaks(function):
        yield hit(
            found.span,
            found.symbol,
            when=found.kind,
            call=found.name,
            line=str(found.other.line),
            because=(Place(found.other, _BECAUSE[found.kind]),),
        )
