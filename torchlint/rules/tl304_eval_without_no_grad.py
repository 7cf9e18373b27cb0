"""TL304 eval-without-no-grad: an evaluation loop that records gradients which nobody asks for."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.gradients.recorded_evaluation import recorded_evaluations
from torchlint.rules import function_rule


@function_rule("TL304", helpers="as called")
def eval_without_no_grad(function: Frame) -> Iterator[Hit]:
    """Yield the eval() calls after which a loop runs the model with gradients on."""
    for loop in recorded_evaluations(function):
        other = loop.switched if loop.span == loop.forward else loop.forward
        yield hit(
            loop.span,
            function.symbol,
            model=loop.model,
            because=(
                Place(other, "eval() is called here" if other == loop.switched else "autograd records this call"),
            ),
        )
