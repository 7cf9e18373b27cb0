"""In which order torch lays out the results of operations: elementwise ones, convolutions, einsum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from torchlint.model.layouts.strides import ONE, Axis, Cause, Layout, Size, located, named, plain


def elementwise(layouts: Sequence[Layout]) -> Layout | None:
    """The dense result of an elementwise operation: the first operand decides on the order of two dimensions unless it
    repeats one of them. None where dimensions cannot be counted."""
    first = layouts[0]
    if any(layout.overlaps for layout in layouts):
        return None
    if len(layouts) == 1 or first.rest is not None or any(other.rest is not None for other in layouts):
        return _beside_unknown(layouts)
    count = max(len(layout.axes) for layout in layouts)
    ranks = [_ranks(layout, count) for layout in layouts]
    sizes = [_joined_size(layouts, count - at) for at in range(count)]
    axes = tuple(Axis(at, size) for at, size in enumerate(sizes))
    memory = tuple(at for at in _sorted(ranks, count) if sizes[at] != ONE)
    cause = next((layout.cause for layout in layouts if layout.cause is not None), None)
    branches = frozenset[int]().union(*(layout.branches for layout in layouts))
    return Layout(axes, memory, cause=cause, branches=branches)


def _beside_unknown(layouts: Sequence[Layout]) -> Layout | None:
    """One operand alone, or the first beside others with as many dimensions as it has, or fewer."""
    first = layouts[0]
    if len(layouts) > 1 and (len(first.axes) == 1 or first.is_expanded or any(a.size == ONE for a in first.axes)):
        is_plain = all(one.cause is None for one in layouts)
        return replace(first, axes=first.axes) if is_plain and first.rest is not None else None
    places = {axis.identity: at for at, axis in enumerate(first.axes)}
    order = _sorted([[_rank(first, axis) for axis in first.axes]], len(first.axes))
    present = [first.axes[at].identity for at in order if first.axes[at].size != ONE]
    assert set(present) <= set(places)
    return replace(first, memory=tuple(present))


def _rank(layout: Layout, axis: Axis) -> int | None:
    """How far in a dimension lies in memory; None without a stride of its own."""
    return layout.memory.index(axis.identity) if axis.identity in layout.memory else None


def _ranks(layout: Layout, count: int) -> list[int | None]:
    missing: list[int | None] = [None] * (count - len(layout.axes))
    return missing + [_rank(layout, axis) for axis in layout.axes]


def _joined_size(layouts: Sequence[Layout], back: int) -> Size:
    """The size of the dimension `back` places from the end: of the operand that has more than one element there."""
    present = (layout.axes[-back].size for layout in layouts if len(layout.axes) >= back)
    return next((size for size in present if size != ONE), ONE)


def _sorted(ranks: Sequence[Sequence[int | None]], count: int) -> list[int]:
    """The dimensions of the result from the outermost to the innermost, sorted as torch's TensorIterator does."""
    order = list(range(count - 1, -1, -1))
    for start in range(1, count):
        at = start
        for before in range(start - 1, -1, -1):
            verdict = _compared(ranks, order[before], order[at])
            if verdict > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif verdict < 0:
                break
    return order[::-1]


def _compared(ranks: Sequence[Sequence[int | None]], one: int, other: int) -> int:
    """-1 where dimension `one` lies further in than `other`, 1 where it lies further out, 0 where no operand tells."""
    for operand in ranks:
        left, right = operand[one], operand[other]
        if left is not None and right is not None:
            return -1 if left > right else 1
    return 0


def channels_last(layout: Layout, sizes: Sequence[Size]) -> Layout:
    """The result of a convolution or pooling of these sizes: channels-last where the input is, else in plain order."""
    count = len(sizes)
    last = (0, *range(2, count), 1)
    is_last = layout.ndim == count and count > 3 and layout.memory == tuple(layout.axes[at].identity for at in last)
    made = plain(sizes)
    if not is_last:
        return replace(made, branches=layout.branches)
    return replace(made, memory=last, cause=layout.cause, branches=layout.branches)


def contraction(equation: str, cause: Cause) -> Layout | None:
    """The result of einsum with two operands, in the order in which its matrix product leaves it; None where the
    equation says too little."""
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    operands = inputs.split(",")
    letters = set(output)
    if not arrow or len(operands) != 2 or "." in equation or len(letters) != len(output):
        return None
    left, right = map(set, operands)
    made = named([None] * len(output), object())
    if not (left & right) - letters:
        # Nothing is contracted: torch multiplies element by element.
        return None
    shared = [at for at, letter in enumerate(output) if letter in left and letter in right]
    first = [at for at, letter in enumerate(output) if letter in left and letter not in right]
    second = [at for at, letter in enumerate(output) if letter in right and letter not in left]
    if first and second and second[-1] < first[0]:
        # torch swaps the operands, unless it has to sum one of them beforehand.
        if (left ^ right) - letters:
            return None
        first, second = second, first
    memory = (*shared, *first, *second)
    return replace(made, memory=memory, cause=cause)


def batch_first(layout: Layout, cause: Cause) -> Layout:
    """The output of a recurrent layer with batch_first: time lies outermost in memory. A single step has no place in
    it, nor has a batch of one."""
    found = [located(layout, at) for at in (0, 1)]
    is_one = [one is not None and one[0].axes[one[1]].size == ONE for one in found]
    made = named([ONE if one else None for one in (*is_one, False)], object())
    memory = tuple(at for at in (1, 0, 2) if made.axes[at].size != ONE)
    return replace(made, memory=memory, cause=cause, branches=layout.branches)
