"""What keeps the graph of a forward: two training steps, and copies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.utils._pytree import tree_map

from .outcomes import output_of
from .recipe import Recipe
from .subject import Facts, Subject
from .trace import tensors_in
from .training import start_anew
from .walk import REGISTERED, Reached, walk

_KEPT = 8


def twice(subject: Subject) -> Facts:
    """Two training steps, each after train(), and a copy: what forward keeps must not need the graph of the first.

    A cache that train() empties does no harm in a loop that calls it. carrying: what keeps the graph and makes the
    second step raise, even if it is the only one.
    """
    recipe = subject.recipe
    module = recipe.build()
    facts: Facts = {"raised": "", "kept": [], "copy": "", "carrying": [], "trained": False}
    for turn in (1, 2):
        error = _backward(recipe, module)
        facts["trained"] = turn == 2 or error == ""
        if error:
            facts["raised"] = f"backward of call {turn}: {error}"
            break
    module.train()
    kept = _keeping_a_graph(module)
    facts["kept"] = [one.path for one in kept]
    facts["carrying"] = [one.path for one in kept[:_KEPT] if "second time" in _backward_with(recipe, one.path)]
    facts["anew"] = [path for path in facts["carrying"] if not _backward_with(recipe, path, anew=True)]
    facts["behind a layer"] = [] if facts["carrying"] else _carrying_behind_a_layer(recipe)
    facts["copy"] = _copying_fails(recipe, module)
    return facts


def _carrying_behind_a_layer(recipe: Recipe) -> list[str]:
    """What makes a second step raise alone, where the inputs come from a layer and not from data.

    Not where a method starts it anew.
    """
    module = recipe.build()
    if _is_let_go(recipe) or _backward(recipe, module, behind_a_layer=True):
        return []
    kept = _keeping_a_graph(module)
    is_it = len(kept) == 1 and "second time" in _backward(recipe, module, behind_a_layer=True)
    return [kept[0].path] if is_it else []


def _is_let_go(recipe: Recipe) -> bool:
    """True where a method starts the module anew, and the second step behind a layer runs then."""
    module = recipe.build()
    try:
        _backward(recipe, module, behind_a_layer=True)
        return start_anew(module) and not _backward(recipe, module, behind_a_layer=True)
    except Exception:
        return False  # such a method may also empty what forward needs


def _backward(recipe: Recipe, module: nn.Module, *, behind_a_layer: bool = False) -> str:
    """train(), forward and backward; the error, or why there is nothing to go back from."""
    module.train()
    with torch.enable_grad():
        outputs = [one for one in tensors_in(_run(recipe, module, behind_a_layer)) if one.requires_grad]
        if not outputs:
            return "no output needs a gradient"
        try:
            sum((one.abs().sum() for one in outputs), start=torch.zeros(())).backward()  # type: ignore[no-untyped-call]
        except RuntimeError as error:
            return str(error).partition("(")[0].strip()[:160]
    return ""


def _run(recipe: Recipe, module: nn.Module, behind_a_layer: bool) -> Any:
    if not behind_a_layer:
        return recipe.run(module)
    assert recipe.call is not None
    arguments, keywords = recipe.call.values(recipe.seed)
    return recipe.called(module, *tree_map(_from_a_layer, (arguments, keywords)))


def _from_a_layer(value: Any) -> Any:
    """A floating input as the product of a weight, whose graph one backward frees."""
    is_floating = isinstance(value, torch.Tensor) and value.is_floating_point()
    return value * torch.ones_like(value, requires_grad=True) if is_floating else value


def _backward_with(recipe: Recipe, path: str, *, anew: bool = False) -> str:
    """The error of a second step where the graph is kept at `path` alone. anew: methods that start anew are called."""
    module = recipe.build()
    _backward(recipe, module)
    try:
        for one in _keeping_a_graph(module):
            if one.path != path:
                one.tensor.detach_()
    except RuntimeError:
        return ""  # a view; what it keeps cannot be told apart
    if anew:
        start_anew(module)
    return _backward(recipe, module)


def _keeping_a_graph(module: nn.Module) -> list[Reached]:
    return [one for one in walk(module) if one.held not in REGISTERED and one.tensor.grad_fn is not None]


def _copying_fails(recipe: Recipe, module: nn.Module) -> str:
    """How a copy fails, where one of a module that did not run does not; "" where none does."""
    copies: dict[str, Callable[[Any], Any]] = {
        "deepcopy": copy.deepcopy,
        "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    }
    for name, copied in copies.items():
        failure = output_of(lambda copied=copied: copied(module))  # type: ignore[misc]
        before = output_of(lambda copied=copied: copied(recipe.build()))  # type: ignore[misc]
        if isinstance(failure, str) and not isinstance(before, str):
            return f"{name}: {failure}"
    return ""
