"""LibCST expressions -> terms, read side by side with the ast nodes that give their places."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import libcst as cst

from torchlint.model.events import Delete, Evaluated, ItemWrite, RegionKind, Return, Write
from torchlint.model.facts import Function, Parameter
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Closure,
    Comprehension,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Place,
    Starred,
    Subscript,
    Super,
    Term,
    Unknown,
)
from torchlint.reading.positions import Locator
from torchlint.reading.scope import Scope
from torchlint.reading.spread import spread_arguments, spread_keywords

_OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%",
    cst.Power: "**", cst.MatrixMultiply: "@", cst.BitAnd: "&", cst.BitOr: "|", cst.BitXor: "^", cst.LeftShift: "<<",
    cst.RightShift: ">>", cst.Plus: "+", cst.Minus: "-", cst.BitInvert: "~", cst.Not: "not",
    cst.Equal: "==", cst.NotEqual: "!=", cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=", cst.In: "in", cst.NotIn: "not in", cst.Is: "is", cst.IsNot: "is not",
    cst.And: "and", cst.Or: "or",
    cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*", cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//", cst.ModuloAssign: "%", cst.PowerAssign: "**", cst.MatrixMultiplyAssign: "@",
    cst.BitAndAssign: "&", cst.BitOrAssign: "|", cst.BitXorAssign: "^", cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
}  # fmt: skip

_GROWING = frozenset("append appendleft add insert extend".split())
_ORDERINGS = frozenset(("<", "<=", ">", ">="))
_LITERAL_NAMES = {"True": True, "False": False, "None": None}


def operator_of(node: cst.CSTNode) -> str:
    """The operator as written, an augmented one without its equal sign."""
    return _OPERATORS[type(node)]


class ExpressionReader:
    """Reads expressions in the current scope, and leaves an event for each thing that is evaluated."""

    def __init__(self, locator: Locator, places: Mapping[cst.CSTNode, Place]) -> None:
        self._locator = locator
        self._places = places
        self.scope = Scope(None, "", is_top=True)
        self.here: Place = (1, 1, 1, 1)

    def place_of(self, node: cst.CSTNode, tree: Any) -> Place:
        """Where `node` stands: by its ast twin, by LibCST's provider, or else the statement around it."""
        if tree is not None:
            return self._locator.place(tree)
        return self._places.get(node, self.here)

    def read(self, node: cst.BaseExpression, tree: ast.AST | None) -> Term:
        """The term of an expression."""
        method = _READERS.get(type(node))
        if method is None:
            return Unknown(self.here)
        read, twin = method
        if tree is not None and not isinstance(tree, twin):
            tree = None
        return read(self, node, tree, self.place_of(node, tree))

    def evaluated(self, term: Term) -> Term:
        """Note that `term` is evaluated here, and return it."""
        self.scope.events.append(Evaluated(self.scope.region, term))
        return term

    # Names, attributes, calls

    def _name(self, node: cst.Name, tree: ast.expr | None, place: Place) -> Term:
        if node.value in _LITERAL_NAMES:
            return Constant(place, _LITERAL_NAMES[node.value])
        found = self.scope.look_up(node.value, place)
        return Imported(place, found.name) if isinstance(found, Imported) else found

    def _attribute(self, node: cst.Attribute, tree: ast.Attribute | None, place: Place) -> Term:
        base = self.read(node.value, tree.value if tree else None)
        name = node.attr.value
        if isinstance(base, Imported):
            return Imported(place, f"{base.name}.{name}")
        return self.evaluated(Attribute(place, base, name, self.scope.attributes.get((id(base), name))))

    def _call(self, node: cst.Call, tree: ast.Call | None, place: Place) -> Term:
        callee = self.read(node.func, tree.func if tree else None)
        positional, keywords = self._arguments(node.args, tree)
        if isinstance(callee, Global) and callee.name == "super" and len(positional) in (0, 2):
            return Super(place, positional[0] if positional else None)
        if isinstance(callee, Global) and callee.name == "getattr" and len(positional) in (2, 3):
            named = literal_string(positional[1])
            if isinstance(named, str):
                return self._named_attribute(place, positional[0], named, positional[2:])
        call = Call(place, callee, positional, keywords)
        self.evaluated(call)
        self._note_state_call(call)
        if isinstance(node.func, cst.Attribute) and isinstance(node.func.value, cst.Name):
            self._note_growth(node.func.value.value, call)
        return call

    def _named_attribute(self, place: Place, base: Term, name: str, default: tuple[Term, ...]) -> Term:
        """getattr(base, "name") reads like base.name, or else gives the default."""
        if isinstance(base, Imported):
            return Imported(place, f"{base.name}.{name}")
        read = self.evaluated(Attribute(place, base, name, self.scope.attributes.get((id(base), name))))
        return Choice(place, (read, *default)) if default else read

    def _note_growth(self, name: str, call: Call) -> None:
        """A local list that gets another element is from here on a list of which only the kind of its elements is
        known."""
        callee, local = call.callee, self.scope.variables.get(name)
        if not isinstance(callee, Attribute) or callee.name not in _GROWING or not call.arguments:
            return
        if local is callee.base and isinstance(local, (Display, Call, Operation, Choice, Comprehension)):
            operator = "extended" if callee.name == "extend" else "grown"
            self.scope.bind(name, Operation(local.place, operator, (local, call.arguments[-1])))

    def _arguments(
        self, args: Sequence[cst.Arg], tree: ast.Call | None
    ) -> tuple[tuple[Term, ...], tuple[tuple[str | None, Term], ...]]:
        positional_trees: Iterator[ast.expr] = iter(tree.args if tree else ())
        keyword_trees: Iterator[ast.keyword] = iter(tree.keywords if tree else ())
        positional: list[Term] = []
        keywords: list[tuple[str | None, Term]] = []
        for arg in args:
            if arg.keyword is not None or arg.star == "**":
                twin = next(keyword_trees, None)
                value = self.read(arg.value, twin.value if twin else None)
                if arg.keyword is not None:
                    keywords.append((arg.keyword.value, value))
                else:
                    keywords += spread_keywords(value, self.scope.events)
                continue
            argument = next(positional_trees, None)
            if arg.star:
                value = self.read(arg.value, argument.value if isinstance(argument, ast.Starred) else None)
                positional += spread_arguments(value, self.scope.events)
            else:
                positional.append(self.read(arg.value, argument))
        return tuple(positional), tuple(keywords)

    def _note_state_call(self, call: Call) -> None:
        """setattr and delattr are writes; a method call may change what its receiver and its arguments hold."""
        scope, callee, inputs = self.scope, call.callee, call.arguments
        name = callee.name if isinstance(callee, Global) else ""
        if isinstance(callee, Attribute) and callee.name in ("__setattr__", "__delattr__"):
            name = callee.name.strip("_")
            inputs = inputs if len(inputs) == (3 if name == "setattr" else 2) else (callee.base, *inputs)
        if name == "setattr" and len(inputs) == 3:
            self.write(Write(scope.region, inputs[0], literal_string(inputs[1]), inputs[2], self.here))
        elif name == "delattr" and len(inputs) == 2:
            scope.forget(inputs[0])
            scope.events.append(Delete(scope.region, inputs[0], literal_string(inputs[1]), self.here))
        elif isinstance(callee, Attribute) and callee.name == "update" and (held_by := _object_of(callee.base)):
            scope.forget(held_by)
            for key, value in call.keywords:
                if key is not None:
                    self.write(Write(scope.region, held_by, key, value, self.here, unseen=True))
        elif scope.attributes or scope.changes is not None:
            receiver = callee.base if isinstance(callee, Attribute) else callee if isinstance(callee, Closure) else None
            for changed in (receiver, *call.inputs):
                if changed is not None:
                    scope.forget(None if isinstance(changed, Super) else changed)
        if isinstance(callee, Attribute) and callee.name == "enter_context" and inputs:
            scope.stack(callee.base, inputs[0], call.place)
        elif isinstance(callee, Attribute) and callee.name == "close":
            scope.unstack(callee.base)

    def write(self, event: Write) -> None:
        """Note an attribute write, and remember the value for reads that follow in this function."""
        self.scope.events.append(event)
        if isinstance(event.attribute, str):
            self.scope.write(event.base, event.attribute, event.value)
        else:
            self.scope.forget(event.base)

    def _subscript(self, node: cst.Subscript, tree: ast.Subscript | None, place: Place) -> Term:
        base = self.read(node.value, tree.value if tree else None)
        index = self.read_index(node.slice, tree.slice if tree else None, place)
        term = self.evaluated(Subscript(place, base, index))
        return self.scope.item(base, index) or term

    def read_index(self, elements: Sequence[cst.SubscriptElement], tree: ast.AST | None, place: Place) -> Term:
        """The index of a subscript: one term, or a tuple Display of several."""
        if len(elements) == 1 and not isinstance(elements[0].comma, cst.Comma):
            return self._index(elements[0].slice, tree, place)
        trees: Sequence[ast.AST | None] = tree.elts if isinstance(tree, ast.Tuple) else [None] * len(elements)
        parts = tuple(self._index(element.slice, twin, place) for element, twin in zip(elements, trees, strict=False))
        return Display(place, "tuple", parts)

    def _index(self, node: cst.BaseSlice, tree: ast.AST | None, place: Place) -> Term:
        if isinstance(node, cst.Index):
            return self.read(node.value, tree.value if isinstance(tree, ast.Starred) else tree)
        if not isinstance(node, cst.Slice):
            return Unknown(place)
        twin = tree if isinstance(tree, ast.Slice) else None
        pairs = (
            (node.lower, twin.lower if twin else None),
            (node.upper, twin.upper if twin else None),
            (node.step, twin.step if twin else None),
        )
        # What is left out before another bound is None, as Python has it.
        last = max((at for at, (part, _) in enumerate(pairs) if part is not None), default=-1)
        parts = (self.read(part, at) if part is not None else Constant(place, None) for part, at in pairs[: last + 1])
        return Operation(place, "slice", tuple(parts))

    # Operators

    def _binary(self, node: cst.BinaryOperation, tree: ast.BinOp | None, place: Place) -> Term:
        left = self.read(node.left, tree.left if tree else None)
        right = self.read(node.right, tree.right if tree else None)
        return self.evaluated(Operation(place, operator_of(node.operator), (left, right)))

    def _unary(self, node: cst.UnaryOperation, tree: ast.UnaryOp | None, place: Place) -> Term:
        operand = self.read(node.expression, tree.operand if tree else None)
        if (
            isinstance(operand, Constant)
            and isinstance(node.operator, cst.Minus)
            and isinstance(operand.value, (int, float))
        ):
            return Constant(place, -operand.value)
        return self.evaluated(Operation(place, operator_of(node.operator), (operand,)))

    def _boolean(self, node: cst.BooleanOperation, tree: ast.BoolOp | None, place: Place) -> Term:
        operator = operator_of(node.operator)
        operands = _flattened(node)
        trees: Sequence[ast.expr | None] = (
            tree.values if tree and len(tree.values) == len(operands) else [None] * len(operands)
        )
        before = self.scope.region
        parts: list[Term] = []
        for operand, twin in zip(operands, trees, strict=True):
            parts.append(self.read(operand, twin))
            self.scope.push(RegionKind.GUARD, parts[-1], parts[-1].place, holds=operator == "and")
        self.scope.region = before
        return self.evaluated(Operation(place, operator, tuple(parts)))

    def _comparison(self, node: cst.Comparison, tree: ast.Compare | None, place: Place) -> Term:
        left = self.read(node.left, tree.left if tree else None)
        trees: Sequence[ast.expr | None] = tree.comparators if tree else [None] * len(node.comparisons)
        rights = [self.read(part.comparator, twin) for part, twin in zip(node.comparisons, trees, strict=True)]
        operators = [operator_of(part.operator) for part in node.comparisons]
        mixed = "ordering" if _ORDERINGS.issuperset(operators) else "comparison"
        operator = operators[0] if len(operators) == 1 else mixed
        return self.evaluated(Operation(place, operator, (left, *rights)))

    def _conditional(self, node: cst.IfExp, tree: ast.IfExp | None, place: Place) -> Term:
        test = self.read(node.test, tree.test if tree else None)
        before = self.scope.push(RegionKind.GUARD, test, place)
        body = self.read(node.body, tree.body if tree else None)
        self.scope.region = before
        self.scope.push(RegionKind.GUARD, test, place, holds=False)
        orelse = self.read(node.orelse, tree.orelse if tree else None)
        self.scope.region = before
        return Choice(place, (body, orelse))

    # Displays and strings

    def _tuple(self, node: cst.Tuple, tree: ast.Tuple | None, place: Place) -> Term:
        return self._display("tuple", node.elements, tree.elts if tree else None, place)

    def _list(self, node: cst.List, tree: ast.List | None, place: Place) -> Term:
        return self._display("list", node.elements, tree.elts if tree else None, place)

    def _set(self, node: cst.Set, tree: ast.Set | None, place: Place) -> Term:
        return self._display("set", node.elements, tree.elts if tree else None, place)

    def _display(
        self, kind: str, elements: Sequence[cst.BaseElement], trees: Sequence[ast.expr] | None, place: Place
    ) -> Term:
        twins: Sequence[ast.expr | None] = trees if trees is not None else [None] * len(elements)
        return Display(place, kind, tuple(self._element(e, twin) for e, twin in zip(elements, twins, strict=True)))

    def _element(self, element: cst.BaseElement, twin: ast.expr | None) -> Term:
        if isinstance(element, cst.StarredElement):
            value = self.read(element.value, twin.value if isinstance(twin, ast.Starred) else None)
            return Starred(value.place, value)
        return self.read(element.value, twin)

    def _dict(self, node: cst.Dict, tree: ast.Dict | None, place: Place) -> Term:
        count = len(node.elements)
        key_trees: Sequence[ast.expr | None] = tree.keys if tree else [None] * count
        value_trees: Sequence[ast.expr | None] = tree.values if tree else [None] * count
        keys: list[Term | None] = []
        values: list[Term] = []
        for element, key, value in zip(node.elements, key_trees, value_trees, strict=True):
            keys.append(self.read(element.key, key) if isinstance(element, cst.DictElement) else None)
            values.append(self.read(element.value, value))
        return Display(place, "dict", tuple(values), tuple(keys))

    def _string(self, node: cst.BaseString, tree: ast.expr | None, place: Place) -> Term:
        if isinstance(tree, ast.Constant):
            return Constant(place, tree.value)
        if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)) and isinstance(
            node.evaluated_value, (str, bytes)
        ):
            return Constant(place, node.evaluated_value)
        return Operation(place, "f-string", tuple(self._formatted_parts(node)))

    def _formatted(self, node: cst.FormattedString, tree: ast.JoinedStr | None, place: Place) -> Term:
        return Operation(place, "f-string", tuple(self._formatted_parts(node)))

    def _formatted_parts(self, node: cst.BaseExpression) -> Iterator[Term]:
        if isinstance(node, cst.ConcatenatedString):
            yield from self._formatted_parts(node.left)
            yield from self._formatted_parts(node.right)
        elif isinstance(node, cst.FormattedString):
            for part in node.parts:
                if isinstance(part, cst.FormattedStringText):
                    yield Constant(self.here, part.value)
                elif isinstance(part, cst.FormattedStringExpression):
                    # The ast of Python 3.11 and older misplaces what stands inside an f-string: we use the
                    # statement's place.
                    yield self.read(part.expression, None)
        elif isinstance(node, cst.SimpleString):
            yield Constant(self.here, node.evaluated_value)

    def _number(self, node: cst.BaseNumber, tree: ast.Constant | None, place: Place) -> Term:
        return Constant(place, tree.value if tree else node.evaluated_value)  # type: ignore[attr-defined]

    def _ellipsis(self, node: cst.Ellipsis, tree: ast.Constant | None, place: Place) -> Term:
        return Constant(place, ...)

    # Comprehensions, lambdas, and the rest

    def _list_comprehension(self, node: cst.BaseSimpleComp, tree: Any, place: Place) -> Term:
        before = self._enter_comprehension(node.for_in, tree.generators if tree else ())
        part = self.read(node.elt, tree.elt if tree else None)
        self._leave_comprehension(before)
        kind = {cst.ListComp: "list", cst.SetComp: "set"}.get(type(node), "generator")
        return Comprehension(place, kind, (part,))

    def _dict_comprehension(self, node: cst.DictComp, tree: ast.DictComp | None, place: Place) -> Term:
        before = self._enter_comprehension(node.for_in, tree.generators if tree else ())
        key = self.read(node.key, tree.key if tree else None)
        value = self.read(node.value, tree.value if tree else None)
        self._leave_comprehension(before)
        return Comprehension(place, "dict", (key, value))

    def _enter_comprehension(self, clause: cst.CompFor | None, generators: Sequence[ast.comprehension]) -> Any:
        before = (dict(self.scope.variables), self.scope.region)
        twins = iter(generators)
        while clause is not None:
            twin = next(twins, None)
            iterable = self.read(clause.iter, twin.iter if twin else None)
            self.scope.push(RegionKind.LOOP, iterable, iterable.place)
            self.assign(clause.target, twin.target if twin else None, Element(iterable.place, iterable))
            for position, condition in enumerate(clause.ifs):
                test = self.read(condition.test, twin.ifs[position] if twin else None)
                self.scope.push(RegionKind.GUARD, test, test.place)
            clause = clause.inner_for_in
        return before

    def _leave_comprehension(self, before: Any) -> None:
        self.scope.variables, self.scope.region = before

    def _lambda(self, node: cst.Lambda, tree: ast.Lambda | None, place: Place) -> Term:
        parameters = self.read_parameters(node.params, tree.args if tree else None)
        outer, scope = self.scope, Scope(self.scope, f"{self.scope.qualname}.<lambda>".lstrip("."))
        self.scope = scope
        self.bind_parameters(parameters, place)
        value = self.read(node.body, tree.body if tree else None)
        scope.events.append(Return(None, value, value.place))
        self.scope = outer
        function = Function("<lambda>", scope.qualname, place, parameters, events=tuple(scope.events))
        return self.closure(function, scope, place)

    def closure(self, function: Function, scope: Scope, place: Place) -> Closure:
        """A lambda or nested function as a value of the scope around it."""
        function.nested = tuple(scope.nested)
        self.scope.nested.append(function)
        return Closure(place, len(self.scope.nested) - 1, tuple(scope.captured))

    def bind_parameters(self, parameters: Sequence[Parameter], place: Place) -> None:
        """Make the parameters the first variables of the current scope."""
        for index, parameter in enumerate(parameters):
            self.scope.variables[parameter.name] = Argument(place, index, parameter.name)

    def read_parameters(self, node: cst.Parameters, tree: ast.arguments | None) -> tuple[Parameter, ...]:
        """The parameters with their annotations and defaults, which are evaluated in the scope around the function."""
        groups: list[tuple[cst.Param, ast.arg | None, str]] = []
        plain = [*node.posonly_params, *node.params]
        trees: list[ast.arg | None] = [*tree.posonlyargs, *tree.args] if tree else [None] * len(plain)
        groups += [(param, twin, "") for param, twin in zip(plain, trees, strict=True)]
        if isinstance(node.star_arg, cst.Param):
            groups.append((node.star_arg, tree.vararg if tree else None, "*"))
        keyword_trees: list[ast.arg | None] = [*tree.kwonlyargs] if tree else [None] * len(node.kwonly_params)
        groups += [(param, twin, "keyword") for param, twin in zip(node.kwonly_params, keyword_trees, strict=True)]
        if node.star_kwarg is not None:
            groups.append((node.star_kwarg, tree.kwarg if tree else None, "**"))
        return tuple(self._parameter(param, twin, kind) for param, twin, kind in groups)

    def _parameter(self, param: cst.Param, twin: ast.arg | None, kind: str) -> Parameter:
        annotation = param.annotation
        return Parameter(
            param.name.value,
            kind,
            self.read(annotation.annotation, twin.annotation if twin else None) if annotation else None,
            self.read(param.default, None) if param.default is not None else None,
        )

    def _named(self, node: cst.NamedExpr, tree: ast.NamedExpr | None, place: Place) -> Term:
        value = self.read(node.value, tree.value if tree else None)
        self.assign(node.target, tree.target if tree else None, value)
        return value

    def _await(self, node: cst.Await, tree: ast.Await | None, place: Place) -> Term:
        return Operation(place, "await", (self.read(node.expression, tree.value if tree else None),))

    def _yield(self, node: cst.Yield, tree: ast.expr | None, place: Place) -> Term:
        value: Term = Constant(place, None)
        if isinstance(node.value, cst.From):
            value = Element(place, self.read(node.value.item, getattr(tree, "value", None)))
        elif node.value is not None:
            value = self.read(node.value, getattr(tree, "value", None))
        self.scope.events.append(Return(self.scope.region, value, place, is_yield=True))
        return Operation(place, "yield", (value,))

    # Assignment targets

    def assign(self, target: cst.BaseExpression, tree: ast.AST | None, value: Term, operator: str = "=") -> None:
        """Bind a target: a name, attribute, subscript, or a tuple of targets."""
        scope = self.scope
        if isinstance(target, cst.Name):
            scope.bind(target.value, value)
        elif isinstance(target, cst.Attribute):
            base = self.read(target.value, tree.value if isinstance(tree, ast.Attribute) else None)
            self.write(Write(scope.region, base, target.attr.value, value, self._one_line(target, tree), operator))
        elif isinstance(target, cst.Subscript):
            twin = tree if isinstance(tree, ast.Subscript) else None
            base = self.read(target.value, twin.value if twin else None)
            index = self.read_index(target.slice, twin.slice if twin else None, self.here)
            place = self._one_line(target, tree)
            scope.events.append(ItemWrite(scope.region, base, index, value, place, operator))
            scope.write_item(base, index, value)
            if (held_by := _object_of(base)) is not None:
                self.write(Write(scope.region, held_by, literal_string(index), value, place, operator, unseen=True))
        elif isinstance(target, (cst.Tuple, cst.List)):
            twins = tree.elts if isinstance(tree, (ast.Tuple, ast.List)) else [None] * len(target.elements)
            self._unpack(target.elements, twins, value)

    def _one_line(self, target: cst.BaseExpression, tree: ast.AST | None) -> Place:
        """The statement, or its target where it spans lines: code scanning shows a finding only where its whole
        region is new."""
        return self.here if self.here[0] == self.here[2] else self.place_of(target, tree)

    def _unpack(self, elements: Sequence[cst.BaseElement], twins: Sequence[ast.AST | None], value: Term) -> None:
        starred = any(isinstance(element, cst.StarredElement) for element in elements)
        exact = (
            isinstance(value, Display) and value.kind != "dict" and len(value.parts) == len(elements) and not starred
        )
        exact = exact and not any(isinstance(part, Starred) for part in value.parts)  # type: ignore[attr-defined]
        for index, (element, twin) in enumerate(zip(elements, twins, strict=True)):
            if isinstance(element, cst.StarredElement):
                self.assign(element.value, twin.value if isinstance(twin, ast.Starred) else None, Unknown(self.here))
            elif exact and isinstance(value, Display):
                self.assign(element.value, twin, value.parts[index])
            else:
                self.assign(element.value, twin, Item(self.here, value, index, None if starred else len(elements)))


