"""Comprehensions: loops whose rounds give the elements."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from torchlint.model.events import RegionKind
from torchlint.model.terms import Comprehension, Element, Place, Term

if TYPE_CHECKING:
    from torchlint.reading.expressions import ExpressionReader


def comprehension(reader: ExpressionReader, node: cst.BaseSimpleComp, tree: Any, place: Place) -> Term:
    """The term of a comprehension of a list or set, and of a generator expression."""
    before = _enter(reader, node.for_in, tree.generators if tree else ())
    part = reader.read(node.elt, tree.elt if tree else None)
    _leave(reader, before)
    kind = {cst.ListComp: "list", cst.SetComp: "set"}.get(type(node), "generator")
    return Comprehension(place, kind, (part,))


def dict_comprehension(reader: ExpressionReader, node: cst.DictComp, tree: ast.DictComp | None, place: Place) -> Term:
    """The term of a comprehension of a dict."""
    before = _enter(reader, node.for_in, tree.generators if tree else ())
    key = reader.read(node.key, tree.key if tree else None)
    value = reader.read(node.value, tree.value if tree else None)
    _leave(reader, before)
    return Comprehension(place, "dict", (key, value))


def _enter(reader: ExpressionReader, clause: cst.CompFor | None, generators: Sequence[ast.comprehension]) -> Any:
    before = (dict(reader.scope.variables), reader.scope.region)
    twins = iter(generators)
    while clause is not None:
        twin = next(twins, None)
        iterable = reader.read(clause.iter, twin.iter if twin else None)
        reader.scope.push(RegionKind.LOOP, iterable, iterable.place)
        reader.assign(clause.target, twin.target if twin else None, Element(iterable.place, iterable))
        for position, condition in enumerate(clause.ifs):
            test = reader.read(condition.test, twin.ifs[position] if twin else None)
            reader.scope.push(RegionKind.GUARD, test, test.place)
        clause = clause.inner_for_in
    return before


def _leave(reader: ExpressionReader, before: Any) -> None:
    reader.scope.variables, reader.scope.region = before
