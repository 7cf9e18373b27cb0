"""Arguments that are objects of a class of the file, as the attributes say that are asked of them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import nn

from .candidates import plainly
from .code import code_of_build
from .construction import Search
from .recipe import Recipe
from .sight import has
from .sources import function_tree
from .standins import Role
from .suggestions import literal

_SHARE = 0.5
_USUAL = frozenset(
    (*dir(torch.Tensor), *dir(nn.Module), *dir(torch.optim.Optimizer), *dir(dict), *dir(list), *dir(str))
)


def objects_in(function: Any, names: Iterable[str]) -> dict[str, Role]:
    """An object for each argument that is asked for what a class of the file has, and few others have."""
    function = inspect.unwrap(getattr(function, "__func__", function))
    found: dict[str, Role] = {}
    for name, wanted in _asked_of(function, frozenset(names)).items():
        kinds = (kind for kind in _classes_beside(function) if all(has(kind, one) for one in wanted))
        made = next((role for role in map(_role_of, kinds) if role is not None), None)
        if made is not None:
            found[name] = made
    return found


def _asked_of(function: Any, names: frozenset[str]) -> Mapping[str, set[str]]:
    """For each name the attributes that it is asked for, but for those that tensors, modules and containers have."""
    tree = function_tree(function.__code__) if hasattr(function, "__code__") else None
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            found.setdefault(node.value.id, set()).add(node.attr)
    return {name: wanted - _USUAL for name, wanted in found.items() if wanted - _USUAL}


def _classes_beside(function: Any) -> list[type]:
    here = list(getattr(function, "__globals__", {}).values())
    return [one for one in here if isinstance(one, type) and one.__module__ == function.__module__]


def _role_of(kind: type) -> Role | None:
    """An object of a class; None where no arguments are found that make one."""
    arguments = Search(kind).next_that_builds()
    if arguments is None:
        return None
    # A share of nothing says nothing of what it is a share of.
    given = {name: plainly(_SHARE) if literal(one) == 0.0 else one for name, one in arguments.items()}
    recipe = Recipe(kind, given)

    def make(size: int) -> Any:
        return kind(**{name: one.make() for name, one in given.items()})

    return Role(make, recipe.text, code_of_build(recipe) or "")
