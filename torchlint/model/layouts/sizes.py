"""The sizes that code asks for, as symbols: x.size(0), h * w, a name. Two equal symbols are equal numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from torchlint.model.frames import last_name
from torchlint.model.layouts.strides import ONE, Layout, Size, located, multiplied
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Constant,
    Display,
    Global,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
)
from torchlint.model.weights.enumerated import path_of

if TYPE_CHECKING:
    from torchlint.model.layouts.layouts import Scope

LayoutsOf = Callable[[Term, "Scope"], tuple[Layout, ...]]
KeptIn = Callable[[Attribute, "Scope"], "tuple[Term, Scope] | None"]


def shaped(term: Term) -> Term | None:
    """The tensor of which `term` is the whole shape: x of x.shape and x.size()."""
    if isinstance(term, Attribute) and term.name == "shape":
        return term.base
    if isinstance(term, Call) and not term.inputs and isinstance(term.callee, Attribute) and term.callee.name == "size":
        return term.callee.base
    return None


def integer(term: Term | None, scope: Scope) -> int | None:
    """The whole number that a term is for certain."""
    value = term.value if isinstance(term, Constant) else None
    if value is None and isinstance(term, (Global, Argument)):
        value = scope.frame.value(term).constant
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class Sizes:
    """Turns terms into sizes, with the help of the layouts of tensors whose shape they speak of."""

    def __init__(self, layouts_of: LayoutsOf, kept: KeptIn) -> None:
        self._layouts_of = layouts_of
        self._kept = kept

    def wanted(self, terms: Sequence[Term], scope: Scope) -> list[Size | None] | None:
        """The sizes that are passed to view(), None for -1; None where it is not known how many there are."""
        if len(terms) == 1:
            terms = self._written_out(terms[0])
        found: list[Size | None] = []
        for at, term in enumerate(terms):
            inner = term.value if isinstance(term, Starred) else None
            if inner is None:
                found.append(None if integer(term, scope) == -1 else self.of(term, scope))
                continue
            several = self._several(inner, scope, is_first=at == 0)
            if several is None:
                return None
            found += several
        return found

    def front(self, terms: Sequence[Term], scope: Scope) -> list[Size | None]:
        """The sizes that stand before `*rest`, of which nothing is known; none where there is no such rest."""
        stars = [at for at, term in enumerate(terms) if isinstance(term, Starred)]
        return [
            None if integer(term, scope) == -1 else self.of(term, scope) for term in terms[: stars[0] if stars else 0]
        ]

    def _written_out(self, term: Term) -> tuple[Term, ...]:
        """The parts of a tuple of sizes, also of one that is put together with +."""
        if isinstance(term, Display):
            return term.parts
        if isinstance(term, Operation) and term.operator == "+":
            return tuple(part for one in term.parts for part in self._written_out(one))
        is_shape = shaped(term) is not None or (isinstance(term, Subscript) and shaped(term.base) is not None)
        is_slice = isinstance(term, Subscript) and not isinstance(term.index, Constant)
        if is_shape and (is_slice or not isinstance(term, Subscript)):
            return (Starred(term.place, term),)
        if isinstance(term, Call) and last_name(term) in ("tuple", "list", "Size") and len(term.arguments) == 1:
            return self._written_out(term.arguments[0])
        return (term,)

    def _several(self, term: Term, scope: Scope, *, is_first: bool) -> list[Size | None] | None:
        """The sizes that `*x.shape[:2]` brings: from the front where it stands first, else up to the end."""
        if isinstance(term, Display):
            return self.wanted(term.parts, scope) if len(term.parts) != 1 else None
        part = term.index if isinstance(term, Subscript) else None
        base = shaped(term.base) if isinstance(term, Subscript) else shaped(term)
        layouts = self._layouts_of(base, scope) if base is not None else ()
        if not layouts:
            return None
        if part is None:
            return [axis.size for axis in layouts[0].axes] if layouts[0].ndim is not None else None
        bounds = part.parts if isinstance(part, Operation) and part.operator == "slice" else ()
        given = [one for one in bounds if not (isinstance(one, Constant) and one.value is None)]
        bound = integer(given[0], scope) if len(given) == 1 and len(bounds) < 3 else None
        if bound is None:
            return None
        return self._cut(layouts[0], bound, is_first=is_first)

    def _cut(self, layout: Layout, bound: int, *, is_first: bool) -> list[Size | None] | None:
        if is_first and bound > 0:
            return [self._axis(layout, index) for index in range(bound)]
        if not is_first and bound < 0:
            return [self._axis(layout, index) for index in range(bound, 0)]
        if layout.ndim is None:
            return None
        kept = layout.axes[:bound] if is_first else layout.axes[bound:]
        return [axis.size for axis in kept]

    def _axis(self, layout: Layout, index: int) -> Size:
        found = located(layout, index)
        return found[0].axes[found[1]].size if found is not None else (("axis", object()),)

    def of(self, term: Term, scope: Scope) -> Size:
        """The number of elements that `term` stands for."""
        number = integer(term, scope)
        if number is not None:
            return ONE if number == 1 else (number,)
        found = self._of_dimension(term, scope)
        if found is not None:
            return found
        if isinstance(term, Operation) and term.operator == "*":
            return multiplied([self.of(part, scope) for part in term.parts])
        if isinstance(term, Argument) and term.index in scope.given:
            return self.of(*scope.given[term.index])
        if isinstance(term, Argument):
            return (("argument", id(scope.frame.function), term.index),)
        if isinstance(term, Attribute):
            return self._of_attribute(term, scope)
        path = path_of(term)
        return (("name", path),) if path else (("term", id(term)),)

    def _of_attribute(self, term: Attribute, scope: Scope) -> Size:
        """The number that an attribute holds: what the constructor was given, where it keeps just that."""
        kept = self._kept(term, scope)
        is_plain = kept is not None and isinstance(kept[0], (Argument, Constant, Operation))
        if kept is not None and is_plain and _is_product(kept[0]):
            return self.of(*kept)
        setting = self._setting(term, scope)
        if setting:
            return (("name", setting),)
        path = path_of(term)
        return (("name", path),) if path else (("term", id(term)),)

    def _setting(self, term: Attribute, scope: Scope) -> str:
        """args.dim for self.args.dim of an object that keeps the arguments it was given; "" for all else."""
        kept = self._kept(term.base, scope) if isinstance(term.base, Attribute) else None
        return f"{kept[0].name}.{term.name}" if kept is not None and isinstance(kept[0], Argument) else ""

    def _of_dimension(self, term: Term, scope: Scope) -> Size | None:
        """The size of a dimension: x.size(0), x.shape[1], one of `b, c = x.shape`, len(x)."""
        base: Term | None = None
        index: int | None = None
        if isinstance(term, Item):
            base, index = shaped(term.base), term.index
        elif isinstance(term, Subscript):
            base, index = shaped(term.base), integer(term.index, scope)
        elif isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "size":
            base, index = term.callee.base, integer(term.argument(0, "dim"), scope)
        elif isinstance(term, Call) and isinstance(term.callee, Global) and term.callee.name == "len":
            base, index = (term.arguments[0] if term.arguments else None), 0
        layouts = self._layouts_of(base, scope) if base is not None and index is not None else ()
        found = located(layouts[0], index) if layouts and index is not None else None
        return found[0].axes[found[1]].size if found is not None else None


def _is_product(term: Term) -> bool:
    """True for an argument, a number and the product of such."""
    if isinstance(term, Operation):
        return term.operator == "*" and all(map(_is_product, term.parts))
    return isinstance(term, (Argument, Constant))
