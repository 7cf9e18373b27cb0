"""What operations on several tensors make of layouts: matrix products, einsum, cat and stack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torchlint.model.layouts.sizes import integer
from torchlint.model.layouts.stride_orders import channels_last, contraction
from torchlint.model.layouts.strides import (
    ONE,
    Cause,
    Layout,
    Size,
    in_order,
    inserted,
    named,
    open_layout,
    permuted,
    plain,
)
from torchlint.model.terms import Call, Comprehension, Constant, Display, Starred, Term

if TYPE_CHECKING:
    from torchlint.model.layouts.layouts import Layouts, Scope

_JOINING = frozenset(("cat", "concat", "stack"))
_COUNTS = {"bmm": 3, "baddbmm": 3, "mm": 2, "addmm": 2}
SEVERAL = _JOINING | frozenset(("einsum", "matmul", *_COUNTS))


@dataclass(frozen=True, slots=True)
class Step:
    """A call of torch: the name of the operation, the tensor it works on, and the other positional arguments."""

    name: str
    base: Term
    rest: tuple[Term, ...]
    call: Call


class Several:
    """The operations on several tensors."""

    def __init__(self, layouts: Layouts) -> None:
        self._layouts = layouts

    def call(self, step: Step, scope: Scope) -> tuple[Layout, ...]:
        """What one of them returns."""
        if step.name == "einsum":
            return self._einsum(step.call, scope)
        if step.name in _JOINING:
            return self._joined(step, scope)
        return self._product(step, scope)

    def _product(self, step: Step, scope: Scope) -> tuple[Layout, ...]:
        count = _COUNTS.get(step.name)
        if count is not None:
            return (named([None] * count, id(step.call)),)
        return self.product((step.base, *step.rest), scope)

    def product(self, operands: Sequence[Term], scope: Scope) -> tuple[Layout, ...]:
        """A matrix product: new memory in plain order, of as many dimensions as the operand that has most."""
        found = [self._layouts.of(term, scope) for term in operands[-2:]]
        counts = [layouts[0].ndim for layouts in found if layouts]
        if len(counts) < 2 or None in counts:
            return ()
        count = max(one for one in counts if one is not None)
        return (named([None] * count, id(operands[-1])),)

    def _einsum(self, call: Call, scope: Scope) -> tuple[Layout, ...]:
        equation = call.arguments[0] if call.arguments else None
        text = equation.value if isinstance(equation, Constant) else None
        cause = Cause("einsum", scope.frame.span(call.place))
        if isinstance(text, str) and len(call.arguments) == 2:
            return self._reordered(text, call.arguments[1], cause, scope)
        if not isinstance(text, str) or len(call.arguments) != 3:
            return ()
        found = contraction(text, cause)
        return (found,) if found is not None else ()

    def _reordered(self, text: str, operand: Term, cause: Cause, scope: Scope) -> tuple[Layout, ...]:
        """An einsum of one operand that sums over nothing is a permute(), and shares its memory."""
        before, arrow, after = text.replace(" ", "").partition("->")
        if not arrow or len(set(before)) != len(before) or sorted(before) != sorted(after) or not before.isalpha():
            return ()
        order = [before.index(letter) for letter in after]
        found = (permuted(layout, order, cause) for layout in self._layouts.of(operand, scope))
        return tuple(layout for layout in found if layout is not None)

    def _stacked(self, step: Step, parts: Comprehension, scope: Scope) -> Layout | None:
        """A stack of what a comprehension makes: one dimension more than its element has, all in plain order."""
        found = self._layouts.of(parts.parts[-1], scope)
        given = step.call.argument(1, "dim")
        at = integer(given, scope) if given is not None else 0
        made = inserted(in_order(found[0]), at) if len(found) == 1 and at is not None else None
        if made is None:
            return None
        count: Size = (("stack", id(step.call)),)
        before = {axis.identity for axis in found[0].axes}
        axes = tuple(
            axis if axis.size != ONE or axis.identity in before else axis._replace(size=count) for axis in made.axes
        )
        return in_order(replace(made, axes=axes))

    def _joined(self, step: Step, scope: Scope) -> tuple[Layout, ...]:
        """cat keeps channels-last where all have it; both else answer in plain order."""
        if isinstance(step.base, Comprehension):
            stacked = self._stacked(step, step.base, scope) if step.name == "stack" else None
            return (stacked or open_layout(("joined", id(step.call))),)
        if not isinstance(step.base, Display):
            # A list that a loop fills, or that was given.
            return (open_layout(("joined", id(step.call))),)
        parts = step.base.parts
        found = [self._layouts.of(part, scope) for part in parts]
        if not found or not all(found) or any(isinstance(part, Starred) for part in parts):
            return ()
        counts = {layouts[0].ndim for layouts in found}
        count = next(iter(counts))
        if len(counts) > 1 or count is None:
            return ()
        sizes = [(("cat", id(step.call), at),) for at in range(count + (step.name == "stack"))]
        made = [channels_last(layouts[0], sizes) for layouts in found]
        return (made[0] if all(one.memory == made[0].memory for one in made) else plain(sizes),)
