"""What the source of a function says of settings, lists and switches among its arguments."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from .sources import function_tree

_NAMES = re.compile(r"^(\w+_)?(config|cfg|conf|args|hparams|settings|options|params)$")
_FROM_LISTS = frozenset(("Tensor", "tensor", "FloatTensor", "LongTensor", "array", "asarray", "as_tensor"))
_LIKELY: tuple[tuple[str, Any], ...] = (
    (r"device", "cpu"),
    (r"lr$|rate|decay|norm|clip|eps|momentum|weight", 1.0),
    (r"^(use|is|with|has|do|enable)_|fp16|bf16|amp|half|mixed", True),
)


class Settings(dict):  # type: ignore[type-arg]
    """A configuration whose entries are attributes as well."""

    def __getattr__(self, name: str) -> Any:
        """The entry of that name."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{name!r} is no setting that was made up") from None


def settings_in(function: Any) -> dict[str, dict[str, Any]]:
    """For each argument that is a configuration: its entries, with values on which the conditions hold."""
    found: dict[str, dict[str, Any]] = {}
    nodes = list(_all_nodes(function))
    for node in nodes:
        for owner, key in _reads(node):
            if _NAMES.search(owner):
                found.setdefault(owner, {}).setdefault(key, _likely(key))
    for node in nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            for owner, key in _reads(node.left):
                if owner in found and isinstance(node.comparators[0], ast.Constant):
                    found[owner][key] = node.comparators[0].value
    return found


def lists_in(function: Any) -> set[str]:
    """The names of which tensors or arrays are made: a list of numbers, or one that is like it."""
    return {
        argument.id
        for node in _nodes(function)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _FROM_LISTS
        for argument in node.args[:1]
        if isinstance(argument, ast.Name)
    }


def _nodes(function: Any) -> Iterator[ast.AST]:
    code = getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
    tree = function_tree(code) if code is not None else None
    return ast.walk(tree) if tree is not None else iter(())


def _all_nodes(function: Any) -> Iterator[ast.AST]:
    """All of the file: what a function hands on is read by another one."""
    code = getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
    with suppress(OSError, SyntaxError, UnicodeDecodeError):
        if code is not None:
            yield from ast.walk(ast.parse(Path(code.co_filename).read_text(encoding="utf-8")))


def _reads(node: ast.AST) -> Iterator[tuple[str, str]]:
    """An entry that is read: `config.precision`, `config["precision"]`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield node.value.id, node.attr
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        key = getattr(node.slice, "value", None)
        if isinstance(key, str):
            yield node.value.id, key


def _likely(key: str) -> Any:
    return next((value for pattern, value in _LIKELY if re.search(pattern, key)), 4)
