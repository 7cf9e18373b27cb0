"""What the source of a forward says of its arguments: how many dimensions they have, which keys are read from them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .sources import function_tree

_PATTERNED = ("rearrange", "repeat", "reduce", "einsum", "pack", "unpack", "parse_shape")
_SHAPE = re.compile(r"[\(\[]\s*((?:[\w*/+ .-]+,\s*)+[\w*/+ .-]*)[\)\]]")
_TENSOR_METHODS = frozenset("shape size dim ndim view reshape to float permute transpose device dtype".split())


@dataclass
class Hearsay:
    """By the names of arguments. ranks: numbers of dimensions. keys: what is read from a dict.

    is_tensor: those that are used as a tensor.
    """

    ranks: dict[str, list[int]] = field(default_factory=dict)
    keys: dict[str, list[str]] = field(default_factory=dict)
    is_tensor: set[str] = field(default_factory=set)

    def says_rank(self, name: str, rank: int) -> None:
        """Note a number of dimensions of an argument."""
        if rank not in self.ranks.setdefault(name, []):
            self.ranks[name].append(rank)

    def says_key(self, name: str, key: Any) -> None:
        """Note a key that is read from an argument."""
        if isinstance(key, str) and key not in self.keys.setdefault(name, []):
            self.keys[name].append(key)


def of_function(function: Any) -> Hearsay:
    """What the source of a function says; nothing where the source is not at hand."""
    said = Hearsay()
    code = getattr(inspect.unwrap(function), "__code__", None)
    tree = function_tree(code) if code is not None else None
    if code is None or tree is None:
        return said
    names = set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            _of_unpacking(node, names, said)
        elif isinstance(node, ast.Call):
            _of_call(node, names, said)
        elif isinstance(node, ast.Subscript):
            _of_subscript(node, names, said)
        elif isinstance(node, ast.Attribute) and node.attr in _TENSOR_METHODS and _is_in(node.value, names):
            said.is_tensor.add(ast.unparse(node.value))
        elif isinstance(node, ast.FunctionDef):
            _of_docstring(ast.get_docstring(node) or "", names, said)
    return said


def rank_in(annotation: Any) -> int | None:
    """The dimensions that an annotation such as Float[Tensor, "b n d"] names; None where it does not."""
    text = annotation if isinstance(annotation, str) else repr(annotation)
    found = re.search(r"""Tensor,\s*['"]([^'"]+)['"]\]""", text)
    return len(found[1].split()) if found and "..." not in found[1] and "*" not in found[1] else None


def _is_in(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _shape_owner(node: ast.expr) -> str:
    """The name whose shape an expression is: x.shape, x.size(); "" for another expression."""
    if isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Attribute):
        node = node.func
        return node.value.id if node.attr == "size" and isinstance(node.value, ast.Name) else ""
    is_shape = isinstance(node, ast.Attribute) and node.attr == "shape" and isinstance(node.value, ast.Name)
    return node.value.id if is_shape else ""  # type: ignore[attr-defined]


def _of_unpacking(node: ast.Assign, names: set[str], said: Hearsay) -> None:
    target, owner = node.targets[0], _shape_owner(node.value)
    if owner not in names or not isinstance(target, (ast.Tuple, ast.List)):
        return
    if not any(isinstance(one, ast.Starred) for one in target.elts):
        said.says_rank(owner, len(target.elts))


def _of_call(node: ast.Call, names: set[str], said: Hearsay) -> None:
    function = node.func
    called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if called in _PATTERNED and texts:
        for name, rank in _of_pattern(called, texts[0], node.args):
            if name in names:
                said.says_rank(name, rank)
    if isinstance(function, ast.Attribute) and _is_in(function.value, names):
        owner = ast.unparse(function.value)
        if called == "permute" and len(node.args) > 1:
            said.says_rank(owner, len(node.args))
        if called in ("get", "pop") and texts:
            said.says_key(owner, texts[0])


def _of_pattern(called: str, pattern: str, arguments: list[ast.expr]) -> Iterator[tuple[str, int]]:
    operands = [one.id for one in arguments if isinstance(one, ast.Name)]
    left = pattern.partition("->")[0]
    sides = left.split(",") if called == "einsum" else [left]
    for name, side in zip(operands, sides, strict=False):
        if "..." in side or "*" in side:
            continue
        letters = re.sub(r"\([^)]*\)", "a", side).split()
        yield name, len(side.strip()) if called == "einsum" and len(letters) == 1 else len(letters)


def _of_subscript(node: ast.Subscript, names: set[str], said: Hearsay) -> None:
    if _is_in(node.value, names):
        name = ast.unparse(node.value)
        if isinstance(node.slice, ast.Constant):
            said.says_key(name, node.slice.value)
        elif isinstance(node.slice, ast.Tuple) and not any(_adds(one) for one in node.slice.elts):
            said.is_tensor.add(name)
            if len(node.slice.elts) > 2:
                said.says_rank(name, len(node.slice.elts))
        return
    owner = _shape_owner(node.value)
    at = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if owner in names and type(at) is int and at > 1:
        said.says_rank(owner, at + 1)


def _adds(index: ast.expr) -> bool:
    """True for an index that is no dimension of what it is taken from: None, an ellipsis."""
    return isinstance(index, ast.Constant) and index.value in (None, Ellipsis)


def _of_docstring(text: str, names: set[str], said: Hearsay) -> None:
    for line in text.splitlines():
        name = line.split(":")[0].split("(")[0].strip(" -*`")
        found = _SHAPE.search(line)
        if name in names and found and not re.search(r"optional|Tensor\s*,|defaults?", found[1]):
            said.says_rank(name, len([one for one in found[1].split(",") if one.strip()]))
