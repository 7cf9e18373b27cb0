"""Operators: arithmetic, tests and choices between two values."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.model.events import RegionKind
from torchlint.model.terms import Choice, Constant, Operation, Place, Term

if TYPE_CHECKING:
    from torchlint.reading.expressions import ExpressionReader

_OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%",
    cst.Power: "**", cst.MatrixMultiply: "@", cst.BitAnd: "&", cst.BitOr: "|", cst.BitXor: "^", cst.LeftShift: "<<",
    cst.RightShift: ">>", cst.Plus: "+", cst.Minus: "-", cst.BitInvert: "~", cst.Not: "not",
    cst.Equal: "==", cst.NotEqual: "!=", cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=", cst.In: "in", cst.NotIn: "not in", cst.Is: "is", cst.IsNot: "is not",
    cst.And: "and", cst.Or: "or",
    cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*", cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//", cst.ModuloAssign: "%", cst.PowerAssign: "**", cst.MatrixMultiplyAssign: "@",
    cst.BitAndAssign: "&", cst.BitOrAssign: "|", cst.BitXorAssign: "^", cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
}  # fmt: skip

_ORDERINGS = frozenset(("<", "<=", ">", ">="))


def operator_of(node: cst.CSTNode) -> str:
    """The operator as written, an augmented one without its equal sign."""
    return _OPERATORS[type(node)]


def binary(reader: ExpressionReader, node: cst.BinaryOperation, tree: ast.BinOp | None, place: Place) -> Term:
    """The term of `a + b` and its like."""
    left = reader.read(node.left, tree.left if tree else None)
    right = reader.read(node.right, tree.right if tree else None)
    return reader.evaluated(Operation(place, operator_of(node.operator), (left, right)))


def unary(reader: ExpressionReader, node: cst.UnaryOperation, tree: ast.UnaryOp | None, place: Place) -> Term:
    """The term of `-a`, `~a` and `not a`; a number with a sign is a number."""
    operand = reader.read(node.expression, tree.operand if tree else None)
    if (
        isinstance(operand, Constant)
        and isinstance(node.operator, cst.Minus)
        and isinstance(operand.value, (int, float))
    ):
        return Constant(place, -operand.value)
    return reader.evaluated(Operation(place, operator_of(node.operator), (operand,)))


def boolean(reader: ExpressionReader, node: cst.BooleanOperation, tree: ast.BoolOp | None, place: Place) -> Term:
    """The term of `a and b`: what stands behind is evaluated under the operands before it."""
    operator = operator_of(node.operator)
    operands = _flattened(node)
    trees: Sequence[ast.expr | None] = (
        tree.values if tree and len(tree.values) == len(operands) else [None] * len(operands)
    )
    before = reader.scope.region
    parts: list[Term] = []
    for operand, twin in zip(operands, trees, strict=True):
        parts.append(reader.read(operand, twin))
        reader.scope.push(RegionKind.GUARD, parts[-1], parts[-1].place, holds=operator == "and")
    reader.scope.region = before
    return reader.evaluated(Operation(place, operator, tuple(parts)))


def comparison(reader: ExpressionReader, node: cst.Comparison, tree: ast.Compare | None, place: Place) -> Term:
    """The term of `a < b`, and of a chain of comparisons."""
    left = reader.read(node.left, tree.left if tree else None)
    trees: Sequence[ast.expr | None] = tree.comparators if tree else [None] * len(node.comparisons)
    rights = [reader.read(part.comparator, twin) for part, twin in zip(node.comparisons, trees, strict=True)]
    operators = [operator_of(part.operator) for part in node.comparisons]
    mixed = "ordering" if _ORDERINGS.issuperset(operators) else "comparison"
    operator = operators[0] if len(operators) == 1 else mixed
    return reader.evaluated(Operation(place, operator, (left, *rights)))


def conditional(reader: ExpressionReader, node: cst.IfExp, tree: ast.IfExp | None, place: Place) -> Term:
    """The term of `a if test else b`: either, each evaluated under the test."""
    test = reader.read(node.test, tree.test if tree else None)
    before = reader.scope.push(RegionKind.GUARD, test, place)
    body = reader.read(node.body, tree.body if tree else None)
    reader.scope.region = before
    reader.scope.push(RegionKind.GUARD, test, place, holds=False)
    orelse = reader.read(node.orelse, tree.orelse if tree else None)
    reader.scope.region = before
    return Choice(place, (body, orelse))


def _flattened(node: cst.BooleanOperation) -> list[cst.BaseExpression]:
    """The operands of `a and b and c`: LibCST nests them to the left, ast does not; parentheses keep a group apart."""
    operands: list[cst.BaseExpression] = [node.right]
    left = node.left
    while isinstance(left, cst.BooleanOperation) and type(left.operator) is type(node.operator) and not left.lpar:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    return operands[::-1]
