"""Histories in which something happens to a module that has run, which is then compared with a fresh one."""

from __future__ import annotations

import copy

import torch
from torch import nn

from .conversions import built_by_forward
from .outcomes import (
    TOLERANCE,
    Values,
    changed,
    difference,
    error_in,
    output_of,
    quietly,
    renewed_since,
    snapshot,
    stale,
    that_matter,
    values_of,
)
from .recipe import Recipe
from .seeds import reseed
from .subject import Facts, Subject, load_into, root_of

State = dict[str, torch.Tensor]
_STEP = 0.5
_FORWARDS = 3


def load(subject: Subject, *, in_parent: bool = False) -> Facts:
    """eval, forward, load_state_dict, forward; compared with a fresh module that loads the same.

    The checkpoint is of a module in training mode, then of one in evaluation: what only one of them upsets says more of
    the checkpoint than of the module.
    """
    donor = subject.recipe.build(subject.recipe.seed + 1)
    facts = _loaded(subject.recipe, _checkpoint(subject.recipe, donor, of_eval=False), in_parent=in_parent)
    if not facts["raised"] and not facts.get("differs"):
        return facts
    return _loaded(subject.recipe, _checkpoint(subject.recipe, donor, of_eval=True), in_parent=in_parent)


def _loaded(recipe: Recipe, wanted: State, *, in_parent: bool) -> Facts:
    fresh, used = recipe.build(), recipe.build()
    load_into(fresh, wanted, in_parent=in_parent)
    root_of(fresh, in_parent=in_parent).eval()
    built = built_by_forward(recipe, used, root_of(used, in_parent=in_parent))
    before = values_of(used)
    load_into(used, wanted, in_parent=in_parent)
    return {"built": built, **_compared(recipe, used, fresh, before)}


def _checkpoint(recipe: Recipe, donor: nn.Module, *, of_eval: bool) -> State:
    """The state of a module of other weights, as it is in training mode, or after a forward in evaluation."""
    if of_eval:
        built_by_forward(recipe, donor, donor)
    return copy.deepcopy(donor.state_dict())


def load_by_assignment(subject: Subject) -> Facts:
    """As `load`, with load_state_dict(assign=True): the Parameters become other objects, and nothing is written to."""
    recipe, donor = subject.recipe, subject.recipe.build(subject.recipe.seed + 1)
    try:
        facts = _assigned(recipe, _checkpoint(recipe, donor, of_eval=False))
        if not facts["raised"] and not facts.get("differs"):
            return facts
        return _assigned(recipe, _checkpoint(recipe, donor, of_eval=True))
    except _NoAssignmentError:
        return load(subject)


class _NoAssignmentError(Exception):
    """The load_state_dict() of a module takes no `assign`."""


def _assigned(recipe: Recipe, wanted: State) -> Facts:
    fresh, used = recipe.build(), recipe.build()
    try:
        fresh.load_state_dict(copy.deepcopy(wanted), strict=False, assign=True)
    except TypeError as error:
        raise _NoAssignmentError from error
    fresh.eval()
    built = built_by_forward(recipe, used, used)
    before = values_of(used)
    used.load_state_dict(copy.deepcopy(wanted), strict=False, assign=True)
    return {"built": built, **_compared(recipe, used, fresh, before)}


def update(subject: Subject) -> Facts:
    """eval, forward, an in-place change of the parameters, forward; compared with a fresh module of those weights."""
    recipe = subject.recipe
    used = recipe.build()
    built = built_by_forward(recipe, used, used)
    before = values_of(used)
    _step(used)
    return {"built": built, **_compared(recipe, used, _with_weights_of(used, recipe), before)}


def train_again(subject: Subject, *, in_parent: bool = False, to_eval: bool = False, is_fused: bool = False) -> Facts:
    """eval, forward, train, an in-place change of the parameters, (eval,) forward; compared likewise.

    is_fused: the change is a step of a fused optimizer, which raises no version counter.
    """
    recipe = subject.recipe
    used, fresh = recipe.build(), recipe.build()
    roots = [root_of(one, in_parent=in_parent) for one in (used, fresh)]
    built = built_by_forward(recipe, used, roots[0])
    before = values_of(used)
    objects = {name: id(one) for name, one in used.named_parameters()}
    roots[0].train()
    (_fused_step if is_fused else _step)(used)
    # Taken now: in evaluation the weights may have others merged into them.
    fresh.load_state_dict(copy.deepcopy(used.state_dict()), strict=False)
    for root in roots:
        root.train(not to_eval)
    replaced = [f"self.{name}" for name, one in used.named_parameters() if objects.get(name, id(one)) != id(one)]
    new = [f"self.{name}" for name, _ in used.named_parameters() if name not in objects]
    return {"built": built, "replaced": replaced + new, **_compared(recipe, used, fresh, before)}


def resize(subject: Subject) -> Facts:
    """forward, forward with longer inputs; compared with a module that saw only those."""
    recipe = subject.recipe
    used, fresh = recipe.build(), recipe.build()
    used.eval()
    fresh.eval()
    seen = snapshot(used)
    quietly(lambda: recipe.run(used))
    built = changed(seen, snapshot(used))
    return {"built": built, **_compared(recipe, used, fresh, values_of(used), size=1)}


def rebuilds(subject: Subject) -> Facts:
    """eval, then forward three times with the same input: how often is each plain tensor made or written to?

    moving: those that have another value after each forward, and so are no cache.
    """
    recipe = subject.recipe
    module = recipe.build()
    module.eval()
    counts: dict[str, int] = {}
    moving: set[str] = set()
    for turn in range(_FORWARDS):
        before, seen = values_of(module), snapshot(module)
        quietly(lambda: recipe.run(module))
        for path in changed(seen, snapshot(module)):
            counts[path] = counts.get(path, 0) + 1
        if turn:
            moving |= set(renewed_since(before, module))
    return {"raised": "", "counts": counts, "moving": sorted(moving)}


def _step(module: nn.Module) -> None:
    reseed(5)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.is_floating_point():
                parameter.add_(torch.randn_like(parameter) * _STEP)


def _fused_step(module: nn.Module) -> None:
    parameters = [one for one in module.parameters() if one.is_floating_point()]
    reseed(5)
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
    try:
        torch.optim.SGD(parameters, lr=_STEP, fused=True).step()
    except (RuntimeError, ValueError, TypeError):
        _step(module)  # no fused step for such parameters, or no parameters
    for parameter in parameters:
        parameter.grad = None


def _with_weights_of(used: nn.Module, recipe: Recipe) -> nn.Module:
    fresh = recipe.build()
    fresh.load_state_dict(copy.deepcopy(used.state_dict()), strict=False)
    fresh.eval()
    return fresh


def _compared(recipe: Recipe, used: nn.Module, fresh: nn.Module, before: Values, *, size: int = 0) -> Facts:
    """How the forward of a used module differs from that of a fresh one.

    stale: the paths of other values. matter: those of them that make the difference. renewed: those whose values are
    others than before the event, so that a cache had something to forget.
    """
    found, expected = (output_of(lambda one=one: recipe.run(one, size=size)) for one in (used, fresh))  # type: ignore[misc]
    facts: Facts = {"raised": error_in(found), "fresh": error_in(expected), "stale": stale(used, fresh)}
    facts["renewed"] = renewed_since(before, used)
    if isinstance(expected, list) and isinstance(found, list):
        facts["differs"] = difference(expected, found, TOLERANCE)
    if facts["stale"] and isinstance(expected, list) and (facts["raised"] or facts["differs"]):
        facts["matter"] = that_matter(used, fresh, lambda: recipe.run(used, size=size), found)
    return facts
