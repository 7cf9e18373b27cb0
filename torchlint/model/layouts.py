"""How tensors lie in memory: the layouts that a value may have, through operations, helpers, modules and loaders.

An argument that nobody is known to fill is taken to be contiguous, as tensors are when they are made. What other
packages return is not known, and of it nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from torchlint.model.bound import BoundClosure
from torchlint.model.events import Evaluated, Return
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.layout_sizes import Sizes, shaped
from torchlint.model.layout_steps import NO_OPERANDS, Steps
from torchlint.model.names import Value
from torchlint.model.stride_orders import elementwise
from torchlint.model.strides import Layout, Size, located, open_layout, removed, with_ndim
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.uses import parents_in
from torchlint.model.values import Kind

_DEPTH = 4
_MAX_LAYOUTS = 4
_EACH = "*"
_LOOKS_THROUGH = frozenset("list tuple iter next tqdm cycle prefetch".split())
_PARTS = frozenset("chunk split tensor_split unbind unsafe_chunk unsafe_split hsplit vsplit".split())
_COMPARED = frozenset("== != < <= > >= + - * / // % ** & | ^ ~".split())
_AUGMENTED = frozenset("+= -= *= /= //= %= **= &= |= ^=".split())
_NO_TENSORS = NO_OPERANDS - {Kind.UNKNOWN}

Path: TypeAlias = "tuple[int | str, ...]"


@dataclass(slots=True, eq=False)
class Scope:
    """A function as it is entered: `given` are the terms that its parameters stand for, in the scope of the caller."""

    frame: Frame
    given: Mapping[int, tuple[Term, Scope]] = field(default_factory=dict)
    depth: int = _DEPTH
    memo: dict[int, tuple[Layout, ...]] = field(default_factory=dict)

    def around(self) -> Scope | None:
        """The scope of the enclosing function, for a nested one."""
        return Scope(self.frame.outer, {}, self.depth) if self.frame.outer is not None else None


class Layouts:
    """Finds the layouts of terms; an empty tuple says that nothing is known."""

    def __init__(self) -> None:
        self.sizes = Sizes(self.of)
        self._steps = Steps(self)

    def of(self, term: Term, scope: Scope) -> tuple[Layout, ...]:
        """The layouts that a tensor may have."""
        known = scope.memo.get(id(term))
        if known is not None:
            return known
        scope.memo[id(term)] = ()
        found = self._found(term, scope)[:_MAX_LAYOUTS]
        count = _dimensions(scope.frame.function).get(_key(term))
        if count is not None:
            found = tuple(_counted(layout, count) for layout in found)
        scope.memo[id(term)] = found
        return found

    def _found(self, term: Term, scope: Scope) -> tuple[Layout, ...]:
        if isinstance(term, Argument):
            return self._of_argument(term, scope)
        if isinstance(term, Captured):
            around = scope.around()
            return self.of(term.value, around) if around is not None else ()
        if isinstance(term, Attribute):
            return self._of_attribute(term, scope)
        if isinstance(term, Choice):
            return self.joined((self.of(option, scope) for option in _chosen(term)), id(term))
        if isinstance(term, Operation):
            return self._of_operation(term, scope)
        if isinstance(term, Call):
            return self._of_call(term, scope)
        if isinstance(term, Subscript):
            return self._steps.subscript(term, scope) or self.component(term, scope, ())
        if isinstance(term, (Item, Element)):
            return self.component(term, scope, ())
        if isinstance(term, (Global, Imported)):
            value = scope.frame.evaluator.project.names.of_term(term, scope.frame.path)
            if isinstance(value, Value) and scope.depth:
                top = scope.frame.evaluator.frame(value.top, None)
                return self.of(value.term, Scope(top, {}, scope.depth - 1))
        return ()

    def joined(self, parts: Iterable[tuple[Layout, ...]], branch: int) -> tuple[Layout, ...]:
        """The layouts of either branch; each remembers the branching where they differ."""
        found = [layout for part in parts for layout in part]
        if all(layout == found[0] for layout in found):
            return tuple(found[:1])
        return tuple(replace(layout, branches=layout.branches | {branch}) for layout in found)

    def _of_argument(self, term: Argument, scope: Scope) -> tuple[Layout, ...]:
        if term.index in scope.given:
            return self.of(*scope.given[term.index])
        if scope.frame.is_self(term) or scope.frame.value(term).kind in _NO_TENSORS:
            return ()
        return (open_layout(("argument", id(scope.frame.function), term.index)),)

    def _of_attribute(self, term: Attribute, scope: Scope) -> tuple[Layout, ...]:
        if term.known is not None:
            return self.of(term.known, scope)
        found = self._steps.attribute(term, scope)
        if found or not scope.frame.is_self(term.base):
            return found
        is_state = scope.frame.value(term).kind in (Kind.PARAMETER, Kind.BUFFER)
        return (open_layout(("attribute", term.name)),) if is_state else ()

    def _of_operation(self, term: Operation, scope: Scope) -> tuple[Layout, ...]:
        if term.operator in _AUGMENTED:
            return self.of(term.parts[0], scope)
        if term.operator in ("and", "or"):
            return self.joined((self.of(part, scope) for part in term.parts), id(term))
        if term.operator in ("@", "@="):
            return self._steps.product(term.parts, scope)
        return self.combined(term.parts, scope) if term.operator in _COMPARED else ()

    def combined(self, operands: Iterable[Term], scope: Scope) -> tuple[Layout, ...]:
        """The result of an elementwise operation on several operands, of which numbers do not count."""
        tensors = [term for term in operands if not self._is_number(term, scope)]
        if not tensors:
            return ()
        first, others = self.of(tensors[0], scope), [self.of(term, scope) for term in tensors[1:]]
        if not all(others):
            return tuple(one for one in first if not one.is_expanded and not any(not axis.size for axis in one.axes))
        found = (elementwise([layout, *(other[0] for other in others)]) for layout in first)
        return tuple(layout for layout in found if layout is not None)

    def _is_number(self, term: Term, scope: Scope) -> bool:
        if isinstance(term, Constant):
            return True
        return scope.frame.value(term).kind in NO_OPERANDS

    def sizes_of_view(self, name: str, terms: Sequence[Term], layout: Layout, scope: Scope) -> list[Size | None] | None:
        """The sizes that a view of a tensor asks for, None for -1; None where they are not known."""
        return self._steps.view_sizes(name, terms, layout, scope)

    # Calls

    def _of_call(self, call: Call, scope: Scope) -> tuple[Layout, ...]:
        found = self._steps.call(call, scope)
        if found is not None:
            return found
        inner = self.entered(call, scope)
        return self._returned(inner, ()) if inner is not None else ()

    def _returned(self, inner: Scope, path: Path) -> tuple[Layout, ...]:
        returns = [e for e in inner.frame.function.events if isinstance(e, Return)]
        return self.joined((self.component(e.value, inner, path) for e in returns), id(inner.frame.function))

    def entered(self, call: Call, scope: Scope) -> Scope | None:
        """The function of the project, or the forward() of its module, as a call enters it; None for any other call."""
        if not scope.depth:
            return None
        value, frame = scope.frame.value(call.callee), scope.frame
        evaluator = frame.evaluator
        if value.kind is Kind.MODULE and value.of is not None and value.made_by != "class":
            forward = value.of.method("forward")
            if forward is None:
                return None
            inner = evaluator.bound_frame(forward, value.of, call, frame, receiver=call.callee)
            return self._bound(inner, call, scope, 1)
        if isinstance(value.of, BoundClosure):
            return self._bound(evaluator.nested_frame(value.of.function, value.of.frame), call, scope, 0)
        if not isinstance(value.of, Function):
            return None
        is_method = value.of.owner is not None and has_self(value.of) and isinstance(call.callee, Attribute)
        return self._bound(evaluator.entered(value.of, call, frame), call, scope, int(is_method))

    def _bound(self, inner: Frame, call: Call, scope: Scope, offset: int) -> Scope:
        names = {parameter.name: index for index, parameter in enumerate(inner.function.parameters)}
        given = {index + offset: (term, scope) for index, term in enumerate(call.arguments)}
        given |= {names[name]: (term, scope) for name, term in call.keywords if name in names}
        return Scope(inner, given, scope.depth - 1)

    # Parts of tuples, lists and loaders

    def component(self, term: Term, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """The layouts of a part of `term`: at each index of `path` in turn, "*" standing for each element."""
        if isinstance(term, Item):
            return self.component(term.base, scope, (term.index, *path))
        if isinstance(term, Element):
            return self.component(term.iterable, scope, (_EACH, *path))
        if (
            isinstance(term, Subscript)
            and isinstance(term.index, Constant)
            and isinstance(term.index.value, (int, str))
        ):
            return self.component(term.base, scope, (term.index.value, *path))
        if not path:
            return self.of(term, scope)
        if isinstance(term, Choice):
            return self.joined((self.component(option, scope, path) for option in term.options), id(term))
        if isinstance(term, Argument) and term.index in scope.given:
            return self.component(*scope.given[term.index], path)
        if isinstance(term, Captured) and (around := scope.around()) is not None:
            return self.component(term.value, around, path)
        if isinstance(term, Display):
            return self._of_display(term, scope, path)
        if isinstance(term, Comprehension):
            return self.component(term.parts[-1], scope, path[1:])
        if isinstance(term, Call):
            return self._of_called(term, scope, path)
        return self._of_named(term, scope, path)

    def _of_display(self, term: Display, scope: Scope, path: Path) -> tuple[Layout, ...]:
        at, rest = path[0], path[1:]
        if isinstance(at, int) and -len(term.parts) <= at < len(term.parts) and not term.keys:
            return self.component(term.parts[at], scope, rest)
        keys = [key.value if isinstance(key, Constant) else None for key in term.keys]
        return self.component(term.parts[keys.index(at)], scope, rest) if at in keys else ()

    def _of_named(self, term: Term, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """A part of what is only known by name: of the batches of a loader, or of an argument."""
        if isinstance(term, (Global, Imported)) and scope.depth:
            value = scope.frame.evaluator.project.names.of_term(term, scope.frame.path)
            if isinstance(value, Value):
                top = scope.frame.evaluator.frame(value.top, None)
                return self.component(value.term, Scope(top, {}, scope.depth - 1), path)
        if isinstance(term, Argument) and (_EACH in path or len(path) > 1):
            return (open_layout(("part", id(term), path)),)
        return ()

    def _of_called(self, call: Call, scope: Scope, path: Path) -> tuple[Layout, ...]:
        name, given = last_name(call), call.arguments
        if name == "enumerate" and given and path[:2] == (_EACH, 1):
            return self.component(given[0], scope, (_EACH, *path[2:]))
        if name == "zip" and path[0] == _EACH and len(path) > 1 and isinstance(path[1], int) and path[1] < len(given):
            return self.component(given[path[1]], scope, (_EACH, *path[2:]))
        if name in _LOOKS_THROUGH and given:
            return self.component(given[0], scope, (_EACH, *path) if name == "next" else path)
        if name == "DataLoader" and path[0] == _EACH:
            return self._collated(call, scope, path[1:])
        if name in _PARTS:
            found = self._steps.part(call, name, scope)
            return found if len(path) == 1 else ()
        known = self._steps.item(call, name, scope, path)
        if known is not None:
            return known
        inner = self.entered(call, scope)
        if inner is not None:
            return self._returned(inner, path)
        return self._selected(self._steps.call(call, scope) or (), path)

    def _selected(self, layouts: tuple[Layout, ...], path: Path) -> tuple[Layout, ...]:
        for _ in path:
            layouts = tuple(one for layout in layouts if (one := removed(layout, 0)) is not None)
        return layouts

    def _collated(self, call: Call, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """A part of a batch: of what collate_fn returns, and in plain order where there is none."""
        collate = call.keyword("collate_fn")
        if collate is None:
            return (open_layout(("batch", id(call), path)),)
        value = scope.frame.value(collate)
        target, view = value.of, None
        if value.kind is Kind.OBJECT and target is not None:
            target, view = target.method("__call__"), target
        if not isinstance(target, Function) or not scope.depth:
            return ()
        return self._returned(Scope(scope.frame.evaluator.frame(target, view), {}, scope.depth - 1), path)


def _chosen(choice: Choice) -> tuple[Term, ...]:
    """The options of a choice, without what `x if x.is_contiguous() else x.contiguous()` keeps as it is."""
    copied = {
        id(option.callee.base)
        for option in choice.options
        if isinstance(option, Call) and isinstance(option.callee, Attribute) and option.callee.name == "contiguous"
    }
    return tuple(option for option in choice.options if id(option) not in copied)


def _counted(layout: Layout, count: int) -> Layout:
    """A layout with the dimensions that the code speaks of: `count` of them, or (negative) at least so many."""
    if count > 0:
        return with_ndim(layout, count)
    located_at = located(layout, -count - 1)
    return located_at[0] if located_at is not None else layout


def _key(term: Term) -> object:
    return ("argument", term.index) if isinstance(term, Argument) else id(term)


def _dimensions(function: Function) -> dict[object, int]:
    """How many dimensions the tensors of a function have, where its own code says so: b, c, h, w = x.shape. At least
    so many, where it only asks for x.size(2), as a negative number."""
    known: dict[object, int] | None = function.derived.get("dimensions")
    if known is None:
        known = function.derived["dimensions"] = _find_dimensions(function)
    return known


def _find_dimensions(function: Function) -> dict[object, int]:
    found: dict[object, int] = {}
    for event in function.events:
        if not isinstance(event, Evaluated):
            continue
        term = event.term
        base = shaped(term)
        if base is not None:
            items = (one for one in parents_in(function).get(id(term), ()) if isinstance(one, Item))
            length = next((item.length for item in items if item.length is not None), None)
            if length is not None:
                found[_key(base)] = length
            continue
        counted = _counted_by(term)
        if counted is not None:
            key = _key(counted[0])
            found[key] = counted[1] if counted[1] > 0 else min(found.get(key, 0) or counted[1], counted[1])
    return found


def _counted_by(term: Term) -> tuple[Term, int] | None:
    """A tensor, and how many dimensions one use of it speaks of."""
    if isinstance(term, Subscript):
        base, index = shaped(term.base), term.index
    elif not isinstance(term, Call) or not isinstance(term.callee, Attribute) or not term.arguments:
        return None
    elif term.callee.name == "permute":
        return (term.callee.base, len(term.arguments)) if len(term.arguments) > 1 else None
    else:
        base, index = (term.callee.base if term.callee.name == "size" else None), term.arguments[0]
    number = index.value if isinstance(index, Constant) else None
    is_number = isinstance(number, int) and not isinstance(number, bool)
    return (base, -number - 1) if base is not None and is_number and number >= 0 else None  # type: ignore[operator]
