"""The ground that mutations stand on: a program as a tree, pieces of it exchanged, and what one asks of classes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.ClassDef | Function
# A node of the program, and what stands there in the mutant: nothing, a node, or several statements.
Swap = Mapping[ast.AST, "ast.AST | list[ast.stmt] | None"]

_METADATA = {
    "shape",
    "dtype",
    "device",
    "item",
    "tolist",
    "numel",
    "size",
    "dim",
    "ndim",
    "data_ptr",
    "is_floating_point",
}


@dataclass(frozen=True)
class Mutation:
    """One way to break a definition. swaps: each of its places there. anywhere: it suits the examples of all pages."""

    code: str
    name: str
    swaps: Callable[[Definition], Iterator[Swap]]
    anywhere: bool = False


def mutant(tree: ast.Module, swap: Swap) -> str:
    """The program with `swap` done. The tree stays as it is."""
    return ast.unparse(ast.fix_missing_locations(_swapped(tree, swap)))


def _swapped(node: ast.AST, swap: Swap) -> ast.AST:
    fields: dict[str, object] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            items = list(_swapped_items(value, swap))
            fields[name] = items or ([ast.Pass()] if name == "body" and value else [])
        elif isinstance(value, ast.AST):
            fields[name] = swap[value] if value in swap else _swapped(value, swap)
        else:
            fields[name] = value
    return type(node)(**fields)


def _swapped_items(items: list[object], swap: Swap) -> Iterator[object]:
    for item in items:
        if not isinstance(item, ast.AST):
            yield item
        elif item not in swap:
            yield _swapped(item, swap)
        else:
            new = swap[item]
            yield from new if isinstance(new, list) else () if new is None else (new,)


def statements(text: str) -> list[ast.stmt]:
    """What `text` says."""
    return ast.parse(text).body


def expression(text: str) -> ast.expr:
    """The expression that `text` is."""
    return ast.parse(text, mode="eval").body


def text_of(node: ast.AST) -> str:
    """The source of a node."""
    return ast.unparse(node)


def classes(definition: Definition) -> Iterator[ast.ClassDef]:
    """The classes of a definition that register something or call the constructor of their base: Modules as written."""
    for node in ast.walk(definition):
        if isinstance(node, ast.ClassDef) and node.bases and method(node, "__init__"):
            yield node


def methods(owner: ast.ClassDef) -> list[Function]:
    """The methods that a class defines itself."""
    return [item for item in owner.body if isinstance(item, Function)]


def method(owner: ast.ClassDef, name: str) -> Function | None:
    """The method of that name that a class defines itself."""
    return next((item for item in methods(owner) if item.name == name), None)


def constructors(definition: Definition) -> Iterator[tuple[ast.ClassDef, Function]]:
    """Each class with its `__init__`."""
    for owner in classes(definition):
        constructor = method(owner, "__init__")
        if constructor:
            yield owner, constructor


@dataclass(frozen=True)
class Buffer:
    """`self.register_buffer("name", value)` as a statement of a constructor. owner: its class."""

    owner: ast.ClassDef
    statement: ast.Expr
    call: ast.Call
    name: str
    value: str


def buffers(definition: Definition) -> Iterator[Buffer]:
    """The buffers that constructors register with a value, at the top of their body."""
    for owner, constructor in constructors(definition):
        for statement in constructor.body:
            found = re.fullmatch(r"self\.register_buffer\('(\w+)', .*", text_of(statement), re.DOTALL)
            if found and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                arguments = statement.value.args
                if len(arguments) > 1 and text_of(arguments[1]) != "None":
                    yield Buffer(owner, statement, statement.value, found[1], text_of(arguments[1]))


def computes_with(owner: ast.ClassDef, name: str) -> bool:
    """Whether a method that construction does not reach reads self.<name>, and not its shape or dtype alone."""
    construction = _reached(owner, "__init__")
    return any(
        _reads(item, name) for item in methods(owner) if item.name not in construction and item.name != "extra_repr"
    )


def _reads(function: Function, name: str) -> bool:
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and text_of(node) == f"self.{name}" and isinstance(node.ctx, ast.Load):
            parent = parents[node]
            # Whether it is true can be asked of a tensor anywhere.
            is_not = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
            is_asked = is_not or (isinstance(parent, (ast.If, ast.IfExp)) and parent.test is node)
            if not is_asked and not (isinstance(parent, ast.Attribute) and _leaves_values(parent.attr)):
                return True
    return False


def _leaves_values(attribute: str) -> bool:
    """True for what asks a tensor for its form, and for what writes it."""
    return attribute in _METADATA or (attribute.endswith("_") and not attribute.startswith("_"))


def _reached(owner: ast.ClassDef, name: str) -> set[str]:
    reached, waiting = set[str](), [name]
    while waiting:
        found = method(owner, waiting.pop())
        if found and found.name not in reached:
            reached.add(found.name)
            waiting += re.findall(r"self\.(\w+)\(", text_of(found))
    return reached


def stores(function: ast.AST) -> Iterator[ast.Assign]:
    """The assignments to one attribute of self in a function or a part of one."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and text_of(node.targets[0]).startswith("self."):
            yield node


def calls(definition: ast.AST, pattern: str) -> Iterator[ast.Call]:
    """The calls whose function reads as the regular expression `pattern`."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Call) and re.fullmatch(pattern, text_of(node.func), re.DOTALL):
            yield node