# How each kind of expression is read, and which ast node is its twin.
_READERS: dict[type[cst.CSTNode], tuple[Callable[[ExpressionReader, Any, Any, Place], Term], type[ast.AST]]] = {
    cst.Name: (ExpressionReader._name, ast.expr),
    cst.Attribute: (ExpressionReader._attribute, ast.Attribute),
    cst.Call: (ExpressionReader._call, ast.Call),
    cst.Subscript: (ExpressionReader._subscript, ast.Subscript),
    cst.BinaryOperation: (ExpressionReader._binary, ast.BinOp),
    cst.UnaryOperation: (ExpressionReader._unary, ast.UnaryOp),
    cst.BooleanOperation: (ExpressionReader._boolean, ast.BoolOp),
    cst.Comparison: (ExpressionReader._comparison, ast.Compare),
    cst.IfExp: (ExpressionReader._conditional, ast.IfExp),
    cst.Tuple: (ExpressionReader._tuple, ast.Tuple),
    cst.List: (ExpressionReader._list, ast.List),
    cst.Set: (ExpressionReader._set, ast.Set),
    cst.Dict: (ExpressionReader._dict, ast.Dict),
    cst.ListComp: (ExpressionReader._list_comprehension, ast.ListComp),
    cst.SetComp: (ExpressionReader._list_comprehension, ast.SetComp),
    cst.GeneratorExp: (ExpressionReader._list_comprehension, ast.GeneratorExp),
    cst.DictComp: (ExpressionReader._dict_comprehension, ast.DictComp),
    cst.Lambda: (ExpressionReader._lambda, ast.Lambda),
    cst.NamedExpr: (ExpressionReader._named, ast.NamedExpr),
    cst.FormattedString: (ExpressionReader._formatted, ast.JoinedStr),
    cst.ConcatenatedString: (ExpressionReader._string, ast.expr),
    cst.SimpleString: (ExpressionReader._string, ast.Constant),
    cst.Integer: (ExpressionReader._number, ast.Constant),
    cst.Float: (ExpressionReader._number, ast.Constant),
    cst.Imaginary: (ExpressionReader._number, ast.Constant),
    cst.Ellipsis: (ExpressionReader._ellipsis, ast.Constant),
    cst.Await: (ExpressionReader._await, ast.Await),
    cst.Yield: (ExpressionReader._yield, ast.expr),
}


def _object_of(term: Term) -> Term | None:
    """The object whose attributes a dict is: x of x.__dict__ and of vars(x)."""
    if isinstance(term, Attribute) and term.name == "__dict__":
        return term.base
    is_vars = isinstance(term, Call) and isinstance(term.callee, Global) and term.callee.name == "vars"
    return term.arguments[0] if isinstance(term, Call) and is_vars and len(term.arguments) == 1 else None


def literal_string(term: Term) -> str | Term:
    """The string that a term is, or the term."""
    return term.value if isinstance(term, Constant) and isinstance(term.value, str) else term


def _flattened(node: cst.BooleanOperation) -> list[cst.BaseExpression]:
    """The operands of `a and b and c`: LibCST nests them to the left, ast does not; parentheses keep a group apart."""
    operands: list[cst.BaseExpression] = [node.right]
    left = node.left
    while isinstance(left, cst.BooleanOperation) and type(left.operator) is type(node.operator) and not left.lpar:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    return operands[::-1]
