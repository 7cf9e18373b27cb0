"""Layouts of the parts of tuples, lists, dicts, records and loaders: what a path into one of them leads to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.evaluation.dict_items import is_changed, item_writes
from torchlint.model.evaluation.record_fields import field_given, fields_given
from torchlint.model.facts import Function
from torchlint.model.flow.passed import passed
from torchlint.model.frames import last_name
from torchlint.model.layouts.strides import Layout, inserted, open_layout, removed
from torchlint.model.names.names import Value
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
    Starred,
    Subscript,
    Term,
)
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.layouts.layouts import Layouts, Scope

EACH = "*"
_LOOKS_THROUGH = frozenset("list tuple iter next tqdm cycle prefetch".split())
_PARTS = frozenset("chunk split tensor_split unbind unsafe_chunk unsafe_split hsplit vsplit".split())

Path: TypeAlias = "tuple[int | str, ...]"


class Parts:
    """Follows paths: an index or key in each step, "*" for each element, ".name" for an attribute."""

    def __init__(self, layouts: Layouts) -> None:
        self._layouts = layouts
        self._open: set[tuple[int, int, Path]] = set()

    def component(self, term: Term, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """The layouts of a part of `term`: at each step of `path` in turn. What needs itself is not known."""
        key = (id(term), id(scope), path)
        if key in self._open:
            return ()
        self._open.add(key)
        found = self._component(term, scope, path)
        self._open.discard(key)
        return found

    def _component(self, term: Term, scope: Scope, path: Path) -> tuple[Layout, ...]:
        if isinstance(term, Item):
            return self.component(term.base, scope, (term.index, *path))
        if isinstance(term, Element):
            key = scope.keys.get(id(term))
            if key is not None and path[:1] == (1,):
                return self.component(_listed(term), scope, (key, *path[1:]))
            return self.component(term.iterable, scope, (EACH, *path))
        if (
            isinstance(term, Subscript)
            and isinstance(term.index, Constant)
            and isinstance(term.index.value, (int, str))
        ):
            return self.component(term.base, scope, (term.index.value, *path))
        if not path:
            return self._layouts.of(term, scope)
        if isinstance(term, Choice):
            return self._joined(((option, path) for option in term.options), term, scope)
        if isinstance(term, Argument) and term.index in scope.given:
            return self.component(*scope.given[term.index], path)
        if isinstance(term, Captured) and (around := scope.around()) is not None:
            return self.component(term.value, around, path)
        if isinstance(term, Display):
            return self._of_display(term, scope, path)
        if isinstance(term, Operation):
            return self._of_operation(term, scope, path)
        if isinstance(term, Comprehension):
            return self.component(term.parts[-1], _under_key(term, scope, path[0]), path[1:])
        if isinstance(term, Attribute):
            return self._of_attribute(term, scope, path)
        if isinstance(term, Call):
            return self._of_called(term, scope, path)
        return self._of_named(term, scope, path)

    def _joined(self, parts: object, branch: Term, scope: Scope) -> tuple[Layout, ...]:
        found = (self.component(term, scope, path) for term, path in parts)  # type: ignore[attr-defined]
        return self._layouts.joined(found, id(branch))

    def _of_display(self, term: Display, scope: Scope, path: Path) -> tuple[Layout, ...]:
        at, rest = path[0], path[1:]
        if term.kind == "dict":
            return self._of_dict(term, scope, path)
        if isinstance(at, int) and -len(term.parts) <= at < len(term.parts):
            return self.component(term.parts[at], scope, rest)
        if at != EACH or any(isinstance(part, Starred) for part in term.parts):
            return ()
        return self._joined(((part, rest) for part in term.parts), term, scope)

    def _of_dict(self, term: Display, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """What a dict holds under a key: what it was written out with, and what was assigned since."""
        function = scope.frame.function
        writes = [(one.index, one.value) for one in item_writes(function).get(id(term), ())]
        pairs = [*zip(term.keys, term.parts, strict=True), *writes]
        if is_changed(term, function):
            return ()
        held = [part for key, part in pairs if isinstance(key, Constant) and key.value == path[0]]
        return self._joined(((part, path[1:]) for part in held), term, scope)

    def _of_operation(self, term: Operation, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """An element of a list that something was appended to: of any of them where the position is not known."""
        if term.operator not in ("grown", "extended"):
            return ()
        before, added = term.parts
        rest = path[1:] if term.operator == "grown" else (EACH, *path[1:])
        return self._joined(((before, (EACH, *path[1:])), (added, rest)), term, scope)

    def _of_attribute(self, term: Attribute, scope: Scope, path: Path) -> tuple[Layout, ...]:
        if term.known is not None:
            return self.component(term.known, scope, path)
        kept = self._layouts.kept(term, scope)
        return self.component(*kept, path) if kept is not None else ()

    def _of_named(self, term: Term, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """A part of what is only known by name: of the batches of a loader, or of an argument."""
        if isinstance(term, (Global, Imported)) and scope.depth:
            value = scope.frame.evaluator.project.names.of_term(term, scope.frame.path)
            if isinstance(value, Value):
                top = scope.frame.evaluator.frame(value.top, None)
                return self.component(value.term, scope.entered(top, {}), path)
        if isinstance(term, Argument) and (EACH in path or len(path) > 1) and not _has_attribute(path):
            given = passed(term, scope.frame) if path[0] == EACH else ()
            return (_batch(("part", id(term), path), is_one=bool(given) and all(map(_loads_one_by_one, given))),)
        return ()

    # Calls

    def _of_called(self, call: Call, scope: Scope, path: Path) -> tuple[Layout, ...]:
        given = self._given_to(call, scope, path)
        if given is not None:
            return self.component(given[0], scope, given[1])
        name = last_name(call)
        if name == "map" and path[0] != EACH and len(call.arguments) == 2:
            return self._mapped(call, scope, path)
        if name == "DataLoader" and path[0] == EACH:
            return self._collated(call, scope, path[1:])
        if name in _PARTS:
            found = self._layouts.steps.part(call, name, scope)
            return found if len(path) == 1 else ()
        known = self._layouts.steps.item(call, name, scope, path)
        if known is not None:
            return known
        inner = self._layouts.entered(call, scope)
        if inner is not None:
            return self._layouts.returned(inner, path)
        return _selected(self._layouts.steps.call(call, scope) or (), path)

    def _given_to(self, call: Call, scope: Scope, path: Path) -> tuple[Term, Path] | None:
        """Where a call hands its arguments on: what the path leads to, and the rest of it; None for any other call."""
        name, given = last_name(call), call.arguments
        if name == "enumerate" and given and path[:2] == (EACH, 1):
            return given[0], (EACH, *path[2:])
        if name == "zip" and path[0] == EACH and len(path) > 1 and isinstance(path[1], int) and path[1] < len(given):
            return given[path[1]], (EACH, *path[2:])
        if name in _LOOKS_THROUGH and given:
            return given[0], (EACH, *path) if name == "next" else path
        term = self._field(call, scope, path[0])
        return (term, path[1:]) if term is not None else None

    def _field(self, call: Call, scope: Scope, at: int | str) -> Term | None:
        """What a call puts under a field, an attribute or a key of what it makes."""
        if isinstance(at, str) and at.startswith("."):
            return field_given(call, at[1:], scope.frame)
        if isinstance(call.callee, Global) and call.callee.name == "dict":
            return call.keyword(str(at))
        if not isinstance(at, int) or not isinstance(call.callee, (Global, Imported)):
            return None
        fields = tuple(fields_given(call, scope.frame).values())
        return fields[at] if -len(fields) <= at < len(fields) else None

    def _mapped(self, call: Call, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """A part of map(lambda x: .., (a, b)): what the function returns for the element at that place."""
        function, given = call.arguments
        value = scope.frame.value(function)
        parts = given.parts if isinstance(given, Display) and given.kind in ("tuple", "list") else ()
        at = path[0]
        if not isinstance(value.of, BoundClosure) or not scope.depth or not isinstance(at, int) or at >= len(parts):
            return ()
        inner = scope.frame.evaluator.nested_frame(value.of.function, value.of.frame)
        return self._layouts.returned(scope.entered(inner, {0: (parts[at], scope)}), path[1:])

    def _collated(self, call: Call, scope: Scope, path: Path) -> tuple[Layout, ...]:
        """A part of a batch: of what collate_fn returns, and in plain order where there is none."""
        collate = call.keyword("collate_fn")
        if collate is None:
            return (_batch(("batch", id(call), path), is_one=_loads_one_by_one(call)),)
        value = scope.frame.value(collate)
        target, view = value.of, None
        if value.kind is Kind.OBJECT and target is not None:
            target, view = target.method("__call__"), target
        if not isinstance(target, Function) or not scope.depth:
            return ()
        return self._layouts.returned(scope.entered(scope.frame.evaluator.frame(target, view), {}), path)


def _batch(name: object, *, is_one: bool) -> Layout:
    """A part of a batch in plain order, the first dimension of which counts the samples."""
    found = open_layout(name)
    return inserted(found, 0) or found if is_one else found


def _loads_one_by_one(term: Term) -> bool:
    """True for DataLoader(data, batch_size=1)."""
    if not isinstance(term, Call) or last_name(term) != "DataLoader" or term.keyword("collate_fn") is not None:
        return False
    count = term.argument(1, "batch_size")
    return isinstance(count, Constant) and count.value == 1


def _under_key(term: Comprehension, scope: Scope, key: int | str) -> Scope:
    """Where the values of {name: change(x) for name, x in parts.items()} are looked into: under the key that is asked
    for, x is what the other dict has there."""
    name = term.parts[0] if term.kind == "dict" else None
    pair = name.base if isinstance(name, Item) and name.index == 0 else None
    is_of_items = isinstance(pair, Element) and isinstance(pair.iterable, Call) and last_name(pair.iterable) == "items"
    return replace(scope, keys={**scope.keys, id(pair): key}, memo={}) if is_of_items and key != EACH else scope


def _listed(pair: Element) -> Term:
    """The dict of parts.items()."""
    call = pair.iterable
    return call.callee.base if isinstance(call, Call) and isinstance(call.callee, Attribute) else call


def _has_attribute(path: Path) -> bool:
    return any(isinstance(step, str) and step.startswith(".") for step in path)


def _selected(layouts: tuple[Layout, ...], path: Path) -> tuple[Layout, ...]:
    """The parts of a tensor that indices or a loop select."""
    if any(isinstance(step, str) and step != EACH for step in path):
        return ()
    for _ in path:
        layouts = tuple(one for layout in layouts if (one := removed(layout, 0)) is not None)
    return layouts
