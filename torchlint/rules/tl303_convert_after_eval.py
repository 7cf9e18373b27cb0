"""TL303 convert-after-eval: a module is converted when eval() has filled its caches, which stay as they were."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.caches.late_conversions import late_conversions
from torchlint.rules import function_rule


@function_rule("TL303")
def convert_after_eval(function: Frame) -> Iterator[Hit]:
    """Yield the conversions that come after the eval() of the same object, for a class that caches in eval()."""
    for late in late_conversions(function):
        yield hit(
            late.span,
            function.symbol,
            conversion=late.conversion,
            owner=late.owner,
            attribute=late.attribute,
            because=(
                Place(late.switched, "eval() is called here"),
                Place(late.stored, f"and fills self.{late.attribute} here"),
            ),
        )
