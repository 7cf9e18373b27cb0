"""Which views an order of dimensions in memory allows: view() splits dimensions, and merges neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from torchlint.model.layouts.strides import ONE, Axis, Layout, Size, multiplied


def viewed(layout: Layout, sizes: Sequence[Size | None]) -> Layout | bool:
    """What view(sizes) gives, None standing for -1: the layout; False where torch refuses whatever the unknown sizes
    are; True where it is not known."""
    wanted = [size for size in sizes if size != ONE]
    source = [axis for axis in layout.axes if axis.size != ONE]
    pieces: list[tuple[list[Axis], list[Size | None]]] = []
    ends: list[tuple[list[Axis], list[Size | None]]] = []
    for backwards, found in ((False, pieces), (True, ends)):
        while source and wanted:
            piece = _peeled(layout, source, wanted, backwards)
            if piece is None:
                break
            if not _merges(layout, piece[0]):
                return False
            found.append(piece)
    if source or wanted:
        known = [axis for axis in source if axis.identity != layout.rest]
        if (
            len(wanted) < _runs(layout, known)
            or _is_divided(layout, source, wanted)
            or _asks_rows(layout, known, wanted)
        ):
            return False
        if not source or not wanted or not (_merges(layout, source) or len(source) == 1):
            return True
        pieces.append((source, list(wanted)))
    return _built(layout, [*pieces, *reversed(ends)], sizes)


def _peeled(
    layout: Layout, source: list[Axis], wanted: list[Size | None], backwards: bool
) -> tuple[list[Axis], list[Size | None]] | None:
    """Dimensions at one end whose sizes are known to be those asked for, taken off both lists; None where none are."""
    axes = source[::-1] if backwards else source
    sizes = wanted[::-1] if backwards else wanted
    for many in range(1, len(axes) + 1):
        product = multiplied(axis.size for axis in axes[:many])
        if any(axis.identity == layout.rest for axis in axes[:many]):
            break
        if product == sizes[0]:
            return _take(source, many, backwards), _take(wanted, 1, backwards)
    for many in range(2, len(sizes) + 1):
        factors = [size for size in sizes[:many] if size is not None]
        if len(factors) == many and axes[0].identity != layout.rest and multiplied(factors) == axes[0].size:
            return _take(source, 1, backwards), _take(wanted, many, backwards)
    return None


def merges_in_front(layout: Layout, sizes: Sequence[Size | None]) -> bool:
    """False where torch refuses a view that begins with `sizes`, whatever sizes follow."""
    source, wanted = list(layout.axes), list(sizes)
    while source and wanted:
        piece = _peeled(layout, source, wanted, backwards=False)
        if piece is None:
            return True
        if not _merges(layout, piece[0]):
            return False
    return True


def _is_divided(layout: Layout, source: list[Axis], wanted: list[Size | None]) -> bool:
    """True where a size that is asked for at the end divides the last dimension, and what is left of that one does not
    merge with the dimensions before it."""
    left = _quotient(source[-1].size, wanted[-1]) if source and wanted else None
    if left is None or any(axis.identity == layout.rest for axis in source):
        return False
    return len(wanted) - 1 < _runs(layout, [*source[:-1], source[-1]._replace(size=left)])


def _asks_rows(layout: Layout, source: list[Axis], wanted: list[Size | None]) -> bool:
    """True for view(-1, size) of dimensions of which the first is repeated: it asks for rows, and would be legal only
    if one of them held all that lies in memory."""
    if len(wanted) != 2 or wanted[0] is not None or wanted[1] is None or len(wanted[1]) != 1 or layout.rest is not None:
        return False
    return len(source) > 2 and source[0].identity not in layout.memory


def _quotient(whole: Size, part: Size | None) -> Size | None:
    """The size that is left where `part` is taken out of a product of several; None where it is no part of it."""
    numbers = [factor for factor in whole if isinstance(factor, int)]
    others = [factor for factor in whole if not isinstance(factor, int)]
    number = numbers[0] if numbers else 1
    for factor in part or ():
        if isinstance(factor, int) and number % factor == 0:
            number //= factor
        elif factor in others:
            others.remove(factor)
        else:
            return None
    left = multiplied([(number,), tuple(others)])
    return left if part and left != ONE else None


def _take(items: list, count: int, backwards: bool) -> list:  # type: ignore[type-arg]
    part = items[-count:] if backwards else items[:count]
    del items[-count if backwards else 0 : None if backwards else count]
    return part


def _follows(layout: Layout, outer: Axis, inner: Axis) -> bool:
    """True where two dimensions that are neighbours in the indices can be merged."""
    memory = [identity for identity in layout.memory if identity != layout.rest]
    has = (outer.identity in memory, inner.identity in memory)
    if not all(has):
        return not any(has)
    return memory.index(inner.identity) == memory.index(outer.identity) + 1


def _merges(layout: Layout, axes: Sequence[Axis]) -> bool:
    if len(axes) > 1 and any(axis.identity == layout.rest for axis in axes):
        places = [layout.memory.index(axis.identity) for axis in axes if axis.identity in layout.memory]
        return len(places) == len(axes) and places == list(range(places[0], places[0] + len(places)))
    return _runs(layout, axes) <= 1


def _runs(layout: Layout, axes: Sequence[Axis]) -> int:
    """In how many pieces of even strides the dimensions lie: a view of them needs as many dimensions at least."""
    breaks = sum(not _follows(layout, outer, inner) for outer, inner in pairwise(axes))
    return breaks + 1 if axes else 0


def _built(layout: Layout, pieces: list[tuple[list[Axis], list[Size | None]]], sizes: Sequence[Size | None]) -> Layout:
    """The layout after a legal view: each piece of the source became these sizes."""
    fresh, memory, made = layout.fresh(), list(layout.memory), []
    for source, wanted in pieces:
        is_open = any(axis.identity == layout.rest for axis in source)
        whole = None if is_open else multiplied(axis.size for axis in source)
        axes = []
        for size in wanted:
            known = whole if size is None and len(wanted) == 1 else size
            axes.append(Axis(fresh, (("part", object()),) if known is None else known))
            fresh += 1
        made += axes
        places = [memory.index(axis.identity) for axis in source if axis.identity in memory]
        if places:
            memory[places[0] : places[-1] + 1] = [axis.identity for axis in axes]
    ordered = iter(made)
    result = []
    for size in sizes:
        axis = Axis(fresh, ONE) if size == ONE else next(ordered)
        fresh += 1
        result.append(axis)
    is_gone = layout.rest is not None and layout.rest not in memory
    return replace(layout, axes=tuple(result), memory=tuple(memory), rest=None if is_gone else layout.rest)
