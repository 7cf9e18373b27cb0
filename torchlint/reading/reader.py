"""Source text -> FileFacts: one walk over LibCST's statements, with ast's beside them for the places."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst
from libcst import CSTNode

from torchlint.model.events import Delete, ItemWrite, Region, RegionKind, Return
from torchlint.model.facts import ClassFacts, FileFacts, Function, Outline, fresh_key
from torchlint.model.terms import Attribute, Constant, Defined, Element, Imported, Operation, Place, Term, Unknown
from torchlint.reading.attempts import failed_test
from torchlint.reading.expressions import ExpressionReader, operator_of
from torchlint.reading.outline import outline_of, outline_of_facts
from torchlint.reading.pieces import WHOLE_BELOW_BYTES, pieces
from torchlint.reading.positions import Locator, positions_without_ast
from torchlint.reading.scope import Scope
from torchlint.source import SourceError, SourceFile


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
    facts = in_pieces or _FileReader(Locator(source), {}, source.path).read_file(_parsed(source), tree)
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
            with _unvalidated():
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
    excerpt: SourceFile, tree: ast.Module, numbers: Sequence[int], imports: Mapping[str, Term]
) -> FileFacts:
    """The facts of some top-level statements of a file.

    tree: the ast of `excerpt`. numbers: the line in the file of each of its lines. imports: what the file imports at
    its top level. Raises SourceError as read does.
    """
    reader = _FileReader(Locator(excerpt, numbers), {}, excerpt.path)
    reader.scope.variables.update(imports)
    return reader.read_file(_parsed(excerpt), tree)


def _parsed(source: SourceFile) -> cst.Module:
    try:
        with _unvalidated():
            return cst.parse_module(source.data)
    except cst.ParserSyntaxError as error:
        raise SourceError("invalid syntax", error.raw_line, error.raw_column + 1) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"byte 0x{error.object[error.start]:02x} is not valid {error.encoding}") from error


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


class _FileReader(ExpressionReader):
    """Reads statements; function bodies at the top level wait until every name of the module is known."""

    def __init__(self, locator: Locator, places: Mapping[cst.CSTNode, Place], path: str) -> None:
        super().__init__(locator, places)
        self._facts = FileFacts(path, Function("<module>", "<module>", (1, 1, 1, 1), path=path))
        self._waiting: list[Callable[[], object]] = []
        # The classes that functions make: they follow the others, wherever they stand.
        self._inner_classes: set[str] = set()
        self._star_imports: list[str] = []
        # The regions that were open at the end of the block that was read last.
        self._block_end: Region | None = None

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
        self._block(statements, trees)
        top.region, bound = self._block_end, top.variables
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
        facts.star_imports = tuple(self._star_imports)
        return facts

    # Blocks. Each statement method returns True where control never passes it.

    def _block(self, body: Sequence[cst.CSTNode], trees: Sequence[ast.stmt] | None) -> bool:
        statements = _flat(body)
        twins: Sequence[ast.stmt | None] = (
            trees if trees is not None and len(trees) == len(statements) else [None] * len(statements)
        )
        before = self.scope.region
        ended = False
        for statement, twin in zip(statements, twins, strict=True):
            method = _STATEMENTS.get(type(statement))
            if method is None:
                continue
            self.here = self.place_of(statement, twin)
            ended = method(self, statement, twin) or ended
        self._block_end = self.scope.region
        self.scope.region = before
        return ended

    def _suite(self, node: cst.BaseSuite, trees: Sequence[ast.stmt] | None) -> bool:
        return self._block(node.body, trees)

    # Simple statements

    def _expression(self, node: cst.Expr, tree: ast.Expr | None) -> bool:
        self.read(node.value, tree.value if tree else None)
        return False

    def _assign(self, node: cst.Assign, tree: ast.Assign | None) -> bool:
        value = self.read(node.value, tree.value if tree else None)
        for position, target in enumerate(node.targets):
            self.assign(target.target, tree.targets[position] if tree else None, value)
        return False

    def _annotated_assign(self, node: cst.AnnAssign, tree: ast.AnnAssign | None) -> bool:
        if node.value is not None:
            value = self.read(node.value, tree.value if tree else None)
            self.assign(node.target, tree.target if tree else None, value)
        return False

    def _augmented_assign(self, node: cst.AugAssign, tree: ast.AugAssign | None) -> bool:
        operator = operator_of(node.operator)
        value = self.read(node.value, tree.value if tree else None)
        old = self.read(node.target, tree.target if tree else None)
        new = Operation(self.here, f"{operator}=", (old, value))
        self.evaluated(new)
        self.assign(node.target, tree.target if tree else None, new, f"{operator}=")
        return False

    def _return(self, node: cst.Return, tree: ast.Return | None) -> bool:
        value = self.read(node.value, tree.value if tree else None) if node.value else Constant(self.here, None)
        self.scope.events.append(Return(self.scope.region, value, self.here))
        return True

    def _raise(self, node: cst.Raise, tree: ast.Raise | None) -> bool:
        if node.exc is not None:
            self.read(node.exc, tree.exc if tree else None)
        return True

    def _leave(self, node: cst.CSTNode, tree: ast.stmt | None) -> bool:
        return True

    def _assert(self, node: cst.Assert, tree: ast.Assert | None) -> bool:
        test = self.read(node.test, tree.test if tree else None)
        self.scope.push(RegionKind.GUARD, test, test.place)
        return False

    def _delete(self, node: cst.Del, tree: ast.Delete | None) -> bool:
        targets = [e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else [node.target]
        twins: Sequence[ast.expr | None] = (
            tree.targets if tree and len(tree.targets) == len(targets) else [None] * len(targets)
        )
        for target, twin in zip(targets, twins, strict=True):
            self._delete_one(target, twin)
        return False

    def _delete_one(self, target: cst.BaseExpression, twin: ast.expr | None) -> None:
        scope = self.scope
        if isinstance(target, cst.Name):
            scope.variables.pop(target.value, None)
        elif isinstance(target, cst.Attribute):
            base = self.read(target.value, twin.value if isinstance(twin, ast.Attribute) else None)
            scope.delete(base, target.attr.value)
            scope.events.append(Delete(scope.region, base, target.attr.value, self.here))
        elif isinstance(target, cst.Subscript):
            base = self.read(target.value, twin.value if isinstance(twin, ast.Subscript) else None)
            index = self.read_index(target.slice, twin.slice if isinstance(twin, ast.Subscript) else None, self.here)
            scope.events.append(ItemWrite(scope.region, base, index, Unknown(self.here), self.here, "del"))

    def _global(self, node: cst.Global, tree: ast.stmt | None) -> bool:
        self.scope.globals.update(item.name.value for item in node.names)
        return False

    # Imports

    def _import(self, node: cst.Import, tree: ast.stmt | None) -> bool:
        for alias in node.names:
            name = dotted(alias.name)
            if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
                self.scope.variables[alias.asname.name.value] = Imported(self.here, name)
            else:
                first = name.split(".")[0]
                self.scope.variables[first] = Imported(self.here, first)
        return False

    def _import_from(self, node: cst.ImportFrom, tree: ast.stmt | None) -> bool:
        origin = "." * len(node.relative) + (dotted(node.module) if node.module else "")
        if isinstance(node.names, cst.ImportStar):
            self._star_imports.append(origin)
            return False
        for alias in node.names:
            name = dotted(alias.name)
            known_as = alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else name
            self.scope.variables[known_as] = Imported(self.here, f"{origin}{'' if origin.endswith('.') else '.'}{name}")
        return False

    # Compound statements

    def _if(self, node: cst.If, tree: ast.If | None) -> bool:
        scope = self.scope
        test = self.read(node.test, tree.test if tree else None)
        start = scope.snapshot()
        before = scope.push(RegionKind.GUARD, test, test.place)
        inside = scope.region
        body_ends = self._suite(node.body, tree.body if tree else None)
        left = [] if body_ends else _early_returns(node.body, self._block_end, inside)
        after_body = scope.snapshot()
        scope.restore(start)
        scope.region = before
        scope.push(RegionKind.GUARD, test, test.place, holds=False)
        else_ends = self._orelse(node.orelse, tree.orelse if tree else None)
        scope.region = before
        if else_ends:
            scope.restore(after_body)
        elif not body_ends:
            scope.merge(after_body)
        # Where one branch leaves, what follows in this block runs under the other one.
        if body_ends is not else_ends:
            scope.push(RegionKind.GUARD, test, test.place, holds=else_ends)
        elif not else_ends:
            for region in left:
                both = Operation(test.place, "and", (test, region.subject))
                scope.push(RegionKind.GUARD, both, test.place, holds=False)
        return body_ends and else_ends

    def _orelse(self, node: cst.If | cst.Else | None, trees: Sequence[ast.stmt] | None) -> bool:
        if node is None:
            return False
        if isinstance(node, cst.Else):
            return self._suite(node.body, trees)
        twin = trees[0] if trees else None
        before = self.scope.region
        ended = self._if(node, twin if isinstance(twin, ast.If) else None)
        self.scope.region = before
        return ended

    def _for(self, node: cst.For, tree: ast.For | ast.AsyncFor | None) -> bool:
        iterable = self.read(node.iter, tree.iter if tree else None)
        start = self.scope.snapshot()
        before = self.scope.push(RegionKind.LOOP, iterable, self.here)
        changes = self.scope.enter_loop()
        self.assign(node.target, tree.target if tree else None, Element(iterable.place, iterable))
        self._suite(node.body, tree.body if tree else None)
        self.scope.region = before
        self.scope.leave_loop(start, changes)
        return self._suite(node.orelse.body, tree.orelse if tree else None) if node.orelse is not None else False

    def _while(self, node: cst.While, tree: ast.While | None) -> bool:
        test = self.read(node.test, tree.test if tree else None)
        start = self.scope.snapshot()
        before = self.scope.push(RegionKind.LOOP, test, self.here)
        changes = self.scope.enter_loop()
        self.scope.push(RegionKind.GUARD, test, test.place)
        self._suite(node.body, tree.body if tree else None)
        self.scope.region = before
        self.scope.leave_loop(start, changes)
        return self._suite(node.orelse.body, tree.orelse if tree else None) if node.orelse is not None else False

    def _with(self, node: cst.With, tree: ast.With | ast.AsyncWith | None) -> bool:
        before = self.scope.region
        for position, item in enumerate(node.items):
            twin = tree.items[position] if tree else None
            manager = self.read(item.item, twin.context_expr if twin else None)
            if item.asname is not None:
                target = twin.optional_vars if twin else None
                self.assign(item.asname.name, target, Operation(manager.place, "enter", (manager,)))
            self.scope.push(RegionKind.WITH, manager, manager.place)
        ended = self._suite(node.body, tree.body if tree else None)
        self.scope.region = before
        return ended

    def _try(self, node: cst.Try | cst.TryStar, tree: ast.Try | None) -> bool:
        scope = self.scope
        start, tried = scope.snapshot(), len(scope.events)
        ended = self._suite(node.body, tree.body if tree else None)
        attempted = scope.events[tried:]
        interrupted = scope.snapshot()
        if node.orelse is not None:
            ended = self._suite(node.orelse.body, tree.orelse if tree else None) or ended
        after, all_end = scope.snapshot(), ended
        handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = node.handlers
        for position, handler in enumerate(handlers):
            scope.restore(start)
            scope.merge(interrupted)
            test = failed_test(handler, attempted)
            before = scope.push(RegionKind.GUARD, test or Unknown(self.here), self.here, holds=test is None)
            handler_ends = self._suite(handler.body, tree.handlers[position].body if tree else None)
            scope.region = before
            if not handler_ends and all_end:
                after = scope.snapshot()
            elif not handler_ends:
                scope.merge(after)
                after = scope.snapshot()
            all_end = all_end and handler_ends
        scope.restore(after)
        if node.finalbody is not None:
            all_end = self._suite(node.finalbody.body, tree.finalbody if tree else None) or all_end
        return all_end

    def _match(self, node: cst.Match, tree: Any) -> bool:
        scope = self.scope
        self.read(node.subject, tree.subject if tree else None)
        start = scope.snapshot()
        ends = [start]
        before = scope.region
        for position, case in enumerate(node.cases):
            scope.restore(start)
            scope.push(RegionKind.GUARD, Unknown(self.here), self.here)
            self._bind_captures(tree.cases[position].pattern if tree else None)
            if not self._suite(case.body, tree.cases[position].body if tree else None):
                ends.append(scope.snapshot())
            scope.region = before
        scope.restore(ends[0])
        for end in ends[1:]:
            scope.merge(end)
        return False

    def _bind_captures(self, pattern: ast.AST | None) -> None:
        """The names that a pattern binds: parts of the subject that we do not follow."""
        for node in ast.walk(pattern) if pattern is not None else ():
            name = getattr(node, "name", None) or getattr(node, "rest", None)
            if isinstance(node, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)) and name is not None:
                self.scope.bind(name, Unknown(self.here))

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
        self._suite(node.body, tree.body if tree else None)
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
        statements = _flat(list(node.body.body))
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
        method = _STATEMENTS.get(type(statement))
        if method is not None:
            method(self, statement, twin)

    def _method(self, function: Function, node: cst.FunctionDef, tree: Any, outer: Scope) -> None:
        while outer.enclosing_class is not None and outer.outer is not None:
            outer = outer.outer
        self._body(function, node, tree, outer)


# How each kind of statement is read; True where control never passes it.
_STATEMENTS: dict[type[cst.CSTNode], Callable[[_FileReader, Any, Any], bool]] = {
    cst.Expr: _FileReader._expression,
    cst.Assign: _FileReader._assign,
    cst.AnnAssign: _FileReader._annotated_assign,
    cst.AugAssign: _FileReader._augmented_assign,
    cst.Return: _FileReader._return,
    cst.Raise: _FileReader._raise,
    cst.Continue: _FileReader._leave,
    cst.Break: _FileReader._leave,
    cst.Assert: _FileReader._assert,
    cst.Del: _FileReader._delete,
    cst.Global: _FileReader._global,
    cst.Import: _FileReader._import,
    cst.ImportFrom: _FileReader._import_from,
    cst.If: _FileReader._if,
    cst.For: _FileReader._for,
    cst.While: _FileReader._while,
    cst.With: _FileReader._with,
    cst.Try: _FileReader._try,
    cst.TryStar: _FileReader._try,
    cst.FunctionDef: _FileReader._function,
    cst.ClassDef: _FileReader._class,
    cst.Match: _FileReader._match,
}


def _header_place(place: Place, text: str) -> Place:
    """The place of "def name" or "class Name" at the head of a statement."""
    return place[0], place[1], place[0], place[1] + len(text)


def dotted(node: cst.BaseExpression) -> str:
    """The dotted name in an import statement."""
    return f"{dotted(node.value)}.{node.attr.value}" if isinstance(node, cst.Attribute) else getattr(node, "value", "")


def _flat(body: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    """The statements of a block; LibCST groups those that share a line."""
    flat: list[cst.CSTNode] = []
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            flat.extend(statement.body)
        else:
            flat.append(statement)
    return flat


def _early_returns(body: cst.BaseSuite, end: Region | None, start: Region | None) -> list[Region]:
    """The conditions under which a block that does not end by returning has returned all the same: what follows the
    block runs where they do not hold, or where the block was not entered."""
    if not any(isinstance(one, cst.If) and _returns(one.body) for one in body.body):
        return []
    found: list[Region] = []
    while end is not None and end is not start:
        if end.kind is RegionKind.GUARD and not end.holds:
            found.append(end)
        end = end.outer
    return found[::-1]


def _returns(body: cst.BaseSuite) -> bool:
    last = body.body[-1] if body.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, cst.Return)
