"""Source text -> FileFacts: one walk over LibCST's statements, with ast's beside them for the places."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import libcst as cst
from libcst import CSTNode

from torchlint.model.facts import ClassFacts, FileFacts, Function, Outline, fresh_key
from torchlint.model.terms import Attribute, Defined, Imported, Place, Term
from torchlint.reading.blocks import BlockReader, flat
from torchlint.reading.outline import outline_of, outline_of_facts
from torchlint.reading.pieces import WHOLE_BELOW_BYTES, pieces
from torchlint.reading.positions import Locator, positions_without_ast
from torchlint.reading.scope import Scope
from torchlint.source import SourceError, SourceFile

_TABS = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)


def read(source: SourceFile, tree: ast.Module | None) -> FileFacts:
    """The facts of `source`. `tree`: its ast, or None where ast refuses the file.

    Raises SourceError where LibCST refuses the file too.
    """
    if tree is None:
        module, places = positions_without_ast(_parsed(source))
        facts = _FileReader(Locator(source), places, source.path).read_file(module, None)
        facts.outline = outline_of_facts(facts, source)
        return facts
    outline = outline_of(tree, source)
    in_pieces = _read_in_pieces(source, tree, outline) if len(source.data) > WHOLE_BELOW_BYTES else None
    facts = in_pieces or _FileReader(Locator(source), {}, source.path).read_file(_code_of(source), tree)
    facts.outline = outline
    return facts


def _read_in_pieces(source: SourceFile, tree: ast.Module, outline: Outline) -> FileFacts | None:
    """The same facts as those of the file as a whole; None where that is not sure.

    What a function sees of the file's names is settled at the end of the file; its outline says so before. Where it did
    not say what the last piece shows, the file has to be read again.
    """
    reader = _FileReader(Locator(source), {}, source.path)
    names: dict[str, Term] = {name: term for name, term in outline.names.items() if isinstance(term, Imported)}
    for text, twins in pieces(source, tree):
        try:
            with _unvalidated(), _without_blanks():
                statements = cst.parse_module(text).body
        except cst.ParserSyntaxError:
            return None
        reader.read_piece(statements, twins, names)
    facts = reader.finished()
    found = {name: term.name for name, term in facts.names.items() if isinstance(term, Imported)}
    is_sure = found == {name: getattr(term, "name", "") for name, term in names.items()}
    # The second class of a name is called so by the order of reading, and here bodies are read earlier.
    return facts if is_sure and not any("#" in qualname for qualname in facts.classes) else None


def read_excerpt(
    excerpt: SourceFile, tree: ast.Module, numbers: Sequence[int], imports: Mapping[str, Term], usual: dict[str, str]
) -> FileFacts:
    """The facts of some top-level statements of a file.

    tree: the ast of `excerpt`. numbers: the line in the file of each of its lines. imports: what the file imports at
    its top level. usual: what names stand for that its star imports bring. Raises SourceError as read does.
    """
    reader = _FileReader(Locator(excerpt, numbers), {}, excerpt.path)
    reader.scope.variables.update(imports)
    reader.scope.usual = usual
    return reader.read_file(_code_of(excerpt), tree)


def _parsed(source: SourceFile) -> cst.Module:
    try:
        with _unvalidated():
            return cst.parse_module(source.data)
    except cst.ParserSyntaxError as error:
        raise SourceError("invalid syntax", error.raw_line, error.raw_column + 1) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"byte 0x{error.object[error.start]:02x} is not valid {error.encoding}") from error


def _code_of(source: SourceFile) -> cst.Module:
    """The tree, without its blanks, of a file that Python can read.

    LibCST (1.9) measures tabs behind spaces in an indentation otherwise than Python, which goes on to the next multiple
    of eight columns: written out as spaces they mean the same to both. Places come from ast, so they stay.
    """
    with _without_blanks():
        try:
            return _parsed(source)
        except SourceError:
            spaced = _TABS.sub(lambda indentation: indentation[0].expandtabs(8), source.text)
            with suppress(cst.ParserSyntaxError), _unvalidated():
                return cst.parse_module(spaced)
            raise


@contextmanager
def _unvalidated() -> Iterator[None]:
    """Nodes are made without LibCST's check of each: those of its own parser are valid, and the checks, which are meant
    for trees made by hand, are a quarter of the parse."""
    checked = CSTNode.__post_init__
    CSTNode.__post_init__ = _unchecked  # type: ignore[method-assign]
    try:
        yield
    finally:
        CSTNode.__post_init__ = checked  # type: ignore[method-assign]


def _unchecked(self: CSTNode) -> None:
    pass


# What LibCST makes of spaces, ends of lines, comments and punctuation, but for the comma of x[0,]: most of all nodes.
_BLANKS = {
    name: getattr(cst, name)
    for name in """
    SimpleWhitespace ParenthesizedWhitespace TrailingWhitespace EmptyLine Newline Comment
    Semicolon Dot AssignEqual Colon LeftParen RightParen LeftSquareBracket RightSquareBracket LeftCurlyBrace
    RightCurlyBrace
    """.split()
}


@contextmanager
def _without_blanks() -> Iterator[None]:
    """The parser takes the class of each node that it makes from the module `libcst`. In the place of blanks and
    punctuation it gets None: neither is read, and a part of the parse is spared."""
    vars(cst).update(dict.fromkeys(_BLANKS, _nothing))
    try:
        yield
    finally:
        vars(cst).update(_BLANKS)


def _nothing(**_: object) -> None:
    """A node that is not made."""


class _FileReader(BlockReader):
    """Reads definitions; function bodies at the top level wait until every name of the module is known."""

    def __init__(self, locator: Locator, places: Mapping[cst.CSTNode, Place], path: str) -> None:
        super().__init__(locator, places)
        self._facts = FileFacts(path, Function("<module>", "<module>", (1, 1, 1, 1), path=path))
        self._waiting: list[Callable[[], object]] = []
        # The classes that functions make: they follow the others, wherever they stand.
        self._inner_classes: set[str] = set()

    def read_file(self, module: cst.Module, tree: ast.Module | None) -> FileFacts:
        """Read the whole file."""
        self.read_piece(module.body, tree.body if tree else None)
        return self.finished()

    def read_piece(
        self,
        statements: Sequence[cst.CSTNode],
        trees: Sequence[ast.stmt] | None,
        names: dict[str, Term] | None = None,
    ) -> None:
        """Read statements of the top level, and then the functions in them.

        names: what the functions see of the file's names; None for what the names are after `statements`.
        """
        top = self.scope
        self.block(statements, trees)
        top.region, bound = self.block_end, top.variables
        top.variables = bound if names is None else names
        top_classes = tuple(self._facts.classes)
        for body in self._waiting:
            body()
        # The bodies hold the tree and this reader: without them both are freed at once, with no collector.
        self._waiting = []
        top.variables = bound
        self._inner_classes |= self._facts.classes.keys() - top_classes

    def finished(self) -> FileFacts:
        """The facts of what was read."""
        top, facts = self.scope, self._facts
        facts.classes = dict(sorted(facts.classes.items(), key=lambda item: item[0] in self._inner_classes))
        facts.top.events, facts.top.nested = tuple(top.events), tuple(top.nested)
        facts.names = top.variables
        facts.star_imports = tuple(self.star_imports)
        return facts

    # Functions and classes

    def _function(self, node: cst.FunctionDef, tree: ast.FunctionDef | ast.AsyncFunctionDef | None) -> bool:
        scope, place = self.scope, self.here
        function = self._header(node, tree, place)
        name = node.name.value
        if scope.is_top:
            function.qualname = fresh_key(name, self._facts.functions)
            scope.variables[name] = Defined(place, function.qualname)
            self._facts.functions[function.qualname] = function
            self._waiting.append(lambda: self._body(function, node, tree, scope))
            return False
        inner = self._body(function, node, tree, scope)
        scope.variables[name] = self.closure(function, inner, place)
        return False

    def _header(
        self, node: cst.FunctionDef, tree: ast.FunctionDef | ast.AsyncFunctionDef | None, place: Place
    ) -> Function:
        decorators = tuple(
            self.read(decorator.decorator, tree.decorator_list[position] if tree else None)
            for position, decorator in enumerate(node.decorators)
        )
        parameters = self.read_parameters(node.params, tree.args if tree else None)
        returns = self.read(node.returns.annotation, tree.returns if tree else None) if node.returns else None
        qualname = f"{self.scope.qualname}.{node.name.value}".lstrip(".")
        header = _header_place(place, ("async def " if node.asynchronous else "def ") + node.name.value)
        return Function(node.name.value, qualname, header, parameters, decorators, returns, path=self._facts.path)

    def _body(
        self,
        function: Function,
        node: cst.FunctionDef,
        tree: ast.FunctionDef | ast.AsyncFunctionDef | None,
        outer: Scope,
    ) -> Scope:
        before, here = self.scope, self.here
        scope = self.scope = Scope(outer, function.qualname)
        self.here = function.place
        self.bind_parameters(function.parameters, function.place)
        self.suite(node.body, tree.body if tree else None)
        function.events, function.nested = tuple(scope.events), tuple(scope.nested)
        self.scope, self.here = before, here
        return scope

    def _class(self, node: cst.ClassDef, tree: ast.ClassDef | None) -> bool:
        outer, place = self.scope, self.here
        bases = tuple(
            self.read(base.value, tree.bases[position] if tree and position < len(tree.bases) else None)
            for position, base in enumerate(node.bases)
            if not base.star
        )
        decorators = tuple(
            self.read(decorator.decorator, tree.decorator_list[position] if tree else None)
            for position, decorator in enumerate(node.decorators)
        )
        qualname = fresh_key(f"{outer.qualname}.{node.name.value}".lstrip("."), self._facts.classes)
        header = _header_place(place, f"class {node.name.value}")
        facts = ClassFacts(node.name.value, qualname, header, bases, decorators, {}, {}, {}, self._facts.path)
        self._facts.classes[qualname] = facts
        outer.variables[node.name.value] = Defined(place, qualname)
        self._class_body(facts, node, tree, outer)
        return False

    def _class_body(self, facts: ClassFacts, node: cst.ClassDef, tree: ast.ClassDef | None, outer: Scope) -> None:
        """Read the class's own statements now, and its methods when the names around it are known."""
        statements = flat(list(node.body.body))
        twins: Sequence[ast.stmt | None] = tree.body if tree else [None] * len(statements)
        scope = Scope(outer, facts.qualname)
        scope.enclosing_class = facts.qualname
        scope.nested = outer.nested
        for statement, twin in zip(statements, twins, strict=True):
            self.scope, self.here = scope, self.place_of(statement, twin)
            self._class_statement(facts, statement, twin, outer)
        self.scope = outer
        facts.values.update(scope.variables)
        outer.events.extend(scope.events)

    def _class_statement(self, facts: ClassFacts, statement: cst.CSTNode, twin: Any, outer: Scope) -> None:
        if isinstance(statement, cst.FunctionDef):
            function = self._header(statement, twin, self.here)
            function.owner = facts.qualname
            # A property and its setter share a name; the setter is what an assignment runs.
            is_accessor = any(isinstance(d, Attribute) and d.name in ("setter", "deleter") for d in function.decorators)
            key = f"{function.name}.setter" if is_accessor else function.name
            facts.methods[key] = function
            self.scope.variables.pop(function.name, None)
            if outer.is_top or outer.enclosing_class is not None:
                self._waiting.append(lambda: self._method(function, statement, twin, outer))
            else:
                self._method(function, statement, twin, outer)
            return
        if isinstance(statement, cst.AnnAssign) and isinstance(statement.target, cst.Name):
            annotation = statement.annotation.annotation
            facts.annotations[statement.target.value] = self.read(annotation, twin.annotation if twin else None)
        method = self.statements.get(type(statement))
        if method is not None:
            method(self, statement, twin)

    def _method(self, function: Function, node: cst.FunctionDef, tree: Any, outer: Scope) -> None:
        while outer.enclosing_class is not None and outer.outer is not None:
            outer = outer.outer
        self._body(function, node, tree, outer)


_FileReader.statements = {
    **BlockReader.statements,
    cst.FunctionDef: _FileReader._function,
    cst.ClassDef: _FileReader._class,
}


def _header_place(place: Place, text: str) -> Place:
    """The place of "def name" or "class Name" at the head of a statement."""
    return place[0], place[1], place[0], place[1] + len(text)
