"""Changes to a program that keep what it does: no rule may say anything else afterwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

DEAD_CODE = ("", "unused_by_all = 0")
BASES_FILE = "moved_bases.py"
SUFFIX = "_renamed"


@dataclass(frozen=True)
class Changed:
    """A program after a change. line_of: where each line of the old text stands in the new one, both 1-based."""

    text: str
    line_of: dict[int, int]


def add_dead_code(text: str) -> Changed:
    """An empty line and an unused assignment before each statement of each function, but for its docstring."""
    before = {_first_line(statement): statement.col_offset for statement in _statements_in_functions(ast.parse(text))}
    lines: list[str] = []
    line_of = {}
    for number, line in enumerate(text.splitlines(), 1):
        if number in before:
            lines += [" " * before[number] + added if added else "" for added in DEAD_CODE]
        lines.append(line)
        line_of[number] = len(lines)
    return Changed(_joined(lines), line_of)


def rename_locals(text: str) -> Changed:
    """Another name for each local variable. Parameters keep theirs: callers may use them as keywords."""
    lines = text.splitlines()
    names = [name for function in _outermost_functions(ast.parse(text)) for name in _renamable(function)]
    inserted = [(name.lineno, name.col_offset + len(name.id), SUFFIX) for name in names]
    return Changed(_joined(_inserted(lines, inserted)), {number: number for number in range(1, len(lines) + 1)})


def reverse_methods(text: str) -> Changed:
    """The methods of each class from last to first."""
    order = list(range(1, len(text.splitlines()) + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            _reverse_blocks(order, [_block(item) for item in node.body if _can_be_moved(item)])
    lines = text.splitlines()
    return Changed(_joined([lines[old - 1] for old in order]), {old: new for new, old in enumerate(order, 1)})


def nest_in_if(text: str) -> Changed:
    """All but the docstring and the `from __future__` lines inside `if True:`."""
    lines = text.splitlines()
    starts = [_first_line(item) for item in ast.parse(text).body if not _must_stay_on_top(item)]
    start = min(starts, default=len(lines) + 1)
    nested = [f"    {line}" if line else "" for line in lines[start - 1 :]]
    line_of = {number: number + (number >= start) for number in range(1, len(lines) + 1)}
    return Changed(_joined([*lines[: start - 1], *(["if True:"] if nested else []), *nested]), line_of)


def alias_imports(text: str) -> Changed:
    """Another name for torch and for all that is imported from it."""
    lines = text.splitlines()
    tree = ast.parse(text)
    names = {alias.name: alias for alias in _torch_imports(tree)}
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in names]
    inserted = [(node.lineno, node.col_offset + len(node.id), SUFFIX) for node in uses]
    for name, alias in names.items():
        inserted.append((alias.lineno, alias.col_offset + len(name), f" as {name}{SUFFIX}"))
    return Changed(_joined(_inserted(lines, inserted)), {number: number for number in range(1, len(lines) + 1)})


@dataclass(frozen=True)
class Divided:
    """A program after a part of it went to BASES_FILE. moved: the lines that stand there, under their old numbers."""

    text: str
    bases: str
    moved: frozenset[int]


def move_bases(text: str) -> Divided | None:
    """The base classes of a file in a file of their own, with what they use; None where there is none to be moved."""
    tree = ast.parse(text)
    bound = _bound_once(tree)
    items = [item for base in _inner_bases(tree) for item in _needed(base, bound) or ()]
    if not items:
        return None
    moved = frozenset(line for item in items for line in range(_first_line(item), (item.end_lineno or 0) + 1))
    imports = {
        line for item in tree.body if _is_import(item) for line in range(item.lineno, (item.end_lineno or 0) + 1)
    }
    lines = text.splitlines()
    left = [line if number not in moved else "" for number, line in enumerate(lines, 1)]
    names = sorted({name for name, item in bound.items() if item in items})
    left[min(moved) - 1] = f"from {BASES_FILE.removesuffix('.py')} import {', '.join(names)}"
    there = [line if number in moved | imports else "" for number, line in enumerate(lines, 1)]
    return Divided(_joined(left), _joined(there), moved)


CHANGES: tuple[Callable[[str], Changed], ...] = (
    add_dead_code,
    rename_locals,
    reverse_methods,
    nest_in_if,
    alias_imports,
)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def _inserted(lines: list[str], pieces: list[tuple[int, int, str]]) -> list[str]:
    """The lines with each piece (line from 1, column from 0, text) put in."""
    lines = list(lines)
    # From right to left, so that a piece moves no position that is still to come.
    for line, column, piece in sorted(pieces, reverse=True):
        lines[line - 1] = lines[line - 1][:column] + piece + lines[line - 1][column:]
    return lines


def _torch_imports(tree: ast.Module) -> Iterator[ast.alias]:
    """The parts of `import torch` and `from torch import nn` at the top of a file that have no other name yet."""
    for statement in tree.body:
        if isinstance(statement, ast.Import) or (isinstance(statement, ast.ImportFrom) and statement.module == "torch"):
            yield from (
                alias
                for alias in statement.names
                if alias.asname is None and (alias.name == "torch" or isinstance(statement, ast.ImportFrom))
            )


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Import, ast.ImportFrom))


def _bound_once(tree: ast.Module) -> dict[str, ast.stmt | None]:
    """What binds each name at the top of a file; None where it cannot move. Imports are left out: they are carried."""
    bound: dict[str, list[ast.stmt]] = {}
    for item in tree.body:
        for name in _names_of(item):
            bound.setdefault(name, []).append(item)
    rebound = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    kinds = (ast.ClassDef, ast.FunctionDef, ast.Assign, ast.AnnAssign)
    return {
        name: items[0] if len(items) == 1 and name not in rebound and isinstance(items[0], kinds) else None
        for name, items in bound.items()
        if not all(map(_is_import, items))
    }


def _names_of(item: ast.stmt) -> set[str]:
    if isinstance(item, (ast.ClassDef, ast.FunctionDef)):
        return {item.name}
    return {node.id for node in ast.walk(item) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _inner_bases(tree: ast.Module) -> list[ast.ClassDef]:
    """The classes at the top of a file that others there derive from."""
    tops = [item for item in tree.body if isinstance(item, ast.ClassDef)]
    names = {base.id for item in tops for base in item.bases if isinstance(base, ast.Name)}
    return [item for item in tops if item.name in names]


def _needed(base: ast.stmt, bound: dict[str, ast.stmt | None]) -> set[ast.stmt] | None:
    """A class and what it uses of its file; None where a part of it cannot be moved."""
    needed, waiting = {base}, [base]
    while waiting:
        for node in ast.walk(waiting.pop()):
            item = bound.get(node.id, base) if isinstance(node, ast.Name) else base
            if item is None:
                return None
            if item not in needed:
                needed.add(item)
                waiting.append(item)
    return needed


def _must_stay_on_top(statement: ast.stmt) -> bool:
    is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_docstring or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


def _statements_in_functions(tree: ast.Module) -> Iterator[ast.stmt]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                for block in (getattr(node, field, None) for field in ("body", "orelse", "finalbody")):
                    yield from _own_lines(block) if isinstance(block, list) else ()


def _own_lines(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that begin a line of their own: no docstring, no `elif`, nothing behind a colon."""
    for statement in block:
        is_elif = isinstance(statement, ast.If) and len(block) == 1
        if not (_must_stay_on_top(statement) or is_elif):
            yield statement


