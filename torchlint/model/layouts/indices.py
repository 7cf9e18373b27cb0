"""What subscripts make of layouts: basic indices only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchlint.model.flow.passed import greatest_passed, numbers_written
from torchlint.model.layouts.sizes import integer
from torchlint.model.layouts.strides import ONE, Layout, inserted, located, removed, resized
from torchlint.model.terms import Argument, Constant, Display, Element, Operation, Subscript, Term
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.layouts.layouts import Scope


def basic_indices(term: Subscript, scope: Scope) -> tuple[Term, ...]:
    """The indices of x[0], x[:, None], x[..., 1]; none where one is a mask, a list, or not known."""
    if isinstance(term.index, Constant) and isinstance(term.index.value, str):
        return ()
    parts = term.index.parts if isinstance(term.index, Display) else (term.index,)
    return parts if all(_is_basic(part, scope) for part in parts) else ()


def _is_basic(part: Term, scope: Scope) -> bool:
    if isinstance(part, Constant):
        return part.value is None or part.value is Ellipsis or isinstance(part.value, int)
    return (isinstance(part, Operation) and part.operator == "slice") or scope.frame.value(part).kind is Kind.NUMBER


def of_one(parts: Sequence[Term], scope: Scope) -> frozenset[int]:
    """Those of the indices, by identity, that keep the first element alone: x[:1], and x[:k] for each k of a parameter
    that no caller gives more than 1."""
    return frozenset(id(part) for part in parts if isinstance(part, Operation) and _keeps_one(part, scope))


def _keeps_one(part: Operation, scope: Scope) -> bool:
    bounds = [one for one in part.parts if not (isinstance(one, Constant) and one.value in (None, 0))]
    if len(bounds) != 1 or len(part.parts) > 2 or bounds[0] is not part.parts[-1]:
        return False
    stop = bounds[0].iterable if isinstance(bounds[0], Element) else bounds[0]
    if isinstance(stop, Argument) and stop.index not in scope.given:
        return greatest_passed(stop, scope.frame) == 1
    given = scope.given[stop.index][0] if isinstance(stop, Argument) else stop
    return set(numbers_written(given)) == {1} or integer(stop, scope) == 1


def indexed(
    layout: Layout | None, parts: Sequence[Term], token: int, ones: frozenset[int] = frozenset()
) -> Layout | None:
    """The layout after basic indices; `token` names the sizes of slices, `ones` are those that keep one element."""
    gap = next((i for i, part in enumerate(parts) if isinstance(part, Constant) and part.value is Ellipsis), None)
    at = 0
    for part in parts if gap is None else parts[:gap]:
        if layout is None:
            return None
        layout, at = _one_index(layout, part, at, None if id(part) in ones else token)
    return _from_the_end(layout, parts[gap + 1 :], token) if gap is not None else layout


def _from_the_end(layout: Layout | None, parts: Sequence[Term], token: int) -> Layout | None:
    """The layout after the indices that follow an ellipsis."""
    for back, part in enumerate(reversed(parts), 1):
        if layout is None:
            return None
        if isinstance(part, Operation):
            layout = resized(layout, -back, (("slice", token, -back),)) if part.parts else layout
        elif len(parts) > 1:
            return None
        else:
            is_new = isinstance(part, Constant) and part.value is None
            layout = inserted(layout, -1) if is_new else removed(layout, -1)
    return layout


def _one_index(layout: Layout, part: Term, at: int, token: int | None) -> tuple[Layout | None, int]:
    """The layout after one index, and the dimension that the next one is about."""
    if isinstance(part, Constant) and part.value is None:
        return inserted(layout, at), at + 1
    if isinstance(part, Operation):
        if not part.parts:
            found = located(layout, at)
            return (found[0] if found is not None else None), at + 1
        return resized(layout, at, (("slice", token, at),) if token is not None else ONE), at + 1
    return removed(layout, at), at
