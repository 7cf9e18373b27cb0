"""Histories of training: one backward pass, and a run that is resumed after three steps."""

from __future__ import annotations

import collections
import copy
import re
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from .outcomes import TOLERANCE, Output, difference, output_of, plain, quietly, said
from .recipe import Recipe
from .search import to_eval
from .subject import Facts, Subject
from .trace import tensors_in

_STEPS = 3
_RATE = 0.05
_STARTS_ANEW = re.compile(r"reset|clear|restart|begin|forget|start_|new_|init_(state|hidden)")
_SEQUENCES = (list, tuple, collections.deque)


# One backward pass


def once(subject: Subject) -> Facts:
    """train(), forward, backward: which buffers have another version by then than as they were saved for backward?

    Without gradients of the inputs first, then with them. written: the buffers that forward writes in place.
    """
    facts: Facts = {"raised": "", "overwritten": [], "written": [], "trained": False}
    for is_wanted in (False, True):
        module = subject.recipe.build()
        module.train()
        versions = _versions(module)
        error = _backward(subject.recipe, module, inputs_too=is_wanted)
        facts["written"] = [path for path, one in _versions(module).items() if versions.get(path, one) != one]
        facts["trained"] = facts["trained"] or error == ""
        if "modified by an inplace operation" in error:
            return {**facts, "error": error, "overwritten": _overwritten(subject.recipe, inputs_too=is_wanted)}
    return {**facts, "error": ""}


def _versions(module: nn.Module) -> dict[str, tuple[int, int]]:
    return {f"self.{name}": (id(one), one._version) for name, one in module.named_buffers()}


def _backward(recipe: Recipe, module: nn.Module, *, inputs_too: bool, step: int = 0) -> str:
    """The error of forward and backward; "no gradient" where there is nothing to go back from."""
    try:
        with torch.enable_grad():
            outputs = [one for one in tensors_in(_called(recipe, module, inputs_too, step)) if one.requires_grad]
            if not outputs:
                return "no gradient"
            sum((one.abs().sum() for one in outputs), start=torch.zeros(())).backward()  # type: ignore[no-untyped-call]
    except RuntimeError as error:
        return said(error)
    return ""


def _called(recipe: Recipe, module: nn.Module, inputs_too: bool, step: int = 0) -> Any:
    assert recipe.call is not None
    arguments, keywords = recipe.call.values(recipe.seed + step, size=0, dtype=None, device=None)
    for one in tensors_in((arguments, keywords)) if inputs_too else ():
        if one.is_floating_point() and one.is_leaf:
            one.requires_grad_()
    return recipe.called(module, arguments, keywords)


def _overwritten(recipe: Recipe, *, inputs_too: bool) -> list[str]:
    """The buffers that share the memory of something saved for backward, and were written to after that."""
    module = recipe.build()
    module.train()
    saved: list[tuple[torch.Tensor, int]] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        saved.append((tensor, tensor._version))
        return tensor

    try:
        with torch.enable_grad(), torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one):
            kept = _called(recipe, module, inputs_too)  # the graph holds what was saved
    except RuntimeError:
        kept = None
    buffers = {one.untyped_storage().data_ptr(): f"self.{name}" for name, one in module.named_buffers()}
    late = [one.untyped_storage().data_ptr() for one, version in saved if one._version != version]
    del kept
    return sorted({buffers[address] for address in late if address in buffers})


# A run that is resumed


def resume(subject: Subject) -> Facts:
    """Three training steps, then a fresh module that loads the state_dict(): what of the first is not in the second?

    changed: the members that training changed. restored: those that the load brings back. matter: those of the others
    whose old value changes the outputs of the resumed module. anew: those that a method starts anew. by eval: those
    that forward changes in evaluation too. by training: those that the next training step makes equal again.
    """
    recipe = subject.recipe
    used, trained = _trained(subject)
    state = copy.deepcopy(used.state_dict())
    facts: Facts = {"raised": "", "trained": trained, **_keys_of(recipe, state)}
    changed = [name for name in subject.members if not _is_same(_values(used, name), _values(recipe.build(), name))]
    restored = [name for name in changed if _is_same(_values(used, name), _values(_resumed(recipe, state), name))]
    lost = [name for name in changed if name not in restored]
    facts |= {"changed": changed, "restored": restored, "anew": [name for name in lost if _is_anew(used, recipe, name)]}
    facts["matter"] = {name: how for name in lost if (how := _what_it_changes(recipe, state, used, lost, name))}
    facts["by eval"] = [name for name in lost if _changes_in_eval(recipe, state, name)]
    facts["by training"] = _made_anew(subject, used, state, lost)
    return facts


def _trained(subject: Subject) -> tuple[nn.Module, bool]:
    """A module after some steps of training, and whether a backward ran."""
    module = subject.recipe.build()
    module.train()
    errors = [_stepped(subject.recipe, module, step) for step in range(1, _STEPS + 1)]
    return module, errors[-1] in ("", "no gradient")


def _stepped(recipe: Recipe, module: nn.Module, step: int) -> str:
    """One training step on inputs of its own; the error."""
    error = _backward(recipe, module, inputs_too=False, step=step)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.grad is not None:
                parameter.sub_(parameter.grad, alpha=_RATE)
                parameter.grad = None
    return error


