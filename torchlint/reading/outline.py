"""The outline of a file, from its ast alone: what its names are bound to, its class statements, and which lines hold
what. LibCST takes ten times as long, so of an imported file it parses only the definitions that are asked for."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Sequence

from torchlint.model.facts import ClassOutline, FileFacts, Outline, fresh_key
from torchlint.model.terms import (
    NOWHERE,
    Argument,
    Attribute,
    Call,
    Choice,
    Defined,
    Display,
    Global,
    Imported,
    Place,
    Subscript,
    Term,
    Unknown,
    Unread,
)
from torchlint.reading.exports import Exports, LazyAnswers, module_imported_by_call
from torchlint.reading.scope import choice
from torchlint.reading.statements import (
    TRIES,
    arm_taken,
    blocks_of,
    flattened,
    grouped,
    imports_in,
    is_name,
    lines_of,
    method_key,
    targets_of,
)
from torchlint.source import SourceFile

_DEPTH_LIMIT = 60
_DIGEST_BYTES = 16
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def outline_of(tree: ast.Module, source: SourceFile) -> Outline:
    """The outline of `source`, whose ast is `tree`."""
    outline = _Outliner(tree, source.path).outline()
    lines = source.lines
    outline.digests = tuple(_digest(line for a, b in group for line in lines[a - 1 : b]) for group in outline.groups)
    return outline


def outline_of_facts(facts: FileFacts, source: SourceFile) -> Outline:
    """The outline of a file that ast refuses, from its facts: syntax newer than the Python we run on."""
    classes = {
        qualname: ClassOutline(
            one.name, qualname, one.place, one.bases, tuple(one.methods), tuple(one.values), tuple(one.annotations),
            one.path, 0,
        )
        for qualname, one in facts.classes.items()
    }  # fmt: skip
    names: dict[str, Term] = {
        name: term if isinstance(term, (Imported, Global)) else Unread(NOWHERE, 0) for name, term in facts.names.items()
    }
    functions = dict.fromkeys(facts.functions, 0)
    whole = (((1, len(source.lines)),),)
    digests = (_digest(source.lines),)
    return Outline(facts.path, names, classes, functions, facts.star_imports, groups=whole, digests=digests)


def _digest(lines: Iterable[str]) -> bytes:
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=_DIGEST_BYTES).digest()


class _Outliner:
    """Walks the statements of a file and of its classes and functions, and no expression but those of imports, class
    headers and tables of names."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self._path = path
        self._groups = grouped(tree.body)
        self._group = 0
        self._names: dict[str, Term] = {}
        # The names of the functions and classes around the statement in hand, the innermost last.
        self._scopes: list[dict[str, Term]] = []
        self._classes: dict[str, ClassOutline] = {}
        self._functions: dict[str, int] = {}
        self._star_imports: list[str] = []
        self._typed_stars: list[str] = []
        self._bound_before: dict[str, int] = {}
        self._exports = Exports()
        self._answers = LazyAnswers()

    def outline(self) -> Outline:
        """Walk all statements."""
        for group, statements in enumerate(self._groups):
            self._group = group
            self._block(statements)
        stars = len(self._star_imports)
        return Outline(
            path=self._path,
            names=self._names,
            classes=self._classes,
            functions=self._functions,
            star_imports=tuple(self._star_imports),
            typed_stars=tuple(self._typed_stars),
            bound_before={name: count for name, count in self._bound_before.items() if count < stars},
            exported=self._exports.listed,
            exported_from=tuple(self._exports.modules),
            lazy=self._answers.names,
            groups=tuple(tuple(map(lines_of, statements)) for statements in self._groups),
        )

    # The top level

    def _block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node)
        elif isinstance(node, ast.ClassDef):
            self._bind(node.name, self._class(node, ""))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            key = fresh_key(node.name, self._functions)
            self._functions[key] = self._group
            self._bind(node.name, Defined(NOWHERE, key))
            self._answers.note_function(node)
            self._function(node, "", key)
        elif isinstance(node, (ast.If, ast.Match, *TRIES)):
            self._branches(node)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.With | ast.AsyncWith):
            self._bind_values(targets_of(node))
            for block in blocks_of(node):
                self._block(block)
        elif isinstance(node, ast.Delete):
            for name in targets_of(node):
                self._names.pop(name, None)
        else:
            self._assignment(node)

    def _branches(self, node: ast.stmt) -> None:
        """Each branch starts from the names before it; afterwards a name may be what any of them left."""
        before, stars = dict(self._names), self._star_imports
        chosen = arm_taken(node.test) if isinstance(node, ast.If) else None
        ends: list[dict[str, Term]] = []
        for arm, block in enumerate(blocks_of(node)):
            self._names = dict(before)
            self._star_imports = stars if chosen in (None, arm) else self._typed_stars
            self._block(block)
            ends.append(self._names)
        self._star_imports = stars
        if chosen is not None:
            # What only the other arm binds is kept: for type checkers it stands in for what is imported when needed.
            self._names = {**ends[1 - chosen], **ends[chosen]}
            return
        merged: dict[str, Term] = {}
        for end in ends:
            for name, term in end.items():
                other = merged.get(name)
                merged[name] = term if other is None or _is_same(other, term) else choice(other, term)
        self._names = merged or before

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for name, imported in imports_in(node):
            if name == "*":
                self._star_imports.append(imported)
            else:
                self._bind(name, Imported(NOWHERE, imported))

    def _assignment(self, node: ast.stmt) -> None:
        value = getattr(node, "value", None)
        names = list(targets_of(node))
        self._exports.note(node, names, self._names)
        self._bind_values(names)
        # `Base = nn.Module`: another name for the same thing, known without reading the line.
        if len(names) == 1 and isinstance(node, ast.Assign) and isinstance(value, ast.Name | ast.Attribute | ast.Call):
            module = module_imported_by_call(value)
            same = Imported(NOWHERE, module) if module is not None else self._term(value, _DEPTH_LIMIT)
            if isinstance(same, (Imported, Global)):
                self._names[names[0]] = same
        if value is not None:
            self._answers.note_table(value)

    def _bind(self, name: str, term: Term) -> None:
        self._names[name] = term
        self._bound_before[name] = len(self._star_imports)

    def _bind_values(self, names: Iterable[str]) -> None:
        for name in names:
            self._bind(name, Unread(NOWHERE, self._group))

    # Classes and functions

    def _class(self, node: ast.ClassDef, outside: str) -> Defined:
        key = fresh_key(f"{outside}.{node.name}".lstrip("."), self._classes)
        # Dictionaries keep the order of the source, so that equal files have equal outlines.
        methods: dict[str, None] = {}
        values: dict[str, None] = {}
        annotations: dict[str, None] = {}
        for statement in flattened(node.body):
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                methods[method_key(statement)] = None
            elif isinstance(statement, ast.ClassDef):
                values[statement.name] = None
            elif isinstance(statement, ast.Import | ast.ImportFrom):
                values.update((name, None) for name, _ in imports_in(statement))
            else:
                values.update(dict.fromkeys(targets_of(statement)))
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    annotations[statement.target.id] = None
        self._classes[key] = ClassOutline(
            name=node.name,
            qualname=key,
            place=_place(node),
            bases=tuple(self._term(base, _DEPTH_LIMIT) for base in node.bases if not isinstance(base, ast.Starred)),
            methods=tuple(methods),
            values=tuple(values),
            annotations=tuple(annotations),
            path=self._path,
            group=self._group,
        )
        self._inside_class(node.body, key)
        return Defined(NOWHERE, key)

    def _inside_class(self, body: Sequence[ast.stmt], key: str) -> None:
        """Look for nested classes. The names of a class body mean nothing inside its methods."""
        own: dict[str, Term] = {}
        methods: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self._scopes.append(own)
        for statement in flattened(body):
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                methods.append(statement)
            else:
                self._inner_statement(statement, key)
        self._scopes.pop()
        for method in methods:
            self._function(method, key, f"{key}.{method.name}")

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, outside: str, key: str) -> None:
        """Look for the classes that a function makes, knowing what its own names are."""
        if not _makes_class(node.body):
            return
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        own: dict[str, Term] = {
            parameter.arg: Argument(NOWHERE, index, parameter.arg) for index, parameter in enumerate(parameters)
        }
        self._scopes.append(own)
        for statement in flattened(node.body):
            self._inner_statement(statement, key)
        self._scopes.pop()

    def _inner_statement(self, node: ast.stmt, outside: str) -> None:
        """A statement of a function or class body."""
        own = self._scopes[-1]
        if isinstance(node, ast.ClassDef):
            own[node.name] = self._class(node, outside)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own[node.name] = Unknown(NOWHERE)
            self._function(node, outside, f"{outside}.{node.name}")
        elif isinstance(node, ast.Import | ast.ImportFrom):
            own.update((name, Imported(NOWHERE, imported)) for name, imported in imports_in(node))
        else:
            names = list(targets_of(node))
            value = getattr(node, "value", None)
            term: Term = Unknown(NOWHERE)
            if len(names) == 1 and isinstance(value, ast.Name | ast.Attribute):
                term = self._term(value, _DEPTH_LIMIT)
            own.update(dict.fromkeys(names, term))

    # Terms

    def _term(self, node: ast.expr, depth: int) -> Term:
        """The term of an expression that names something; other expressions are not followed."""
        if depth == 0:
            return Unknown(NOWHERE)
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, ast.Attribute):
            return _attribute(self._term(node.value, depth - 1), node.attr)
        if isinstance(node, ast.Subscript):
            return Subscript(NOWHERE, self._term(node.value, depth - 1), Unknown(NOWHERE))
        if isinstance(node, ast.Call):
            if is_name(node.func, "getattr"):
                return self._getattr(node, depth - 1)
            arguments = tuple(self._term(argument, depth - 1) for argument in node.args)
            return Call(NOWHERE, self._term(node.func, depth - 1), arguments, ())
        if isinstance(node, ast.IfExp):
            return choice(self._term(node.body, depth - 1), self._term(node.orelse, depth - 1))
        if isinstance(node, ast.BoolOp):
            # `FLAG and Fast or Slow`: the last of an "and", any of an "or".
            operands = node.values[-1:] if isinstance(node.op, ast.And) else node.values
            return choice(*(self._term(operand, depth - 1) for operand in operands))
        if isinstance(node, ast.Tuple):
            return Display(NOWHERE, "tuple", tuple(self._term(element, depth - 1) for element in node.elts))
        return Unknown(NOWHERE)

    def _named(self, name: str) -> Term:
        """What a name stands for on this line, as far as the lines above tell."""
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        known = self._names.get(name)
        is_settled = isinstance(known, (Imported, Defined)) or (
            isinstance(known, Choice) and all(isinstance(option, (Imported, Defined)) for option in known.options)
        )
        is_last = not self._scopes and self._bound_before.get(name) == len(self._star_imports)
        return known if known is not None and is_settled and is_last else Global(NOWHERE, name)

    def _getattr(self, node: ast.Call, depth: int) -> Term:
        """getattr(package, "Name", Default): either of them."""
        name = node.args[1] if len(node.args) > 1 else None
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            return Unknown(NOWHERE)
        found = _attribute(self._term(node.args[0], depth), name.value)
        return found if len(node.args) == 2 else choice(found, self._term(node.args[2], depth))


def _makes_class(body: Sequence[ast.AST]) -> bool:
    """True where a body, at any depth, holds a class statement; most functions hold none and need no second look."""
    waiting = [body]
    while waiting:
        for node in waiting.pop():
            if isinstance(node, ast.ClassDef):
                return True
            waiting += [block for name in _BLOCKS if isinstance(block := getattr(node, name, None), list)]
    return False


def _attribute(base: Term, name: str) -> Term:
    if isinstance(base, Imported):
        return Imported(NOWHERE, f"{base.name}.{name}")
    return Attribute(NOWHERE, base, name)


def _is_same(one: Term, other: Term) -> bool:
    """True for one binding seen in two branches, and for two imports of one thing."""
    return one is other or (isinstance(one, Imported) and isinstance(other, Imported) and one.name == other.name)


def _place(node: ast.ClassDef) -> Place:
    column = node.col_offset + 1
    return node.lineno, column, node.lineno, column + len(f"class {node.name}")
