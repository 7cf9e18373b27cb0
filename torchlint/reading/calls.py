"""Calls, and what they do to objects and to lists that the reader has seen being made."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.model.events import Delete, Write
from torchlint.model.terms import (
    Attribute,
    Call,
    Choice,
    Closure,
    Comprehension,
    Constant,
    Display,
    Global,
    Imported,
    Operation,
    Place,
    Super,
    Term,
)
from torchlint.reading.spread import spread_arguments, spread_keywords

if TYPE_CHECKING:
    from torchlint.reading.expressions import ExpressionReader

_GROWING = frozenset("append appendleft add insert extend".split())


def call(reader: ExpressionReader, node: cst.Call, tree: ast.Call | None, place: Place) -> Term:
    """The term of a call; super() and getattr() by a plain name are what they give."""
    callee = reader.read(node.func, tree.func if tree else None)
    positional, keywords = _arguments(reader, node.args, tree)
    if isinstance(callee, Global) and callee.name == "super" and len(positional) in (0, 2):
        return Super(place, positional[0] if positional else None)
    if isinstance(callee, Global) and callee.name == "getattr" and len(positional) in (2, 3):
        named = literal_string(positional[1])
        if isinstance(named, str):
            return _named_attribute(reader, place, positional[0], named, positional[2:])
    made = Call(place, callee, positional, keywords)
    reader.evaluated(made)
    _note_state_call(reader, made)
    if isinstance(node.func, cst.Attribute) and isinstance(node.func.value, cst.Name):
        _note_growth(reader, node.func.value.value, made)
    return made


def _named_attribute(reader: ExpressionReader, place: Place, base: Term, name: str, default: tuple[Term, ...]) -> Term:
    """getattr(base, "name") reads like base.name, or else gives the default."""
    if isinstance(base, Imported):
        return Imported(place, f"{base.name}.{name}")
    read = reader.evaluated(Attribute(place, base, name, reader.scope.attributes.get((id(base), name))))
    return Choice(place, (read, *default)) if default else read


def _note_growth(reader: ExpressionReader, name: str, call: Call) -> None:
    """A local list that gets another element is from here on a list of which only the kind of its elements is
    known."""
    callee, local = call.callee, reader.scope.variables.get(name)
    if not isinstance(callee, Attribute) or callee.name not in _GROWING or not call.arguments:
        return
    if local is callee.base and isinstance(local, (Display, Call, Operation, Choice, Comprehension)):
        operator = "extended" if callee.name == "extend" else "grown"
        reader.scope.bind(name, Operation(local.place, operator, (local, call.arguments[-1])))


def _arguments(
    reader: ExpressionReader, args: Sequence[cst.Arg], tree: ast.Call | None
) -> tuple[tuple[Term, ...], tuple[tuple[str | None, Term], ...]]:
    positional_trees: Iterator[ast.expr] = iter(tree.args if tree else ())
    keyword_trees: Iterator[ast.keyword] = iter(tree.keywords if tree else ())
    positional: list[Term] = []
    keywords: list[tuple[str | None, Term]] = []
    for arg in args:
        if arg.keyword is not None or arg.star == "**":
            twin = next(keyword_trees, None)
            value = reader.read(arg.value, twin.value if twin else None)
            if arg.keyword is not None:
                keywords.append((arg.keyword.value, value))
            else:
                keywords += spread_keywords(value, reader.scope.events)
            continue
        argument = next(positional_trees, None)
        if arg.star:
            value = reader.read(arg.value, argument.value if isinstance(argument, ast.Starred) else None)
            positional += spread_arguments(value, reader.scope.events)
        else:
            positional.append(reader.read(arg.value, argument))
    return tuple(positional), tuple(keywords)


def _note_state_call(reader: ExpressionReader, call: Call) -> None:
    """setattr and delattr are writes; a method call may change what its receiver and its arguments hold."""
    scope, callee, inputs = reader.scope, call.callee, call.arguments
    name = callee.name if isinstance(callee, Global) else ""
    if isinstance(callee, Attribute) and callee.name in ("__setattr__", "__delattr__"):
        name = callee.name.strip("_")
        inputs = inputs if len(inputs) == (3 if name == "setattr" else 2) else (callee.base, *inputs)
    if name == "setattr" and len(inputs) == 3:
        reader.write(Write(scope.region, inputs[0], literal_string(inputs[1]), inputs[2], reader.here))
    elif name == "delattr" and len(inputs) == 2:
        scope.forget(inputs[0])
        scope.events.append(Delete(scope.region, inputs[0], literal_string(inputs[1]), reader.here))
    elif isinstance(callee, Attribute) and callee.name == "update" and (held_by := object_of(callee.base)):
        scope.forget(held_by)
        for key, value in call.keywords:
            if key is not None:
                reader.write(Write(scope.region, held_by, key, value, reader.here, unseen=True))
    elif scope.attributes or scope.changes is not None:
        receiver = callee.base if isinstance(callee, Attribute) else callee if isinstance(callee, Closure) else None
        for changed in (receiver, *call.inputs):
            if changed is not None:
                scope.forget(None if isinstance(changed, Super) else changed)
    if isinstance(callee, Attribute) and callee.name == "enter_context" and inputs:
        scope.stack(callee.base, inputs[0], call.place)
    elif isinstance(callee, Attribute) and callee.name == "close":
        scope.unstack(callee.base)


def object_of(term: Term) -> Term | None:
    """The object whose attributes a dict is: x of x.__dict__ and of vars(x)."""
    if isinstance(term, Attribute) and term.name == "__dict__":
        return term.base
    is_vars = isinstance(term, Call) and isinstance(term.callee, Global) and term.callee.name == "vars"
    return term.arguments[0] if isinstance(term, Call) and is_vars and len(term.arguments) == 1 else None


def literal_string(term: Term) -> str | Term:
    """The string that a term is, or the term."""
    return term.value if isinstance(term, Constant) and isinstance(term.value, str) else term
