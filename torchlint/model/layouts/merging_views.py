"""Views that merge dimensions which do not lie one after the other in memory: torch refuses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from torchlint.knowledge.lookup import is_metadata
from torchlint.knowledge.strides import PERMUTERS
from torchlint.model.devices.places_made import called
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.as_called import as_called
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.layouts.layouts import Layouts, Scope
from torchlint.model.layouts.parts import EACH, Path
from torchlint.model.layouts.stride_views import merges_in_front, viewed
from torchlint.model.layouts.strides import ONE, Cause, Layout, Size, located
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Constant,
    Element,
    Global,
    Imported,
    Item,
    Subscript,
    Term,
    mentions,
)
from torchlint.source import Span

_DEPTH = 3
_BUILTINS = frozenset(
    "len range print isinstance int float str list tuple dict zip enumerate super min max sum".split()
)
_BOTH = frozenset(("orders", "views"))
_ASKS = frozenset(("is_contiguous", "stride"))
_VIEWS = frozenset(("view", "view_as"))
_RECURRENT = re.compile(r".*(lstm|gru|rnn).*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MergingView:
    """A view() that torch refuses. symbol: the function that it stands in. operation: what moved or repeated the
    dimensions, at `cause`. is_expanded: a dimension is repeated, which no view can merge with another."""

    span: Span
    symbol: str
    operation: str
    cause: Span
    is_expanded: bool


def merging_views(frame: Frame) -> Iterator[MergingView]:
    """The refused views of a function, and of the functions and modules that it passes its tensors to."""
    words = _words(frame.function)
    if _may_merge(words) or _may_carry(frame.function, words) or (words & _VIEWS and _views_own(frame)):
        layouts = Layouts()
        for one in as_called(frame):
            yield from _in_scope(layouts, Scope(one), _DEPTH)


def _may_merge(words: frozenset[str]) -> bool:
    return bool(words & _VIEWS and (words & PERMUTERS or any(map(_RECURRENT.fullmatch, words))))


def _views_own(frame: Frame) -> bool:
    """True for a method that views an attribute of the object, where another method changes the order of a tensor."""
    callees = (call.callee for call in frame.function.calls)
    bases = (callee.base for callee in callees if isinstance(callee, Attribute) and callee.name in _VIEWS)
    if frame.view is None or not any(isinstance(base, Attribute) and frame.is_self(base.base) for base in bases):
        return False
    return any(_words(method) & PERMUTERS for method in frame.view.methods)


def _may_carry(function: Function, words: frozenset[str]) -> bool:
    """True for a function that calls others by name: what one of them returns may be passed to the next."""
    known: bool | None = function.derived.get("calls by name")
    if known is None:
        calls = [e for e in function.events if isinstance(e, Evaluated) and _is_by_name(e.term)]
        known = function.derived["calls by name"] = len(calls) > 1 or (
            len(calls) == 1 and bool(words & (PERMUTERS | _VIEWS))
        )
    return known


def _is_by_name(term: Term) -> bool:
    """True for helper(x), self.helper(x), self.layer(x), model(x) with something passed."""
    if not isinstance(term, Call) or not term.arguments:
        return False
    callee = term.callee
    if isinstance(callee, Attribute):
        return isinstance(callee.base, (Argument, Captured))
    if isinstance(callee, Imported):
        return not callee.name.startswith(("torch", "numpy"))
    return isinstance(callee, (Argument, Captured, Call)) or (
        isinstance(callee, Global) and callee.name not in _BUILTINS
    )


def _words(function: Function) -> frozenset[str]:
    """The attributes and functions that a function names; worked out once."""
    known: frozenset[str] | None = function.derived.get("words")
    if known is None:
        terms = [event.term for event in function.events if isinstance(event, Evaluated)]
        callees = [term.callee for term in terms if isinstance(term, Call)]
        named = {term.name for term in terms if isinstance(term, Attribute)}
        called = {callee.name.rpartition(".")[2] for callee in callees if isinstance(callee, Imported)}
        known = function.derived["words"] = frozenset(named | called)
    return known


def _in_scope(layouts: Layouts, scope: Scope, depth: int) -> Iterator[MergingView]:
    has_views = bool(_words(scope.frame.function) & _VIEWS)
    for event in scope.frame.function.events:
        if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
            continue
        call = event.term
        if isinstance(call.callee, Attribute) and call.callee.name in _VIEWS:
            found = _judged(call, call.callee, layouts, scope) if has_views and not _asks_order(event) else None
            if found is not None:
                yield found
        elif depth and _is_by_name(call):
            yield from _in_callee(call, layouts, scope, depth)


def _asks_order(event: Evaluated) -> bool:
    return any(mentions(guard.subject, _ASKS) for guard in event.guards())


def _in_callee(call: Call, layouts: Layouts, scope: Scope, depth: int) -> Iterator[MergingView]:
    """The refused views in a function of the project that gets a tensor out of order."""
    inner = layouts.entered(call, scope)
    if inner is None:
        return
    reached = _reached(inner.frame, depth)
    if "views" not in reached:
        return
    changes = reached == _BOTH
    brought = (layout for index in inner.given for layout in _brought(index, inner, layouts))
    if any(_is_out_of_order(layout) or (changes and layout.ndim is not None) for layout in brought):
        yield from _in_scope(layouts, inner, depth - 1)


def _brought(index: int, inner: Scope, layouts: Layouts) -> tuple[Layout, ...]:
    """The layouts of a tensor that is passed, of the parts of a container that are taken out of it, or of the batches
    of a loader with a collate function of its own."""
    term, scope = inner.given[index]
    if isinstance(term, Call) and last_name(term) == "DataLoader" and term.keyword("collate_fn") is not None:
        paths: Iterable[Path] = ((EACH, *path) for path in ((), (0,), (1,)))
    else:
        found = layouts.of(term, scope)
        if found:
            return found
        paths = _taken(inner.frame.function).get(index, ())
    return tuple(layout for path in paths for layout in layouts.parts.component(term, scope, path))


def _taken(function: Function) -> dict[int, set[Path]]:
    """What a function takes out of its parameters, by their positions: items, keys and attributes; worked out once."""
    known: dict[int, set[Path]] | None = function.derived.get("taken")
    if known is None:
        known = function.derived["taken"] = {}
        for parents in parents_in(function).values():
            for parent in parents:
                base, path = _step_taken(parent)
                if isinstance(base, Argument) and path:
                    known.setdefault(base.index, set()).add(path)
    return known


def _step_taken(parent: object) -> tuple[Term | None, Path]:
    if isinstance(parent, Item):
        return parent.base, (parent.index,)
    if isinstance(parent, Element):
        return parent.iterable, (EACH,)
    if isinstance(parent, Attribute):
        return parent.base, () if is_metadata(parent.name) else (f".{parent.name}",)
    if isinstance(parent, Subscript) and isinstance(parent.index, Constant):
        return parent.base, (parent.index.value,) if isinstance(parent.index.value, (int, str)) else ()
    return None, ()


def _reached(frame: Frame, depth: int) -> frozenset[str]:
    """ "orders" where a function, or one that it calls by name, changes the order of dimensions; "views" where it
    views."""
    return frozenset(frame.once(f"words reached in {depth} calls", lambda: _find_reached(frame, depth)))


def _find_reached(frame: Frame, depth: int) -> frozenset[str]:
    words = _words(frame.function)
    found = {name for name, some in (("orders", PERMUTERS), ("views", _VIEWS)) if words & some}
    for call in frame.function.calls if depth and found != _BOTH else ():
        if _is_by_name(call) and not isinstance(call.callee, (Argument, Call)):
            for inner in called(call, frame):
                found |= _reached(inner, depth - 1)
    return frozenset(found)


def _is_out_of_order(layout: Layout) -> bool:
    plain = [axis.identity for axis in layout.axes if axis.identity in layout.memory]
    return layout.cause is not None and (layout.is_expanded or plain != list(layout.memory))


def _judged(call: Call, callee: Attribute, layouts: Layouts, scope: Scope) -> MergingView | None:
    """The finding for one view; None where it is legal, or not known. Where a branch decides on the order, one bad
    branch is enough; where two do, they may depend on one another."""
    found = layouts.of(callee.base, scope)
    refused = [layout for layout in found if _is_refused(layout, call, callee, layouts, scope)]
    branches = frozenset[int]().union(*(layout.branches for layout in found))
    if not refused or (len(refused) < len(found) and len(branches) > 1):
        return None
    cause = refused[0].cause
    if not isinstance(cause, Cause):
        return None
    return MergingView(
        scope.frame.span(call.place), scope.frame.symbol, cause.operation, cause.span, refused[0].is_expanded
    )


def _is_refused(layout: Layout, call: Call, callee: Attribute, layouts: Layouts, scope: Scope) -> bool:
    if layout.cause is None or any(key == "dtype" for key, _ in call.keywords):
        return False
    terms = call.arguments or tuple(term for _, term in call.keywords)
    if len(terms) == 1 and scope.frame.value(terms[0]).made_by == "dtype":
        return False
    sizes = layouts.sizes_of_view(callee.name, terms, layout, scope)
    if sizes is None:
        return not merges_in_front(layout, layouts.sizes.front(terms, scope))
    layout = _without_ones(_with_dimensions_named(layout, sizes), sizes)
    return all(viewed(one, sizes) is False for one in (layout, *_of_fewest(layout)))


def _without_ones(layout: Layout, sizes: Sequence[Size | None]) -> Layout:
    """The layout with the dimension that has to be of one element, because the view asks for all others: of [q, h, d],
    x.view(1, h, d). One of the others may have a size that nobody knows by another name."""
    if layout.rest is not None or len(layout.axes) != len(sizes) or None in sizes:
        return layout
    others = [at for at, axis in enumerate(layout.axes) if axis.size != sizes[at]]
    ones = [at for at in others if sizes[at] == ONE]
    if len(ones) != 1 or len(others) > 2 or len(sizes) < 3:
        return layout
    one = layout.axes[ones[0]]
    axes = tuple(axis._replace(size=ONE) if axis is one else axis for axis in layout.axes)
    return replace(layout, axes=axes, memory=tuple(it for it in layout.memory if it != one.identity))


def _with_dimensions_named(layout: Layout, sizes: Sequence[Size | None]) -> Layout:
    """The layout with the last dimensions that a view asks for by number: nobody writes x.view(-1, x.size(-1)) for two
    dimensions, of which it would change nothing."""
    for size in sizes if layout.rest is not None and len(sizes) > 1 else ():
        token = size[0] if size is not None and len(size) == 1 else None
        is_named = isinstance(token, tuple) and token[:2] == ("dim", layout.name) and token[2] < 0
        found = located(layout, token[2]) if is_named else None  # type: ignore[index]
        layout = found[0] if found is not None else layout
    return layout


def _of_fewest(layout: Layout) -> Iterator[Layout]:
    """The layout with no more dimensions than are spoken of, where that is not known: the last one of those that are
    counted from the front, at least the third, is the one that a layer has made behind them all."""
    token = (("dim", layout.name, layout.taken[0] - 1),)
    last = next((axis for axis in layout.axes if axis.size == token), None)
    if layout.rest is None or layout.taken[0] < 3 or last is None:
        return
    behind = layout.memory[layout.memory.index(layout.rest) + 1 :]
    made = next((axis for axis in layout.axes if behind == (axis.identity,)), None)
    if made is not None:
        dropped = (layout.rest, made.identity)
        axes = (axis if axis is not last else axis._replace(size=made.size) for axis in layout.axes)
        yield replace(
            layout,
            axes=tuple(axis for axis in axes if axis.identity not in dropped),
            memory=tuple(one for one in layout.memory if one not in dropped),
            rest=None,
        )
