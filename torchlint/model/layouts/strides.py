"""Strides without numbers: in which order the dimensions of a tensor lie in memory, and which views that order allows.

A dimension of size 1 has no place in memory, a repeated one (expand) has none either. What slicing leaves unused in
between is not followed: a slice may be of everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from torchlint.source import Span

Size = tuple[object, ...]
"""A number of elements as its factors, in a fixed order; () is 1."""

ONE: Size = ()


class Axis(NamedTuple):
    """A dimension. identity: unique inside a layout."""

    identity: int
    size: Size


@dataclass(frozen=True, slots=True)
class Cause:
    """The operation that took dimensions out of their order, or repeated them."""

    operation: str
    span: Span


@dataclass(frozen=True, slots=True)
class Layout:
    """The dimensions of a tensor as it is indexed, and (memory) the identities of those with a stride, outermost first.

    rest: the identity of the axis that stands for all dimensions of which the number is not known. name: what names the
    sizes that are not known. taken: how many dimensions were split off the rest, in front and behind. overlaps: windows
    share elements or leave gaps, so that what is computed from it is laid out anew.
    """

    axes: tuple[Axis, ...]
    memory: tuple[int, ...]
    rest: int | None = None
    name: object = None
    taken: tuple[int, int] = (0, 0)
    cause: Cause | None = None
    branches: frozenset[int] = frozenset()
    overlaps: bool = False

    @property
    def is_expanded(self) -> bool:
        """A dimension is repeated without memory of its own."""
        return any(axis.size != ONE and axis.identity not in self.memory for axis in self.axes)

    @property
    def ndim(self) -> int | None:
        """The number of dimensions; None where it is not known."""
        return None if self.rest is not None else len(self.axes)

    def fresh(self) -> int:
        """An identity that no axis has."""
        return max((axis.identity for axis in self.axes), default=-1) + 1


def named(sizes: Sequence[Size | None], name: object) -> Layout:
    """A contiguous tensor of these sizes, of which None is not known."""
    return plain([((name, at),) if size is None else size for at, size in enumerate(sizes)])


def plain(sizes: Sequence[Size]) -> Layout:
    """A contiguous tensor of these sizes."""
    axes = tuple(Axis(index, size) for index, size in enumerate(sizes))
    return Layout(axes, tuple(axis.identity for axis in axes if axis.size != ONE))


def open_layout(name: object) -> Layout:
    """A contiguous tensor of any number of dimensions."""
    return Layout((Axis(0, ("rest", name)),), (0,), 0, name)


def in_order(layout: Layout) -> Layout:
    """The same sizes in new, contiguous memory."""
    present = tuple(axis.identity for axis in layout.axes if axis.size != ONE)
    return replace(layout, memory=present, cause=None)


def with_ndim(layout: Layout, count: int) -> Layout:
    """The layout of a tensor that is known to have `count` dimensions."""
    if layout.rest is None or count < len(layout.axes) - 1:
        return layout
    found = layout
    for _ in range(count - (len(layout.axes) - 1)):
        found = _split_front(found)
    return replace(
        found,
        axes=tuple(axis for axis in found.axes if axis.identity != found.rest),
        memory=tuple(identity for identity in found.memory if identity != found.rest),
        rest=None,
    )


def _split_front(layout: Layout) -> Layout:
    return _split(layout, ("dim", layout.name, layout.taken[0]), 0)


def _split(layout: Layout, token: object, offset: int) -> Layout:
    """One dimension split off the rest: before it (offset 0) or behind it (1)."""
    assert layout.rest is not None
    made = Axis(layout.fresh(), (token,))
    at = next(i for i, axis in enumerate(layout.axes) if axis.identity == layout.rest) + offset
    place = layout.memory.index(layout.rest) + offset
    front, back = layout.taken
    return replace(
        layout,
        axes=(*layout.axes[:at], made, *layout.axes[at:]),
        memory=(*layout.memory[:place], made.identity, *layout.memory[place:]),
        taken=(front + (offset == 0), back + (offset == 1)),
    )


def located(layout: Layout, index: int) -> tuple[Layout, int] | None:
    """The position of dimension `index` (negative from the end) in `axes`, split off the rest if need be."""
    if layout.rest is None:
        position = index + len(layout.axes) if index < 0 else index
        return (layout, position) if 0 <= position < len(layout.axes) else None
    while layout.rest is not None:
        at = next(i for i, axis in enumerate(layout.axes) if axis.identity == layout.rest)
        if 0 <= index < at:
            return layout, index
        if index < 0 and len(layout.axes) + index > at:
            return layout, len(layout.axes) + index
        token = ("dim", layout.name, layout.taken[0] if index >= 0 else -layout.taken[1] - 1)
        layout = _split(layout, token, 0 if index >= 0 else 1)
    return None


def transposed(layout: Layout, first: int, second: int, cause: Cause) -> Layout | None:
    """Two dimensions swapped."""
    found = located(layout, first)
    found = located(found[0], second) if found is not None else None
    again = located(found[0], first) if found is not None else None
    other = located(again[0], second) if again is not None else None
    if again is None or other is None:
        return None
    axes = list(again[0].axes)
    axes[again[1]], axes[other[1]] = axes[other[1]], axes[again[1]]
    return replace(again[0], axes=tuple(axes), cause=cause)


def permuted(layout: Layout, order: Sequence[int], cause: Cause) -> Layout | None:
    """All dimensions in another order."""
    layout = with_ndim(layout, len(order))
    places = [index + len(order) if index < 0 else index for index in order]
    if len(layout.axes) != len(order) or sorted(places) != list(range(len(order))):
        return None
    return replace(layout, axes=tuple(layout.axes[place] for place in places), cause=cause)


def moved(layout: Layout, source: int, target: int, cause: Cause) -> Layout | None:
    """One dimension moved to another place."""
    found = located(layout, source)
    found = located(found[0], target) if found is not None else None
    again = located(found[0], source) if found is not None else None
    other = located(again[0], target) if again is not None else None
    if again is None or other is None:
        return None
    axes = list(again[0].axes)
    axes.insert(other[1], axes.pop(again[1]))
    return replace(again[0], axes=tuple(axes), cause=cause)


def inserted(layout: Layout, index: int) -> Layout | None:
    """A dimension of size 1 at `index` of the result."""
    if index == -1:
        return replace(layout, axes=(*layout.axes, Axis(layout.fresh(), ONE)))
    found = (layout, 0) if index == 0 else located(layout, index - 1 if index > 0 else index + 1)
    if found is None:
        return None
    at = found[1] + (1 if index != 0 else 0)
    # The identity is taken when dimensions were split off the rest, which take identities as well.
    made = Axis(found[0].fresh(), ONE)
    return replace(found[0], axes=(*found[0].axes[:at], made, *found[0].axes[at:]))


def removed(layout: Layout, index: int, *, only_one: bool = False) -> Layout | None:
    """Without the dimension at `index`: one element of it is selected, or (only_one) it is squeezed."""
    found = located(layout, index)
    if found is None:
        return None
    layout, at = found
    axis = layout.axes[at]
    if only_one and axis.size != ONE:
        return None
    rest = tuple(identity for identity in layout.memory if identity != axis.identity)
    return replace(layout, axes=(*layout.axes[:at], *layout.axes[at + 1 :]), memory=rest)


def resized(layout: Layout, index: int, size: Size) -> Layout | None:
    """A part of the dimension at `index` is taken: of a dimension of size 1, all of it."""
    found = located(layout, index)
    if found is None:
        return None
    layout, at = found
    axis = layout.axes[at]
    if axis.size == ONE:
        return layout
    memory = layout.memory if size != ONE else tuple(one for one in layout.memory if one != axis.identity)
    axes = (*layout.axes[:at], Axis(axis.identity, size), *layout.axes[at + 1 :])
    return replace(layout, axes=axes, memory=memory)


def windowed(layout: Layout, index: int, sizes: tuple[Size, Size], *, overlaps: bool, cause: Cause) -> Layout | None:
    """x.unfold(index, size, step): the dimension becomes a number of windows, and the elements of one stand last.

    sizes: of the two. Windows that overlap, or leave gaps, have no order in which a view could join them."""
    found = located(layout, index)
    if found is None:
        return None
    layout, at = found
    axis = layout.axes[at]
    made = Axis(layout.fresh(), sizes[1])
    axes = (*layout.axes[:at], Axis(axis.identity, sizes[0]), *layout.axes[at + 1 :], made)
    if axis.identity not in layout.memory:
        return None
    place = layout.memory.index(axis.identity)
    pair = (made.identity, axis.identity) if overlaps else (axis.identity, made.identity)
    memory = (*layout.memory[:place], *pair, *layout.memory[place + 1 :])
    return replace(layout, axes=axes, memory=memory, cause=cause, overlaps=overlaps)


def expanded(layout: Layout, sizes: Sequence[Size | None], cause: Cause) -> Layout | None:
    """Dimensions of size 1, and new ones in front, repeated to `sizes` (None keeps a dimension). None where it is not
    known which are."""
    count = len(sizes)
    layout = with_ndim(layout, count) if layout.rest is not None else layout
    if layout.rest is not None or len(layout.axes) > count:
        return None
    new = count - len(layout.axes)
    start = layout.fresh()
    axes = [Axis(start + i, ONE if size is None else size) for i, size in enumerate(sizes[:new])]
    for axis, size in zip(layout.axes, sizes[new:], strict=True):
        axes.append(axis if size is None else Axis(axis.identity, size))
    found = replace(layout, axes=tuple(axes), cause=cause)
    return found if found.is_expanded else None


def expanded_in_front(layout: Layout, sizes: Sequence[Size | None], cause: Cause) -> Layout | None:
    """The first dimensions repeated to `sizes`; those behind them stay, however many there are."""
    found = (layout, 0)
    for at in range(len(sizes)):
        found = located(found[0], at) or found
    layout = found[0]
    if not sizes or len(layout.axes) < len(sizes):
        return None
    pairs = zip(layout.axes, sizes, strict=False)
    front = [axis if size is None or axis.size != ONE else axis._replace(size=size) for axis, size in pairs]
    made = replace(layout, axes=(*front, *layout.axes[len(front) :]), cause=cause)
    return made if made.is_expanded else None


def multiplied(sizes: object) -> Size:
    """The product of sizes, numbers multiplied out."""
    number, others = 1, []
    for size in sizes:  # type: ignore[attr-defined]
        for factor in size:
            if isinstance(factor, int):
                number *= factor
            else:
                others.append(factor)
    kept: list[object] = [] if number == 1 else [number]
    return (*kept, *sorted(others, key=repr))