def _outermost_functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child
        else:
            yield from _outermost_functions(child)


def _renamable(function: ast.FunctionDef) -> list[ast.Name]:
    """The uses of the variables of a function that are nothing else in it: no parameter, no part of an f-string."""
    nodes = list(ast.walk(function))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    kept = {node.arg for node in nodes if isinstance(node, ast.arg)}
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            kept.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            kept.update(node.names)
        elif isinstance(node, ast.JoinedStr):
            kept.update(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
    return [name for name in names if name.id in stored - kept]


def _can_be_moved(item: ast.stmt) -> bool:
    """A method, but not one half of a property: its setter must follow."""
    if not isinstance(item, ast.FunctionDef):
        return False
    return not any(re.search(r"property|setter", ast.unparse(decorator)) for decorator in item.decorator_list)


def _block(item: ast.stmt) -> tuple[int, int]:
    assert item.end_lineno is not None
    return _first_line(item), item.end_lineno


def _reverse_blocks(order: list[int], blocks: list[tuple[int, int]]) -> None:
    """Put the blocks of lines, which are whole and apart, into each other's places; what lies between them stays."""
    if not blocks:
        return
    first, last = order.index(blocks[0][0]), order.index(blocks[-1][1])
    pieces = [list(range(start, end + 1)) for start, end in reversed(blocks)]
    gaps = [list(range(end + 1, following)) for (_, end), (following, _) in pairwise(blocks)]
    order[first : last + 1] = [line for piece, gap in zip(pieces, [*gaps, []], strict=True) for line in [*piece, *gap]]
