"""Layouts of windows: x.unfold(dim, size, step), which copies nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.layouts.several import Step
from torchlint.model.layouts.sizes import Sizes, integer
from torchlint.model.layouts.strides import ONE, Cause, Layout, Size, named, windowed
from torchlint.model.terms import Imported

if TYPE_CHECKING:
    from torchlint.model.layouts.layouts import Scope


def windows(step: Step, layout: Layout, scope: Scope, sizes: Sizes) -> Layout | None:
    """The layout after x.unfold(dim, size, step); the function of that name copies into columns."""
    call = step.call
    if isinstance(call.callee, Imported):
        return named([None] * 3, id(call))
    at = integer(call.argument(0, "dimension"), scope)
    given = [call.argument(place, key) for place, key in ((1, "size"), (2, "step"))]
    window, distance = (sizes.of(term, scope) if term is not None else None for term in given)
    if at is None or window is None or distance is None:
        return None
    count: Size = (("windows", id(call)),)
    cause = Cause(step.name, scope.frame.span(call.place))
    return windowed(layout, at, (count, window or ONE), overlaps=window != distance, cause=cause)
