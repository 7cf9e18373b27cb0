"""Names that a module offers without binding them by a statement of their own: `__all__`, and lazy answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from torchlint.model.terms import Imported, Term
from torchlint.reading.statements import blocks_of, flattened, imports_in, is_name

# Calls that let a package answer for names which no statement binds.
_LAZY_CALLS = frozenset(("_LazyModule", "LazyModule", "attach"))
_MAX_SUM = 60


class Exports:
    """`__all__` as far as it is written out.

    listed: its names, None while there is none, or where a part of it is not known. modules: the dotted names of the
    modules whose own `__all__` it takes over.
    """

    def __init__(self) -> None:
        self.listed: tuple[str, ...] | None = None
        self.modules: list[str] = []
        self._is_known = True

    def note(self, node: ast.stmt, names: Sequence[str], around: Mapping[str, Term]) -> None:
        """A statement of the top level, the names that it assigns, and what the names above it stand for."""
        value = getattr(node, "value", None)
        adds = isinstance(node, ast.AugAssign)
        if isinstance(node, ast.Expr) and isinstance(value, ast.Call) and value.args:
            # __all__.append(name), __all__.extend(names)
            adds, changed = True, value.func
            if not isinstance(changed, ast.Attribute) or not is_name(changed.value, "__all__"):
                return
            value = ast.List([value.args[0]]) if changed.attr == "append" else value.args[0]
        elif "__all__" not in names or value is None:
            return
        if not adds:
            self._is_known = True
        kept = self.listed or () if adds else ()
        listed = self._names_of(value, around, _MAX_SUM)
        self._is_known = self._is_known and listed is not None
        self.listed = (*kept, *(listed or ())) if self._is_known else None

    def _names_of(self, node: ast.expr, around: Mapping[str, Term], depth: int) -> tuple[str, ...] | None:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and depth:
            parts = [self._names_of(side, around, depth - 1) for side in (node.left, node.right)]
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            parts = [self._element(element, around, depth) for element in node.elts]
        else:
            parts = [self._taken_over(node, around)]
        names = [part for part in parts if part is not None]
        return tuple(name for part in names for name in part) if len(names) == len(parts) else None

    def _element(self, node: ast.expr, around: Mapping[str, Term], depth: int) -> tuple[str, ...] | None:
        if isinstance(node, ast.Starred) and depth:
            return self._names_of(node.value, around, depth - 1)
        return (node.value,) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

    def _taken_over(self, node: ast.expr, around: Mapping[str, Term]) -> tuple[str, ...] | None:
        """The names of `__all__` itself, or of another module's `__all__`, which is asked later."""
        if is_name(node, "__all__"):
            return self.listed
        if isinstance(node, ast.Attribute) and node.attr == "__all__" and isinstance(node.value, ast.Name):
            module = around.get(node.value.id)
            if isinstance(module, Imported):
                self.modules.append(module.name)
                return ()
        return None


class LazyAnswers:
    """The names that a package brings when it is asked for them.

    names: of each, the dotted name that it stands for; empty unless the package has a `__getattr__` or a lazy loader.
    """

    def __init__(self) -> None:
        self._tables: dict[str, str] = {}
        self._is_lazy = False

    @property
    def names(self) -> dict[str, str]:
        """The answers, by name."""
        return self._tables if self._is_lazy else {}

    def note_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """A function of the top level: `__getattr__` may import each name in a branch of its own."""
        if node.name != "__getattr__":
            return
        self._is_lazy = True
        for statement in flattened(node.body):
            if not isinstance(statement, ast.If):
                continue
            asked = _compared_with(statement.test)
            brought = {name: imported for inner in statement.body for name, imported in _imports(inner)}
            returned = statement.body[-1]
            if asked and isinstance(returned, ast.Return) and isinstance(returned.value, ast.Name):
                answer = brought.get(returned.value.id)
                if answer is not None:
                    self._tables.setdefault(asked, answer)

    def note_table(self, value: ast.expr) -> None:
        """A value of the top level: a table {".module": ["Name"]} or {"Name": ".module"}, or a call that fills one or
        sets a lazy loader up."""
        call = value if isinstance(value, ast.Call) else None
        if call is None:
            self._note_dict(value)
            return
        self._is_lazy = self._is_lazy or _last_name(call.func) in _LAZY_CALLS
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            self._note_dict(argument)
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if isinstance(owner, ast.Subscript) and isinstance(owner.slice, ast.Constant) and call.args:
            # _import_structure["models"].extend(["UNet"])
            self._tabulate(owner.slice.value, call.args[0])

    def _note_dict(self, node: ast.expr) -> None:
        if isinstance(node, ast.Dict):
            for key, held in zip(node.keys, node.values, strict=True):
                self._tabulate(getattr(key, "value", None), held)

    def _tabulate(self, key: object, held: ast.expr) -> None:
        if not isinstance(key, str):
            return
        if isinstance(held, ast.List | ast.Set):
            for name in _strings(held.elts):
                self._tables.setdefault(name, f".{key.lstrip('.')}.{name}")
            return
        # ("module", "name"), or the module alone
        parts = _strings(held.elts if isinstance(held, ast.Tuple) else [held])
        if parts:
            self._tables.setdefault(key, f".{parts[0].lstrip('.')}.{parts[1] if len(parts) > 1 else key}")


def module_imported_by_call(node: ast.expr) -> str | None:
    """The module of `importlib.import_module("package.module")`."""
    if not isinstance(node, ast.Call) or _last_name(node.func) != "import_module" or len(node.args) != 1:
        return None
    name = node.args[0]
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None


def _imports(node: ast.stmt) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from imports_in(node)
    for block in blocks_of(node):
        for inner in block:
            yield from _imports(inner)


def _compared_with(test: ast.expr) -> str | None:
    """The text of `name == "text"`."""
    right = test.comparators[0] if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq) else None
    return right.value if isinstance(right, ast.Constant) and isinstance(right.value, str) else None


def _strings(nodes: Sequence[ast.expr]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
