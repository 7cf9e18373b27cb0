"""What an error tells of the arguments that led to it: the lines it passed through, the condition that was not met."""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from .sources import function_tree

_TORCH = str(Path(torch.__file__).parent)
_OURS = str(Path(__file__).resolve().parent)
_LAST_FRAMES = 3
_MULTIPLES = (1, 2, 4)


@dataclass(frozen=True)
class Place:
    """A line of user code that was running. statement: the whole statement, as text."""

    code: types.CodeType
    line: int
    values: dict[str, Any]
    surroundings: dict[str, Any]

    @property
    def statement(self) -> str:
        """The statement that was running; "" where its source is not at hand."""
        found = statement_at(self.code, self.line)
        return ast.unparse(found) if found is not None and not hasattr(found, "body") else _first_line(found)


@dataclass(frozen=True)
class Wish:
    """A condition that was not met would have been with another value. expression: what has that value now."""

    expression: str
    found: Any
    wanted: Any


def places(error: BaseException) -> list[Place]:
    """Where an error came through, outside torch and this package, the innermost first."""
    found = []
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith((_TORCH, _OURS, "<")):
            frame = trace.tb_frame
            found.append(Place(frame.f_code, trace.tb_lineno, frame.f_locals, frame.f_globals))
        trace = trace.tb_next
    return found[::-1]


def lines(error: BaseException) -> str:
    """The message of an error and the last statements it came through."""
    return "\n".join((str(error), *(place.statement for place in places(error)[:_LAST_FRAMES])))


def wishes(error: BaseException) -> Iterator[Wish]:
    """What would have met the condition of the assert, or of the raise, that the error came from."""
    yield from _of_key(error)
    for place in places(error)[:_LAST_FRAMES]:
        condition = _condition_at(place.code, place.line)
        if condition is not None:
            for test in _tests(condition):
                yield from _of_test(test, place)
            return


def evaluated(expression: ast.expr, place: Place) -> Any:
    """The value of an expression where the error came through; None where it has none."""
    try:
        code = compile(ast.Expression(expression), "<torchlint>", "eval")
        return eval(code, place.surroundings, place.values)
    except Exception:
        return None


# The source


@functools.lru_cache(maxsize=512)
def statement_at(code: types.CodeType, line: int) -> ast.stmt | None:
    """The smallest statement of a function that holds a line."""
    tree = function_tree(code)
    statements = (one for one in ast.walk(tree) if isinstance(one, ast.stmt)) if tree is not None else ()
    around = [one for one in statements if one.lineno <= line <= (one.end_lineno or 0)]
    return min(around, key=lambda one: ((one.end_lineno or 0) - one.lineno, -one.col_offset), default=None)


def _first_line(statement: ast.stmt | None) -> str:
    return ast.unparse(statement).partition("\n")[0] if statement is not None else ""


def _condition_at(code: types.CodeType, line: int) -> ast.expr | None:
    """What an assert at this line asks for, or what the `if` around a raise there forbids."""
    statement = statement_at(code, line)
    if isinstance(statement, ast.Assert):
        return statement.test
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement.value.args:
        is_assert = "assert" in ast.unparse(statement.value.func)
        return statement.value.args[0] if is_assert else None
    tree = function_tree(code)
    if not isinstance(statement, ast.Raise) or tree is None:
        return None
    guards = [one for one in ast.walk(tree) if isinstance(one, ast.If) and statement in one.body]
    return guards[-1].test if guards else None


# The condition


def _tests(condition: ast.expr) -> Iterator[ast.expr]:
    if isinstance(condition, ast.BoolOp):
        for one in condition.values:
            yield from _tests(one)
    elif isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        yield from _tests(condition.operand)
    else:
        yield condition


def _of_test(test: ast.expr, place: Place) -> Iterator[Wish]:
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        yield from _of_remainder(test, place)
        return
    left, right, operator = test.left, test.comparators[0], test.ops[0]
    if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod):
        yield from _of_remainder(left, place)
        return
    one, other = evaluated(left, place), evaluated(right, place)
    if isinstance(operator, (ast.In, ast.NotIn)):
        if isinstance(other, (tuple, list, set, frozenset, dict)):
            yield from (Wish(ast.unparse(left), one, each) for each in list(other)[:4])
    elif isinstance(operator, (ast.Eq, ast.NotEq)):
        yield Wish(ast.unparse(left), one, other)
        yield Wish(ast.unparse(right), other, one)
    elif type(one) is int and type(other) is int:
        step = 1 if one >= other else -1
        yield Wish(ast.unparse(left), one, other - step)
        yield Wish(ast.unparse(left), one, other)
        yield Wish(ast.unparse(right), other, one + step)


def _of_key(error: BaseException) -> Iterator[Wish]:
    """For a key that is not there: those that are."""
    found = places(error)[:1] if isinstance(error, KeyError) else []
    for place in found:
        statement = statement_at(place.code, place.line)
        for node in ast.walk(statement) if statement is not None else ():
            if isinstance(node, ast.Subscript) and repr(evaluated(node.slice, place)) == repr(error.args[0]):
                known = evaluated(node.value, place)
                keys = list(known)[:4] if isinstance(known, dict) else []
                yield from (Wish(ast.unparse(node.slice), error.args[0], key) for key in keys)


def _of_remainder(test: ast.expr, place: Place) -> Iterator[Wish]:
    """For `a % b`: other values of a that are multiples of b, and b as a whole."""
    if not isinstance(test, ast.BinOp) or not isinstance(test.op, ast.Mod):
        return
    number, divisor = evaluated(test.left, place), evaluated(test.right, place)
    if type(number) is int and type(divisor) is int and divisor > 0:
        nearest = max(divisor, number - number % divisor)
        for value in dict.fromkeys((nearest, *(divisor * many for many in _MULTIPLES))):
            yield Wish(ast.unparse(test.left), number, value)
        yield from (Wish(ast.unparse(test.right), divisor, value) for value in (4, 2, 1) if not number % value)
