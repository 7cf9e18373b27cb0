"""Other arguments of a constructor than the usual ones: those that decide whether the code of a finding runs."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from torch import nn

from .candidates import Candidate, plainly
from .construction import Search
from .recipe import Recipe
from .sources import class_tree
from .suggestions import literal

_MOST_TRIES = 16
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Claims = list[dict[str, Any]]
# A name that stands in a condition, and the texts that it is compared with there.
Asked = tuple[str, tuple[str, ...]]


def other_settings(recipe: Recipe, claims: Claims) -> Iterator[Recipe]:
    """The recipe with another value for one argument that stands in a condition, those around the findings first.

    Only those that can be built.
    """
    if recipe.factory is not None:
        return
    asked = list(dict.fromkeys(_asked(recipe.kind, claims)))
    search = Search(recipe.kind, is_new=False)
    for arguments in itertools.islice(_others(recipe.arguments, search, asked), _MOST_TRIES):
        other = replace(recipe, arguments=arguments, call=None)
        try:
            other.build()
        except Exception:
            continue  # not with the other arguments as they are
        yield other


def _others(
    given: Mapping[str, Candidate], search: Search, asked: Sequence[Asked]
) -> Iterator[Mapping[str, Candidate]]:
    for name, texts in asked:
        present = given.get(name)
        if present is not None and present.is_given:
            continue
        if search.takes(name):
            known = literal(present) if present is not None else None
            yield from ({**given, name: plainly(text)} for text in texts if text != known)
            yield from ({**given, name: value} for value in search.values_for(name, present))
        for holder, candidate in given.items():
            if candidate.text.endswith(")") and not candidate.is_given:
                yield from ({**given, holder: one} for one in _with_setting(candidate, name, texts))


def _with_setting(candidate: Candidate, name: str, texts: tuple[str, ...]) -> Iterator[Candidate]:
    """A configuration in which a flag is the other way round, or a text another one."""
    value = getattr(candidate.make(), name, None)
    others = [not value] if type(value) is bool else [one for one in texts if isinstance(value, str) and one != value]
    for other in others:

        def make(other: Any = other) -> Any:
            configuration = candidate.make()
            setattr(configuration, name, other)
            return configuration

        yield Candidate(f"{candidate.text[:-1]}, {name}={other!r})", make)


# What the class asks


def _asked(kind: type[nn.Module], claims: Claims) -> Iterator[Asked]:
    """The names in conditions: those around the lines of the findings, then those around what names their members, then
    those of the same methods."""
    trees = [tree for owner in kind.__mro__ if owner is not nn.Module and (tree := class_tree(owner)) is not None]
    methods = [one for tree in trees for one in tree.body if isinstance(one, _FUNCTIONS)]
    origins = _origins(methods)
    members = {claim["member"].partition(".")[0] for claim in claims}
    lines = [claim["line"] for claim in claims]
    tests = [test for method in methods for test in _tests(method)]
    near = [method for method in methods if members.intersection(_names(method)) or _holds(method, lines)]
    found = [test for test in tests if _holds(test, lines)]
    found += [test for test in tests if members.intersection(_names(test))]
    found += [test for method in near for test in _tests(method)]
    for test in found:
        for name in _names(test.test):
            yield from ((one, _texts(test.test)) for one in (name, *origins.get(name, ())))


def _holds(node: ast.AST, lines: list[int]) -> bool:
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    return any(first <= line <= last for line in lines)


def _tests(method: ast.AST) -> Iterator[ast.If | ast.IfExp]:
    return (node for node in ast.walk(method) if isinstance(node, (ast.If, ast.IfExp)))


def _names(node: ast.AST) -> Iterator[str]:
    """The names and attributes in a piece of code: `hidden` and `enforce` of `hidden > 1 or self.cfg.enforce`."""
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute):
            yield one.attr


def _texts(test: ast.expr) -> tuple[str, ...]:
    """The texts in a condition."""
    return tuple(one.value for one in ast.walk(test) if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _origins(methods: Sequence[ast.AST]) -> dict[str, list[str]]:
    """For each attribute the names from which constructors make it."""
    found: dict[str, list[str]] = {}
    for method in methods:
        for node in ast.walk(method) if getattr(method, "name", "") == "__init__" else ():
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Attribute):
                    found.setdefault(target.attr, []).extend(_names(node.value))  # type: ignore[attr-defined]
    return found
