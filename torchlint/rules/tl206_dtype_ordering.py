"""TL206 dtype-ordering: torch dtypes are compared by size, and have no order."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, hit
from torchlint.model import Frame
from torchlint.model.dtypes.dtype_orders import dtype_orders
from torchlint.rules import function_rule


@function_rule("TL206", helpers="own lines")
def dtype_ordering(function: Frame) -> Iterator[Hit]:
    """Yield the comparisons, minima, maxima and sorts of dtypes."""
    for order in dtype_orders(function):
        yield hit(
            order.span,
            function.symbol,
            by=order.by,
            confidence=None if order.is_certain else Confidence.MEDIUM,
        )
