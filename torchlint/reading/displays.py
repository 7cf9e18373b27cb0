"""Displays, strings and numbers: what is written out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.model.terms import Constant, Display, Operation, Place, Starred, Term

if TYPE_CHECKING:
    from torchlint.reading.expressions import ExpressionReader


def tuple_display(reader: ExpressionReader, node: cst.Tuple, tree: ast.Tuple | None, place: Place) -> Term:
    """The term of a tuple that is written out."""
    return _display(reader, "tuple", node.elements, tree.elts if tree else None, place)


def list_display(reader: ExpressionReader, node: cst.List, tree: ast.List | None, place: Place) -> Term:
    """The term of a list that is written out."""
    return _display(reader, "list", node.elements, tree.elts if tree else None, place)


def set_display(reader: ExpressionReader, node: cst.Set, tree: ast.Set | None, place: Place) -> Term:
    """The term of a set that is written out."""
    return _display(reader, "set", node.elements, tree.elts if tree else None, place)


def _display(
    reader: ExpressionReader,
    kind: str,
    elements: Sequence[cst.BaseElement],
    trees: Sequence[ast.expr] | None,
    place: Place,
) -> Term:
    twins: Sequence[ast.expr | None] = trees if trees is not None else [None] * len(elements)
    return Display(place, kind, tuple(_element(reader, e, twin) for e, twin in zip(elements, twins, strict=True)))


def _element(reader: ExpressionReader, element: cst.BaseElement, twin: ast.expr | None) -> Term:
    if isinstance(element, cst.StarredElement):
        value = reader.read(element.value, twin.value if isinstance(twin, ast.Starred) else None)
        return Starred(value.place, value)
    return reader.read(element.value, twin)


def dict_display(reader: ExpressionReader, node: cst.Dict, tree: ast.Dict | None, place: Place) -> Term:
    """The term of a dict that is written out; a key of None stands for `**other`."""
    count = len(node.elements)
    key_trees: Sequence[ast.expr | None] = tree.keys if tree else [None] * count
    value_trees: Sequence[ast.expr | None] = tree.values if tree else [None] * count
    keys: list[Term | None] = []
    values: list[Term] = []
    for element, key, value in zip(node.elements, key_trees, value_trees, strict=True):
        keys.append(reader.read(element.key, key) if isinstance(element, cst.DictElement) else None)
        values.append(reader.read(element.value, value))
    return Display(place, "dict", tuple(values), tuple(keys))


def string(reader: ExpressionReader, node: cst.BaseString, tree: ast.expr | None, place: Place) -> Term:
    """The term of a string, or of several beside each other."""
    if isinstance(tree, ast.Constant):
        return Constant(place, tree.value)
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)) and isinstance(node.evaluated_value, (str, bytes)):
        return Constant(place, node.evaluated_value)
    return Operation(place, "f-string", tuple(_formatted_parts(reader, node)))


def formatted_string(
    reader: ExpressionReader, node: cst.FormattedString, tree: ast.JoinedStr | None, place: Place
) -> Term:
    """The term of an f-string."""
    return Operation(place, "f-string", tuple(_formatted_parts(reader, node)))


def _formatted_parts(reader: ExpressionReader, node: cst.BaseExpression) -> Iterator[Term]:
    if isinstance(node, cst.ConcatenatedString):
        yield from _formatted_parts(reader, node.left)
        yield from _formatted_parts(reader, node.right)
    elif isinstance(node, cst.FormattedString):
        for part in node.parts:
            if isinstance(part, cst.FormattedStringText):
                yield Constant(reader.here, part.value)
            elif isinstance(part, cst.FormattedStringExpression):
                # The ast of Python 3.11 and older misplaces what stands inside an f-string: we use the
                # statement's place.
                yield reader.read(part.expression, None)
    elif isinstance(node, cst.SimpleString):
        yield Constant(reader.here, node.evaluated_value)


def number(reader: ExpressionReader, node: cst.BaseNumber, tree: ast.Constant | None, place: Place) -> Term:
    """The term of a number."""
    return Constant(place, tree.value if tree else node.evaluated_value)  # type: ignore[attr-defined]


def ellipsis(reader: ExpressionReader, node: cst.Ellipsis, tree: ast.Constant | None, place: Place) -> Term:
    """The term of `...`."""
    return Constant(place, ...)
