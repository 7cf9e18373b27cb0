"""TL305 gradient-break: a loss is computed from a value that autograd has lost on the way."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.gradients.breaks import gradient_breaks
from torchlint.rules import function_rule


@function_rule("TL305")
def gradient_break(function: Frame) -> Iterator[Hit]:
    """Yield the places where the gradient of a loss ends without an error."""
    for found in gradient_breaks(function):
        places = (Place(found.reached, "the loss is backpropagated from here"),) if found.reached is not None else ()
        yield hit(found.span, function.symbol, when=found.kind, operation=found.operation, because=places)
