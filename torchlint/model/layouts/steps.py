"""What single operations of torch make of layouts: methods, functions, layers, subscripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchlint.knowledge.strides import CONTIGUOUS, CONTIGUOUS_LAYERS, ELEMENTWISE, PERMUTERS, SAME
from torchlint.model.evaluation.tensor_arguments import asks_what_no_tensor_has
from torchlint.model.layouts.indices import basic_indices, indexed, of_one
from torchlint.model.layouts.layers import LAYER_FUNCTIONS, layers, through
from torchlint.model.layouts.recurrent import recurrent
from torchlint.model.layouts.several import SEVERAL, Several, Step
from torchlint.model.layouts.sizes import integer
from torchlint.model.layouts.stride_orders import elementwise
from torchlint.model.layouts.stride_views import viewed
from torchlint.model.layouts.strides import (
    ONE,
    Cause,
    Layout,
    Size,
    expanded,
    expanded_in_front,
    in_order,
    inserted,
    located,
    moved,
    multiplied,
    named,
    open_layout,
    permuted,
    plain,
    removed,
    resized,
    transposed,
    with_ndim,
)
from torchlint.model.layouts.windows import windows
from torchlint.model.terms import Attribute, Call, Constant, Display, Imported, Subscript, Term
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.layouts.layouts import Layouts, Scope
    from torchlint.model.layouts.parts import Path

NO_OPERANDS = frozenset((Kind.NUMBER, Kind.CONTAINER, Kind.MODULE, Kind.CALLABLE, Kind.ARRAY, Kind.OTHER, Kind.OBJECT))
_SWAPS = frozenset("transpose transpose_ swapaxes swapdims".split())
_MOVES = frozenset("movedim moveaxis".split())
_LAST_TWO = frozenset("mT mH adjoint".split())
_COPIES = frozenset("repeat tile".split())
_VIEWS = frozenset("view view_as reshape reshape_as flatten unflatten".split())
_SIZED = frozenset("zeros ones empty rand randn full new_zeros new_ones new_empty new_full".split())
_NEW = frozenset("tensor pad_sequence randint normal".split())
_RANGES = frozenset("arange linspace logspace".split())
_OPERANDS = frozenset("where addcmul addcdiv lerp".split())


class Steps:
    """The operations, one method for each family; None says that the call is none of torch's own."""

    def __init__(self, layouts: Layouts) -> None:
        self._layouts = layouts
        self.several = Several(layouts)

    def call(self, call: Call, scope: Scope) -> tuple[Layout, ...] | None:
        """What a call of torch returns."""
        step = self._step(call, scope)
        if step is None:
            return self._layer(call, scope)
        if step.name in SEVERAL:
            return self.several.call(step, scope)
        if step.name in _SIZED:
            sizes = self._layouts.sizes.wanted(step.rest, scope)
            return (named(sizes, id(call)) if sizes else open_layout(("new", id(call))),)
        if step.name in _NEW:
            return (open_layout(("new", id(call))),)
        if step.name in _RANGES:
            return (named([None], id(call)),)
        if step.name in ELEMENTWISE or step.name.rstrip("_") in ELEMENTWISE:
            return self._elementwise(step, scope)
        found = (self._made(step, layout, scope) for layout in self._layouts.of(step.base, scope))
        return tuple(layout for layout in found if layout is not None)

    def _step(self, call: Call, scope: Scope) -> Step | None:
        callee = call.callee
        if isinstance(callee, Imported):
            head, _, name = callee.name.rpartition(".")
            if not head.startswith(("torch", "einops")) or not call.inputs or name[:1].isupper():
                return None
            if name in _SIZED | _RANGES | _NEW:
                return Step(name, call, call.arguments, call)
            base = call.arguments[0] if call.arguments else call.inputs[0]
            return Step(name, base, call.arguments[1:], call)
        if not isinstance(callee, Attribute) or scope.frame.is_self(callee.base):
            return None
        base = callee.base
        is_tensor = scope.frame.value(base).kind not in NO_OPERANDS and self._layouts.of(base, scope)
        return Step(callee.name, base, call.arguments, call) if is_tensor else None

    def _elementwise(self, step: Step, scope: Scope) -> tuple[Layout, ...]:
        if step.name.endswith("_"):
            return self._layouts.of(step.base, scope)
        if step.name in ("to", "type", "float", "half") or step.name.endswith("_like") or not step.rest:
            found = (elementwise([layout]) for layout in self._layouts.of(step.base, scope))
            return tuple(layout for layout in found if layout is not None)
        is_where = step.name == "where" and isinstance(step.call.callee, Attribute)
        operands = (step.base, *step.rest[:2]) if step.name in _OPERANDS else (step.base, *step.rest[:1])
        return self._layouts.combined(operands if not is_where else (step.rest[0], step.base, *step.rest[1:2]), scope)

    def _made(self, step: Step, layout: Layout, scope: Scope) -> Layout | None:
        """The layout after one operation on a tensor of a known one."""
        if step.name in SAME:
            return layout
        if step.name in CONTIGUOUS:
            return in_order(layout)
        if step.name in _COPIES:
            return self._copied(step, layout, scope)
        if step.name == "unfold":
            return windows(step, layout, scope, self._layouts.sizes)
        if step.name in LAYER_FUNCTIONS:
            return through(step.name, layout, step.call)
        if step.name in PERMUTERS:
            cause = Cause(step.name, scope.frame.span(step.call.place))
            return self._reordered(step, layout, scope, cause)
        if step.name in ("unsqueeze", "squeeze"):
            at = self._number(step, 0, "dim", scope)
            return _with_one(layout, step.name, at) if at is not None else None
        if step.name in ("narrow", "select"):
            return self._narrowed(step, layout, scope)
        return self._viewed(step, layout, scope) if step.name in _VIEWS else None

    def _copied(self, step: Step, layout: Layout, scope: Scope) -> Layout | None:
        """The layout after repeat(), which has as many dimensions as it is given numbers, or tile()."""
        factors = self._layouts.sizes.wanted(step.rest, scope) if step.rest else None
        if not factors:
            return None
        count = layout.ndim
        if count is None or count > len(factors):
            is_sure = step.name == "repeat" and count is None
            return named([None] * len(factors), id(step.call)) if is_sure else open_layout(("tile", id(step.call)))
        sizes = [ONE] * (len(factors) - count) + [axis.size for axis in layout.axes]
        pairs = zip(sizes, factors, strict=True)
        return named([None if factor is None else multiplied([size, factor]) for size, factor in pairs], id(step.call))

    def _reordered(self, step: Step, layout: Layout, scope: Scope, cause: Cause) -> Layout | None:
        """The layout after transpose(), permute(), expand() and their like."""
        if step.name in _SWAPS | _MOVES:
            keys = ("dim0", "dim1") if step.name in _SWAPS else ("source", "destination")
            first, second = (self._number(step, at, key, scope) for at, key in enumerate(keys))
            if first is None or second is None:
                return None
            return (transposed if step.name in _SWAPS else moved)(layout, first, second, cause)
        if step.name in ("t", "t_"):
            return transposed(with_ndim(layout, 2), 0, 1, cause)
        if step.name in _LAST_TWO:
            return transposed(layout, -2, -1, cause)
        if step.name == "permute":
            return self._permuted(step, layout, scope, cause)
        if step.name == "rearrange":
            return _rearranged(step, layout, cause)
        return self._expanded(step, layout, scope, cause)

    def _number(self, step: Step, at: int, key: str, scope: Scope) -> int | None:
        given = step.call.keyword(key) or (step.rest[at] if at < len(step.rest) else None)
        return integer(given, scope)

    def _permuted(self, step: Step, layout: Layout, scope: Scope, cause: Cause) -> Layout | None:
        terms = step.rest
        if not terms and (given := step.call.keyword("dims")) is not None:
            terms = (given,)
        if len(terms) == 1 and isinstance(terms[0], Display):
            terms = terms[0].parts
        order = [integer(term, scope) for term in terms]
        known = [place for place in order if place is not None]
        return permuted(layout, known, cause) if len(known) == len(order) > 1 else None

    def _expanded(self, step: Step, layout: Layout, scope: Scope, cause: Cause) -> Layout | None:
        if step.name != "expand_as":
            known = self._layouts.sizes.wanted(step.rest, scope)
            if known:
                return expanded(layout, known, cause)
            return expanded_in_front(layout, self._layouts.sizes.front(step.rest, scope), cause)
        others = self._layouts.of(step.rest[0], scope) if step.rest else ()
        given = others[0].ndim if others else None
        count = layout.ndim if given is None or len(layout.axes) > given else given
        if count is None:
            return None
        axes = with_ndim(others[0], count).axes if others else ()
        sizes: list[Size] = [(("like", id(step.call), at),) for at in range(count)]
        return expanded(layout, [axis.size for axis in axes] if len(axes) == count else sizes, cause)

    def _narrowed(self, step: Step, layout: Layout, scope: Scope) -> Layout | None:
        at = self._number(step, 0, "dim", scope)
        if at is None:
            return None
        return removed(layout, at) if step.name == "select" else resized(layout, at, (("narrow", id(step.call)),))

    def _viewed(self, step: Step, layout: Layout, scope: Scope) -> Layout | None:
        if step.name == "flatten" and layout.ndim is None:
            return self._flat(step, layout, scope)
        is_flat = step.name == "flatten"
        sizes = (
            self._flat_sizes(step, layout, scope) if is_flat else self.view_sizes(step.name, step.rest, layout, scope)
        )
        if step.name in ("view", "view_as"):
            found = viewed(layout, sizes) if sizes else True
            return found if isinstance(found, Layout) else _in_any_case(layout, sizes)
        found = viewed(layout, sizes) if sizes else layout.cause is not None
        if isinstance(found, Layout):
            return found
        if found is False or layout.cause is None:
            return named(sizes, id(step.call)) if sizes else None
        return None

    def _flat(self, step: Step, layout: Layout, scope: Scope) -> Layout | None:
        """x.flatten(2) of a tensor in plain order: two dimensions, and one for however many there are behind."""
        is_given = len(step.rest) > 0 or step.call.keyword("start_dim") is not None
        start = self._number(step, 0, "start_dim", scope) if is_given else 0
        has_end = len(step.rest) > 1 or step.call.keyword("end_dim") is not None
        if start is None or start < 0 or has_end or layout.cause is not None or layout.is_expanded:
            return None
        found = located(layout, start - 1) if start else (layout, 0)
        front = found[0].axes[:start] if found is not None else ()
        return plain([*(axis.size for axis in front), (("flat", id(step.call)),)]) if found is not None else None

    def _flat_sizes(self, step: Step, layout: Layout, scope: Scope) -> list[Size | None] | None:
        """The sizes of the result of flatten."""
        is_given = len(step.rest) > 0 or step.call.keyword("start_dim") is not None
        start = self._number(step, 0, "start_dim", scope) if is_given else 0
        end = self._number(step, 1, "end_dim", scope)
        has_end = len(step.rest) > 1 or step.call.keyword("end_dim") is not None
        if start is None or layout.ndim is None or (end is None and has_end):
            return None
        start += layout.ndim if start < 0 else 0
        end = layout.ndim - 1 if end is None else end + (layout.ndim if end < 0 else 0)
        axes = [axis.size for axis in layout.axes]
        return [*axes[:start], multiplied(axes[start : end + 1]), *axes[end + 1 :]]

    def view_sizes(self, name: str, rest: Sequence[Term], layout: Layout, scope: Scope) -> list[Size | None] | None:
        """The sizes of the result of view, reshape or their like; None where they are not known."""
        if name in ("view_as", "reshape_as"):
            others = self._layouts.of(rest[0], scope) if rest else ()
            return [axis.size for axis in others[0].axes] if others and others[0].ndim is not None else None
        if name == "unflatten" or not rest:
            return None
        return self._layouts.sizes.wanted(rest, scope)

    # Parts

    def part(self, call: Call, name: str, scope: Scope) -> tuple[Layout, ...]:
        """One part of chunk(), split() or unbind()."""
        step = self._step(call, scope)
        if step is None:
            return ()
        at = self._number(step, 0 if name == "unbind" else 1, "dim", scope)
        at = 0 if at is None and len(step.rest) <= (name != "unbind") and call.keyword("dim") is None else at
        if at is None:
            return ()
        change = removed if name == "unbind" else None
        found = [
            change(one, at) if change else resized(one, at, (("part", id(call)),))
            for one in self._layouts.of(step.base, scope)
        ]
        return tuple(layout for layout in found if layout is not None)

    def item(self, call: Call, name: str, scope: Scope, path: Path) -> tuple[Layout, ...] | None:
        """A part of the tuple that topk(), sort() or a recurrent layer returns; None for any other call."""
        if name in ("topk", "sort", "max", "min") and path in ((0,), (1,)):
            step = self._step(call, scope)
            found = self._layouts.of(step.base, scope) if step is not None else ()
            if name == "topk":
                # New memory, in order, whatever went in (torch 2.13.0).
                return tuple(in_order(layout) for layout in found) or (open_layout(("topk", id(call))),)
            return found if name == "sort" else ()
        return recurrent(call, path, self._layouts.of, scope)

    # Layers

    def _layer(self, call: Call, scope: Scope) -> tuple[Layout, ...] | None:
        """What a layer of torch returns; None where the call is none."""
        value = scope.frame.value(call.callee)
        if value.kind is not Kind.MODULE or value.of is not None or not call.arguments:
            return None
        run = layers(value.made_by or "", call.callee, scope)
        if run is None:
            return None
        found = self._layouts.of(call.arguments[0], scope)
        for layer in run:
            if not found and (layer.name in CONTIGUOUS_LAYERS or _is_of_sequential(call.arguments[0], scope)):
                # Whatever goes into a linear layer, what comes out is in plain order.
                found = (open_layout(("layer", id(call))),)
            given = layer.channels()
            size = self._layouts.sizes.of(given, scope.entered(layer.frame, {})) if given is not None else None
            passed = [layer.with_channels(through(layer.name, layout, call), size) for layout in found]
            found = tuple(layout for layout in passed if layout is not None)
        return found

    # Attributes and subscripts

    def attribute(self, term: Attribute, scope: Scope) -> tuple[Layout, ...]:
        """x.T, x.mT, x.data."""
        if term.name in SAME:
            return self._layouts.of(term.base, scope)
        if term.name not in ("T", "H", "mT", "mH") or asks_what_no_tensor_has(term.base, scope.frame.function):
            return ()
        cause = Cause(term.name, scope.frame.span(term.place))
        found = []
        for layout in self._layouts.of(term.base, scope):
            if term.name in ("mT", "mH"):
                found.append(transposed(layout, -2, -1, cause))
            elif layout.ndim is not None or len(layout.axes) == 1:
                flat = layout if layout.ndim is not None else with_ndim(layout, 2)
                found.append(permuted(flat, list(range(len(flat.axes)))[::-1], cause))
        return tuple(layout for layout in found if layout is not None)

    def subscript(self, term: Subscript, scope: Scope) -> tuple[Layout, ...]:
        """x[0], x[:, None], x[..., 1]: basic indices only."""
        parts = basic_indices(term, scope)
        layouts = self._layouts.of(term.base, scope) if parts else ()
        ones = of_one(parts, scope) if layouts else frozenset[int]()
        found = (indexed(layout, parts, id(term), ones) for layout in layouts)
        return tuple(layout for layout in found if layout is not None)


