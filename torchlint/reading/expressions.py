"""LibCST expressions -> terms, read side by side with the ast nodes that give their places."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import libcst as cst

from torchlint.model.events import Evaluated, ItemWrite, Rebind, Return, Write
from torchlint.model.facts import Function, Parameter
from torchlint.model.terms import (
    Argument,
    Attribute,
    Closure,
    Constant,
    Display,
    Element,
    Imported,
    Item,
    Operation,
    Place,
    Starred,
    Subscript,
    Term,
    Unknown,
)
from torchlint.reading import calls, comprehensions, displays, operators
from torchlint.reading.calls import literal_string, object_of
from torchlint.reading.positions import Locator
from torchlint.reading.scope import Scope

_LITERAL_NAMES = {"True": True, "False": False, "None": None}


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

    # Names, attributes, items

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

    # Functions, and the rest

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
            if target.value in scope.globals:
                scope.events.append(Rebind(scope.region, target.value, value, self._one_line(target, tree), operator))
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
            if (held_by := object_of(base)) is not None:
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
    cst.Call: (calls.call, ast.Call),
    cst.Subscript: (ExpressionReader._subscript, ast.Subscript),
    cst.BinaryOperation: (operators.binary, ast.BinOp),
    cst.UnaryOperation: (operators.unary, ast.UnaryOp),
    cst.BooleanOperation: (operators.boolean, ast.BoolOp),
    cst.Comparison: (operators.comparison, ast.Compare),
    cst.IfExp: (operators.conditional, ast.IfExp),
    cst.Tuple: (displays.tuple_display, ast.Tuple),
    cst.List: (displays.list_display, ast.List),
    cst.Set: (displays.set_display, ast.Set),
    cst.Dict: (displays.dict_display, ast.Dict),
    cst.ListComp: (comprehensions.comprehension, ast.ListComp),
    cst.SetComp: (comprehensions.comprehension, ast.SetComp),
    cst.GeneratorExp: (comprehensions.comprehension, ast.GeneratorExp),
    cst.DictComp: (comprehensions.dict_comprehension, ast.DictComp),
    cst.Lambda: (ExpressionReader._lambda, ast.Lambda),
    cst.NamedExpr: (ExpressionReader._named, ast.NamedExpr),
    cst.FormattedString: (displays.formatted_string, ast.JoinedStr),
    cst.ConcatenatedString: (displays.string, ast.expr),
    cst.SimpleString: (displays.string, ast.Constant),
    cst.Integer: (displays.number, ast.Constant),
    cst.Float: (displays.number, ast.Constant),
    cst.Imaginary: (displays.number, ast.Constant),
    cst.Ellipsis: (displays.ellipsis, ast.Constant),
    cst.Await: (ExpressionReader._await, ast.Await),
    cst.Yield: (ExpressionReader._yield, ast.expr),
}
