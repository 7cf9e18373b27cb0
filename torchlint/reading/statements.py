"""Questions about ast statements: what they bind, which blocks they hold, which of them belong together."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

TRIES: tuple[type[ast.AST], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))  # `except*` came with Python 3.11
_OLDEST_PYTHON = (3, 8)


def grouped(body: Sequence[ast.stmt]) -> list[list[ast.stmt]]:
    """The statements of a file, those together that define one name or share a line: they are read together."""
    group_of: dict[str, int] = {}
    groups: list[list[ast.stmt]] = []
    last_line = 0
    for statement in body:
        names = _defined(statement)
        joined = sorted({group_of[name] for name in names if name in group_of})
        if groups and statement.lineno == last_line:
            joined = sorted({*joined, len(groups) - 1})
        if joined:
            target = joined[0]
            for other in joined[1:]:
                groups[target] += groups[other]
                groups[other] = []
                group_of.update({name: target for name, group in group_of.items() if group == other})
            groups[target].append(statement)
        else:
            target = len(groups)
            groups.append([statement])
        group_of.update(dict.fromkeys(names, target))
        last_line = statement.end_lineno or statement.lineno
    return groups


def _defined(statement: ast.stmt) -> set[str]:
    """The names that a statement of the top level binds to something of this file."""
    found: set[str] = set()
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
            continue
        if not isinstance(node, ast.Import | ast.ImportFrom):
            found.update(targets_of(node))
        for block in blocks_of(node):
            waiting.extend(block)
    return found


def targets_of(node: ast.stmt) -> Iterator[str]:
    """The names that a statement itself assigns or deletes."""
    written: list[ast.expr | None] = [*getattr(node, "targets", ()), getattr(node, "target", None)]
    written += [item.optional_vars for item in getattr(node, "items", ())]
    while written:
        target = written.pop()
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, ast.Tuple | ast.List):
            written.extend(target.elts)
        elif isinstance(target, ast.Starred):
            written.append(target.value)


def blocks_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of statements in a compound statement, one for each branch: a try's else follows its body."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return
    if isinstance(node, TRIES):
        attempt: Any = node
        yield [*attempt.body, *attempt.orelse, *attempt.finalbody]
        yield from (handler.body for handler in attempt.handlers)
    elif isinstance(node, ast.Match):
        yield []
        yield from (case.body for case in node.cases)
    else:
        body = getattr(node, "body", None)
        if isinstance(body, list):
            yield body
            yield node.orelse if isinstance(node, ast.If | ast.For | ast.While) else []


def flattened(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a class body, with those in its branches and loops."""
    for statement in body:
        yield statement
        for block in blocks_of(statement):
            yield from flattened(block)


def method_key(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """A property and its setter share a name; the setter is what an assignment runs."""
    is_accessor = any(isinstance(d, ast.Attribute) and d.attr in ("setter", "deleter") for d in node.decorator_list)
    return f"{node.name}.setter" if is_accessor else node.name


def lines_of(node: ast.stmt) -> tuple[int, int]:
    """The first and the last line of a statement, with its decorators."""
    first = min((decorator.lineno for decorator in getattr(node, "decorator_list", ())), default=node.lineno)
    return min(first, node.lineno), node.end_lineno or node.lineno


def imports_in(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import binds, each with the dotted name that it stands for; ("*", origin) for a star."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (first, first)
        return
    origin = "." * node.level + (node.module or "")
    for alias in node.names:
        dot = "" if origin.endswith(".") else "."
        yield ("*", origin) if alias.name == "*" else (alias.asname or alias.name, f"{origin}{dot}{alias.name}")


def arm_taken(test: ast.expr) -> int | None:
    """Which arm of an `if` runs: 0 for the first, 1 for the other, None where that is not settled.

    Settled are TYPE_CHECKING (false when the program runs) and the versions of Python that nobody runs any more.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = arm_taken(test.operand)
        return None if inner is None else 1 - inner
    if getattr(test, "attr", getattr(test, "id", "")) == "TYPE_CHECKING":
        return 1
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _arm_by_version(test.left, test.ops[0], test.comparators[0])
    return None


def _arm_by_version(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> int | None:
    is_major = isinstance(left, ast.Subscript) and isinstance(left.slice, ast.Constant) and left.slice.value == 0
    versions: Any = left.value if isinstance(left, ast.Subscript) else left
    if getattr(versions, "attr", "") == "major":
        versions, is_major = versions.value, True
    elif isinstance(left, ast.Subscript) and not is_major:
        return None
    if getattr(versions, "attr", getattr(versions, "id", "")) != "version_info":
        return None
    try:
        bound = ast.literal_eval(right)
    except ValueError:
        return None
    limit = (bound,) if is_major and isinstance(bound, int) else bound
    if not isinstance(limit, tuple) or not all(isinstance(part, int) for part in limit) or limit > _OLDEST_PYTHON:
        return None
    if isinstance(operator, (ast.Lt, ast.LtE)):
        return 1 if limit < _OLDEST_PYTHON and not (isinstance(operator, ast.LtE) and limit == (3,)) else None
    return 0 if isinstance(operator, (ast.Gt, ast.GtE)) else None


def is_name(node: ast.expr, name: str) -> bool:
    """True for the bare name `name`."""
    return isinstance(node, ast.Name) and node.id == name