def _is_of_sequential(term: Term, scope: Scope) -> bool:
    """True for what a Sequential of unseen layers returns: taken to be in plain order, as arguments are."""
    value = scope.frame.value(term.callee) if isinstance(term, Call) else None
    return value is not None and value.of is None and (value.made_by or "").endswith(".Sequential")


def _in_any_case(layout: Layout, sizes: Sequence[Size | None] | None) -> Layout | None:
    """The result of a view of which it is not known how it divides the tensor: a contiguous tensor stays so."""
    if layout.cause is not None or layout.is_expanded or not sizes:
        return None
    return named(sizes, object())


def _rearranged(step: Step, layout: Layout, cause: Cause) -> Layout | None:
    """einops.rearrange that only changes the order."""
    pattern = step.rest[0].value if step.rest and isinstance(step.rest[0], Constant) else None
    before, arrow, after = pattern.partition("->") if isinstance(pattern, str) else ("", "", "")
    names = before.split()
    if not arrow or sorted(names) != sorted(after.split()) or any(not name.isidentifier() for name in names):
        return None
    return permuted(layout, [names.index(name) for name in after.split()], cause)


def _with_one(layout: Layout, name: str, at: int) -> Layout | None:
    return inserted(layout, at) if name == "unsqueeze" else removed(layout, at, only_one=True)
