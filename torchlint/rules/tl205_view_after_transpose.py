"""TL205 view-after-transpose: a view() that merges dimensions which a transpose or an expand has taken apart."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.layouts.merging_views import merging_views
from torchlint.rules import function_rule


@function_rule("TL205")
def view_after_transpose(function: Frame) -> Iterator[Hit]:
    """Yield the views that torch refuses, here and in what is called with a tensor out of order."""
    for view in merging_views(function):
        text = f"{view.operation} {'repeats a dimension' if view.is_expanded else 'changes the order'} here"
        yield hit(
            view.span,
            view.symbol,
            when="expand" if view.is_expanded else "default",
            operation=view.operation,
            line=str(view.cause.line),
            because=(Place(view.cause, text),),
            confidence=Confidence.HIGH if view.is_expanded else None,
        )
