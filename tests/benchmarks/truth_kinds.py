"""Why torchlint does not know what torch knows: the kinds of misses, told from the source at the place in question."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.benchmarks.truth_record import ClassTruth, Origin

_MAX_BASES = 64
_TORCH_PARAMETERS = ("torch/nn/utils/", "torch/nn/parametrizations")


# Classes


def kind_of_missed_class(truth: ClassTruth, is_known: bool, by_key: dict[str, ClassTruth], seen: set[str]) -> str:
    """Why a module is not seen as one. is_known: torchlint sees the class statement. seen: what it calls modules."""
    if not is_known:
        return "the class statement is not seen"
    culprit = _first_lost(truth, by_key, seen)
    if culprit.key != truth.key:
        return f"a base is missed: {_short(culprit)}"
    statement = _class_statement(culprit)
    if statement is None:
        return "the class statement is not found"
    ways = sorted({_way(base, culprit) for base in statement.bases}) or ["no base is written"]
    return f"its base is {' / '.join(ways)}"


def _short(truth: ClassTruth) -> str:
    return f"{Path(truth.path).name}::{truth.qualname}"


def _first_lost(truth: ClassTruth, by_key: dict[str, ClassTruth], seen: set[str]) -> ClassTruth:
    """The deepest base that is a module and not seen as one."""
    for _ in range(_MAX_BASES):
        below = [by_key[base] for base in truth.bases if base in by_key and by_key[base].is_module and base not in seen]
        if not below:
            return truth
        truth = below[0]
    return truth


def _class_statement(truth: ClassTruth) -> ast.ClassDef | None:
    for node in ast.walk(_tree(truth.path)):
        if isinstance(node, ast.ClassDef) and node.lineno == truth.line:
            return node
    return None


def _way(base: ast.expr, truth: ClassTruth) -> str:
    """How a base is written, and how its name comes into the file."""
    if isinstance(base, ast.Call):
        return "made by a call"
    if isinstance(base, ast.Subscript):
        return "subscripted"
    if isinstance(base, ast.Attribute):
        return f"an attribute of a name that is {_bound(_root(base), truth)}"
    return _bound(base.id, truth) if isinstance(base, ast.Name) else f"a {type(base).__name__}"


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _bound(name: str, truth: ClassTruth) -> str:
    ways = sorted(set(_bindings(name, _tree(truth.path))))
    return " and ".join(ways) or "not bound by name in its file"


def _bindings(name: str, tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if (alias.asname or alias.name.partition(".")[0]) == name:
                    yield "imported"
        elif isinstance(node, ast.ClassDef) and node.name == name:
            yield "a class of the file"
        elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            yield "assigned from a call" if isinstance(node.value, ast.Call) else "assigned"
        elif isinstance(node, ast.arg) and node.arg == name:
            yield "a parameter of a function"


# Names


def kind_of_missed_name(truth: ClassTruth, name: str, origin: Origin, folder: str) -> str:
    """Why a registered name is not known, told from the statement that registered it."""
    if not origin.path:
        return "not registered by a call: written into the dictionaries, or copied"
    if any(part in origin.path for part in _TORCH_PARAMETERS):
        return f"registered by torch's {Path(origin.path).stem}"
    if not origin.path.startswith(folder):
        return f"registered by a base outside the package ({Path(origin.path).stem})"
    statement = _statement(origin)
    where = "" if origin.path == truth.path else ", in another file"
    if statement is None:
        return f"the statement is not found{where}"
    holder = "" if _is_in_class(origin) else ", by a function outside any class"
    return f"{_written(statement, name)}{holder}{where}"


def _written(statement: ast.stmt, name: str) -> str:
    """How a statement registers a name."""
    for call in _calls(statement):
        method = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if method in ("register_buffer", "register_parameter", "setattr", "add_state"):
            return f"{method} with {_spelling(call)}"
    if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
        return f"an assignment of {_value(statement.value)}"
    return f"a {type(statement).__name__} statement"


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    return (node for node in ast.walk(statement) if isinstance(node, ast.Call))


def _spelling(call: ast.Call) -> str:
    position = 1 if isinstance(call.func, ast.Name) else 0
    given = next((one.value for one in call.keywords if one.arg == "name"), None)
    term = given or (call.args[position] if len(call.args) > position else None)
    if isinstance(term, ast.Constant):
        return "a written name"
    if isinstance(term, ast.JoinedStr):
        return "an f-string"
    return f"a name that is {'a variable' if isinstance(term, ast.Name) else f'a {type(term).__name__}'}"


def _value(value: ast.expr) -> str:
    if isinstance(value, ast.Call):
        callee = ast.unparse(value.func)
        return f"a call of {callee if len(callee) < 40 else '...'}"
    if isinstance(value, ast.IfExp):
        return f"{_value(value.body)} or {_value(value.orelse)}"
    if isinstance(value, ast.Name):
        return "a variable"
    return f"a {type(value).__name__}"


def _statement(origin: Origin) -> ast.stmt | None:
    """The innermost statement that covers the line."""
    covering = [
        node
        for node in ast.walk(_tree(origin.path))
        if isinstance(node, ast.stmt) and node.lineno <= origin.line <= (node.end_lineno or 0)
    ]
    return min(covering, key=lambda node: (node.end_lineno or 0) - node.lineno, default=None)


def _is_in_class(origin: Origin) -> bool:
    return any(
        isinstance(node, ast.ClassDef) and node.lineno <= origin.line <= (node.end_lineno or 0)
        for node in ast.walk(_tree(origin.path))
    )


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse(Path(path).read_bytes())