def _resumed(recipe: Recipe, state: dict[str, Any]) -> nn.Module:
    module = recipe.build()
    module.load_state_dict(copy.deepcopy(state), strict=False)
    return module


def _keys_of(recipe: Recipe, state: dict[str, Any]) -> Facts:
    """How a strict load fails, and the keys that a fresh module has no place for: after training, and before."""
    fresh, unused = recipe.build(), recipe.build().state_dict()
    refused = output_of(lambda: recipe.build().load_state_dict(copy.deepcopy(state)))
    before = output_of(lambda: recipe.build().load_state_dict(unused))
    unexpected = fresh.load_state_dict(copy.deepcopy(state), strict=False)
    return {
        "refused": refused if isinstance(refused, str) else "",
        "refused before": before if isinstance(before, str) else "",
        "unexpected": list(getattr(unexpected, "unexpected_keys", ())),
    }


def _owners(module: nn.Module, name: str) -> Iterator[nn.Module]:
    """The parts of a module that hold something under a name, in the order of named_modules()."""
    for part in module.modules():
        if name in vars(part) or any(name in registry for registry in (part._parameters, part._buffers)):
            yield part


def _values(module: nn.Module, name: str) -> list[Any]:
    return [_copied(getattr(part, name)) for part in _owners(module, name)]


def _copied(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: _copied(one) for key, one in value.items()}
    if isinstance(value, _SEQUENCES) and not hasattr(value, "_fields"):
        return type(value)(map(_copied, value))
    return value


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return difference([plain(one)], [plain(other)], TOLERANCE) == ""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_is_same(value, other[key]) for key, value in one.items())
    if isinstance(one, _SEQUENCES):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == other) if isinstance(one, (bool, int, float, str, type(None))) else True


def _what_it_changes(recipe: Recipe, state: dict[str, Any], used: nn.Module, lost: list[str], name: str) -> str:
    """How the outputs of the resumed module differ with the old value: where only it, or all but it, is lost.

    "" where they do not.
    """
    others = [one for one in lost if one != name]
    for mode in (True, False):
        for without, with_it in (([], [name]), (others, lost)):
            found = [_outputs(recipe, _mended(recipe, state, used, without), is_training=mode) for _ in range(2)]
            mended = _outputs(recipe, _mended(recipe, state, used, with_it), is_training=mode)
            if not _is_repeated(*found) or isinstance(mended, str) or isinstance(found[0], str):
                continue
            how = difference(found[0], mended, TOLERANCE)
            if how:
                return f"{how} in {'training' if mode else 'evaluation'}"
    return ""


def _mended(recipe: Recipe, state: dict[str, Any], used: nn.Module, names: list[str]) -> nn.Module:
    """A resumed module, with the values that the used one has under these names."""
    module = _resumed(recipe, state)
    for name in names:
        for part, value in zip(_owners(module, name), _values(used, name), strict=False):
            setattr(part, name, _copied(value))
    return module


def _made_anew(subject: Subject, used: nn.Module, state: dict[str, Any], lost: list[str]) -> list[str]:
    """The members that are the same in a resumed module and in the used one after one more step of both."""
    for step in range(_STEPS + 1, 2 * _STEPS + 1):
        if not lost:
            break
        # A largest value is that of the latest step by chance: each is tried alone.
        resumed = _resumed(subject.recipe, state)
        resumed.train()
        _stepped(subject.recipe, resumed, step)
        _stepped(subject.recipe, used, step)
        lost = [name for name in lost if _is_same(_values(used, name), _values(resumed, name))]
    return lost


def _is_repeated(one: Output, other: Output) -> bool:
    return isinstance(one, list) and isinstance(other, list) and difference(one, other, TOLERANCE) == ""


def _outputs(recipe: Recipe, module: nn.Module, *, is_training: bool) -> Output:
    """What two calls give: in training the first may change what the second uses."""
    if is_training:
        module.train()
    else:
        to_eval(module)
    return output_of(lambda: (recipe.run(module), recipe.run(module)))


def _changes_in_eval(recipe: Recipe, state: dict[str, Any], name: str) -> bool:
    module = to_eval(_resumed(recipe, state))
    before = _values(module, name)
    output_of(lambda: recipe.run(module))
    return not _is_same(before, _values(module, name))


def _is_anew(used: nn.Module, recipe: Recipe, name: str) -> bool:
    """True where a method that takes nothing, and whose name says so, gives the member its first value."""
    module = copy.deepcopy(_detached(used))
    return start_anew(module) and _is_same(_values(module, name), _values(recipe.build(), name))


def start_anew(module: nn.Module) -> bool:
    """Call what starts a stream anew in a module and its parts: reset() and its like; False where there is nothing."""
    calls = [
        getattr(part, name)
        for part in module.modules()
        for name in filter(_STARTS_ANEW.search, dir(type(part)))
        if not hasattr(nn.Module, name) and not name.startswith("__") and callable(getattr(part, name, None))
    ]
    for call in calls:
        output_of(lambda call=call: quietly(call))  # type: ignore[misc]
    return bool(calls)


def _detached(module: nn.Module) -> nn.Module:
    """The module, of which what keeps a graph was let go, so that it can be copied."""
    for part in module.modules():
        for name, value in list(vars(part).items()):
            if isinstance(value, torch.Tensor) and value.grad_fn is not None:
                vars(part)[name] = value.detach()
    return module
