"""What rewrites ask of a tree: functions and blocks, names that are read and assigned, where statements are from."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import TypeVar

Function = (ast.FunctionDef, ast.AsyncFunctionDef)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Statement = TypeVar("Statement", bound=ast.stmt)

# What ties an expression to its place: moving it would change what it does.
_TIED = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Global, ast.Nonlocal, ast.Starred)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions and methods, outer ones first."""
    yield from [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def top_level(tree: ast.Module) -> list[ast.stmt]:
    """The classes and functions at the top of a file."""
    return [item for item in tree.body if isinstance(item, (ast.ClassDef, *Function))]


def blocks(function: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a function, outer ones first, not those of functions in it."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(function, field, None)
        if isinstance(block, list):
            yield block
            for statement in list(block):
                if not isinstance(statement, (*Function, ast.ClassDef)):
                    yield from blocks(statement)
    for handler in getattr(function, "handlers", ()):
        yield from blocks(handler)


def simple_store(statement: ast.stmt) -> str | None:
    """The name of `name = ...`."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else None
    return None


def stored(node: ast.AST) -> set[str]:
    """The names that a piece of a function binds, its arguments among them."""
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    names |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    return names | {
        one.name for one in ast.walk(node) if isinstance(one, (*Function, ast.ClassDef)) and one is not node
    }


def loaded(node: ast.AST) -> set[str]:
    """The names that it reads, also by `x += 1`."""
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    added = (one.target for one in ast.walk(node) if isinstance(one, ast.AugAssign))
    return names | {target.id for target in added if isinstance(target, ast.Name)}


def free_names(node: ast.AST) -> set[str]:
    """The names that an expression reads and does not bind itself."""
    return loaded(node) - stored(node)


def is_plain(node: ast.AST) -> bool:
    """True where nothing ties it to its place: no yield, no super(), no walrus."""
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    is_super = any(isinstance(called, ast.Name) and called.id in ("super", "locals") for called in calls)
    return not is_super and not any(isinstance(one, _TIED) for one in ast.walk(node))


def copied_from(old: ast.stmt, new: Statement) -> Statement:
    """`new` as made of `old`."""
    new.origins = origins(old)  # type: ignore[attr-defined]
    return ast.copy_location(new, old)


def made_of(new: Statement, *old: ast.stmt) -> Statement:
    """`new` as made of several statements."""
    new.origins = frozenset().union(*map(origins, old))  # type: ignore[attr-defined]
    return new


def origins(statement: ast.stmt) -> frozenset[int]:
    """The lines, in the first program, of the statements that this one was made of."""
    return getattr(statement, "origins", frozenset({statement.lineno}))


def statements_of(function: ast.AST) -> list[ast.stmt]:
    """The statements of a function, not those of functions in it."""
    return [statement for block in blocks(function) for statement in block]


def replaced(body: list[ast.stmt], values: dict[str, ast.expr]) -> list[ast.stmt]:
    """Statements with other expressions for names that they read."""
    return [_Put(values).visit(statement) for statement in body]


class _Put(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        is_read = isinstance(node.ctx, ast.Load) and node.id in self._values
        return copy.deepcopy(self._values[node.id]) if is_read else node


def helper(name: str, given: list[str], body: list[ast.stmt], like: ast.stmt) -> ast.FunctionDef:
    """A function with plain arguments."""
    arguments = ast.arguments([], [ast.arg(one) for one in given], None, [], [], None, [])
    return copied_from(like, ast.FunctionDef(name, arguments, body, [], None, None))


def call_of(name: str, given: list[str]) -> ast.Call:
    """`name(given, ...)`."""
    return ast.Call(ast.Name(name, ast.Load()), [ast.Name(one, ast.Load()) for one in given], [])


def return_of(like: ast.stmt, value: ast.expr) -> ast.Return:
    """`return value`."""
    return copied_from(like, ast.Return(value))


def tuple_of(names: list[str], context: ast.expr_context) -> ast.expr:
    """One name, or several as a tuple."""
    items: list[ast.expr] = [ast.Name(name, context) for name in names]
    return items[0] if len(items) == 1 else ast.Tuple(items, context)


def put_before(tree: ast.Module, made: dict[ast.stmt, list[ast.stmt]]) -> None:
    """Put statements before others at the top of a file."""
    tree.body = [one for item in tree.body for one in [*made.get(item, ()), item]]


def put_first(tree: ast.Module, statements: list[ast.stmt]) -> None:
    """Put statements behind the last import at the top of a file."""
    last = max(index for index, item in enumerate(tree.body) if isinstance(item, (ast.Import, ast.ImportFrom)))
    tree.body[last + 1 : last + 1] = [copied_from(tree.body[last], statement) for statement in statements]


def import_first(tree: ast.Module, name: str) -> None:
    """`import name` behind the last import at the top of a file."""
    put_first(tree, [ast.Import([ast.alias(name)])])
