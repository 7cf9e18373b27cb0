"""Which class of a file reads a name at its top, by the text of the file alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def reader_of(path: Path, symbol: str) -> str:
    """The class at the top of the file that reads `symbol`, itself or through functions and names of the file.

    symbol: a name at the top, or an attribute of a class there, which reads it itself unless it only holds values. A
    class that reads it outside of its constructor comes first. "" where there is none, or the file cannot be read.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ""
    name, _, rest = symbol.partition(".")
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    if rest and not any(one.name == name and not one.bases for one in classes):
        return symbol.rpartition(".")[0]
    readers = _readers(tree, name)
    for is_late in (True, False):
        for owner in classes:
            methods = [one for one in owner.body if isinstance(one, _Function) and _is_late(one) is is_late]
            if any(readers & _names_in(method) for method in methods):
                return owner.name
    return ""


def is_function(path: Path, name: str) -> bool:
    """True where the file has a function of this name at its top."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return False
    return any(isinstance(one, _Function) and one.name == name for one in tree.body)


def _readers(tree: ast.Module, name: str) -> set[str]:
    """The name itself, and the functions and names at the top of the file that read one of these."""
    reads = dict(_reads(tree))
    found = {name}
    while True:
        more = {one for one, read in reads.items() if one not in found and read & found}
        if not more:
            return found
        found |= more


def _reads(tree: ast.Module) -> Mapping[str, set[str]]:
    reads: dict[str, set[str]] = {}
    for statement in tree.body:
        if isinstance(statement, _Function):
            reads[statement.name] = _names_in(statement)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    reads[target.id] = {statement.value.id}
    return reads


def _is_late(method: _Function) -> bool:
    return method.name not in ("__init__", "__post_init__", "__new__")


def _names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
