"""Reads blocks of statements: what each binds, writes and returns, and under which conditions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import libcst as cst

from torchlint.model.events import Delete, ItemWrite, Region, RegionKind, Return
from torchlint.model.terms import Constant, Element, Imported, Operation, Place, Unknown
from torchlint.reading.attempts import failed_test
from torchlint.reading.expressions import ExpressionReader
from torchlint.reading.operators import operator_of
from torchlint.reading.positions import Locator
from torchlint.reading.scope import usual_names


class BlockReader(ExpressionReader):
    """Reads all statements but definitions, which `statements` of a subclass names.

    Each method for a statement returns True where control never passes it. star_imports: the modules of `from x import
    *`. block_end: the regions that were open at the end of the block that was read last.
    """

    statements: ClassVar[dict[type[cst.CSTNode], Callable[[Any, Any, Any], bool]]]

    def __init__(self, locator: Locator, places: Mapping[cst.CSTNode, Place]) -> None:
        super().__init__(locator, places)
        self.star_imports: list[str] = []
        self.block_end: Region | None = None

    def block(self, body: Sequence[cst.CSTNode], trees: Sequence[ast.stmt] | None) -> bool:
        statements = flat(body)
        twins: Sequence[ast.stmt | None] = (
            trees if trees is not None and len(trees) == len(statements) else [None] * len(statements)
        )
        before = self.scope.region
        ended = False
        for statement, twin in zip(statements, twins, strict=True):
            method = self.statements.get(type(statement))
            if method is None:
                continue
            self.here = self.place_of(statement, twin)
            ended = method(self, statement, twin) or ended
        self.block_end = self.scope.region
        self.scope.region = before
        return ended

    def suite(self, node: cst.BaseSuite, trees: Sequence[ast.stmt] | None) -> bool:
        return self.block(node.body, trees)

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
            scope.forget(base)

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
            self.star_imports.append(origin)
            self.scope.usual = usual_names(self.star_imports)
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
        body_ends = self.suite(node.body, tree.body if tree else None)
        left = [] if body_ends else _early_returns(node.body, self.block_end, inside)
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
            return self.suite(node.body, trees)
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
        self.suite(node.body, tree.body if tree else None)
        self.scope.region = before
        self.scope.leave_loop(start, changes)
        return self.suite(node.orelse.body, tree.orelse if tree else None) if node.orelse is not None else False

    def _while(self, node: cst.While, tree: ast.While | None) -> bool:
        test = self.read(node.test, tree.test if tree else None)
        start = self.scope.snapshot()
        before = self.scope.push(RegionKind.LOOP, test, self.here)
        changes = self.scope.enter_loop()
        self.scope.push(RegionKind.GUARD, test, test.place)
        self.suite(node.body, tree.body if tree else None)
        self.scope.region = before
        self.scope.leave_loop(start, changes)
        return self.suite(node.orelse.body, tree.orelse if tree else None) if node.orelse is not None else False

    def _with(self, node: cst.With, tree: ast.With | ast.AsyncWith | None) -> bool:
        before = self.scope.region
        for position, item in enumerate(node.items):
            twin = tree.items[position] if tree else None
            manager = self.read(item.item, twin.context_expr if twin else None)
            if item.asname is not None:
                target = twin.optional_vars if twin else None
                self.assign(item.asname.name, target, Operation(manager.place, "enter", (manager,)))
            self.scope.push(RegionKind.WITH, manager, manager.place)
        ended = self.suite(node.body, tree.body if tree else None)
        self.scope.region = before
        return ended

    def _try(self, node: cst.Try | cst.TryStar, tree: ast.Try | None) -> bool:
        scope = self.scope
        start, tried = scope.snapshot(), len(scope.events)
        ended = self.suite(node.body, tree.body if tree else None)
        attempted = scope.events[tried:]
        interrupted = scope.snapshot()
        if node.orelse is not None:
            ended = self.suite(node.orelse.body, tree.orelse if tree else None) or ended
        after, all_end = scope.snapshot(), ended
        handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = node.handlers
        for position, handler in enumerate(handlers):
            scope.restore(start)
            scope.merge(interrupted)
            test = failed_test(handler, attempted)
            before = scope.push(RegionKind.GUARD, test or Unknown(self.here), self.here, holds=test is None)
            handler_ends = self.suite(handler.body, tree.handlers[position].body if tree else None)
            scope.region = before
            if not handler_ends and all_end:
                after = scope.snapshot()
            elif not handler_ends:
                scope.merge(after)
                after = scope.snapshot()
            all_end = all_end and handler_ends
        scope.restore(after)
        if node.finalbody is not None:
            all_end = self.suite(node.finalbody.body, tree.finalbody if tree else None) or all_end
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
            if not self.suite(case.body, tree.cases[position].body if tree else None):
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


BlockReader.statements = {
    cst.Expr: BlockReader._expression,
    cst.Assign: BlockReader._assign,
    cst.AnnAssign: BlockReader._annotated_assign,
    cst.AugAssign: BlockReader._augmented_assign,
    cst.Return: BlockReader._return,
    cst.Raise: BlockReader._raise,
    cst.Continue: BlockReader._leave,
    cst.Break: BlockReader._leave,
    cst.Assert: BlockReader._assert,
    cst.Del: BlockReader._delete,
    cst.Global: BlockReader._global,
    cst.Import: BlockReader._import,
    cst.ImportFrom: BlockReader._import_from,
    cst.If: BlockReader._if,
    cst.For: BlockReader._for,
    cst.While: BlockReader._while,
    cst.With: BlockReader._with,
    cst.Try: BlockReader._try,
    cst.TryStar: BlockReader._try,
    cst.Match: BlockReader._match,
}


def dotted(node: cst.BaseExpression) -> str:
    """The dotted name in an import statement."""
    return f"{dotted(node.value)}.{node.attr.value}" if isinstance(node, cst.Attribute) else getattr(node, "value", "")


def flat(body: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
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
