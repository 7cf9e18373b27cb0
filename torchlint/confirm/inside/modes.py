"""What becomes of parts that a constructor, or a method for it, puts into evaluation mode."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from torch import nn

from .outcomes import TOLERANCE, difference, is_repeatable, output_of, stale
from .recipe import Recipe
from .subject import Facts, Parent, Subject
from .walk import walk

# These compute something else in training mode.
_BY_MODE = (nn.modules.batchnorm._BatchNorm, nn.modules.dropout._DropoutNd, nn.RReLU, nn.RNNBase)


def wake(subject: Subject) -> Facts:
    """Build, call the methods that the finding speaks of, train(), forward: which sleeping parts are awake in it?

    asleep: the parts in evaluation mode that compute something else in training mode. awake: those that train() or the
    forward after it put into training mode, as forward ran. trained: whether anything but the sleeping parts can be.
    """
    module = subject.recipe.build()
    was_training = module.training
    called = [name for name in subject.mentioned if _is_called(module, name)]
    asleep = {name: part for name, part in module.named_modules() if not part.training and _depends_on_mode(part)}
    module.train()
    modes = _modes_in_forward(subject, module, asleep)
    return {
        "raised": "",
        "is trained": was_training,
        "called": called,
        "asleep": [_path(name) for name in asleep],
        "awake": [_path(name) for name in asleep if modes.get(name)],
        "kinds": {_path(name): type(part).__name__ for name, part in asleep.items()},
        "trained": _others_train(module, list(asleep.values())),
        "trainer": any("LightningModule" in one.__name__ for one in type(module).__mro__),
    }


def by_eval_alone(recipe: Recipe) -> list[str]:
    """What its own eval() makes or changes, and eval() of a parent does not: tensors, and settings that the output
    depends on."""
    by_itself, in_parent = recipe.build(), recipe.build()
    by_itself.eval()
    Parent(in_parent).eval()
    reached = {one.path for one in walk(in_parent)}
    missing = [one.path for one in walk(by_itself) if one.path not in reached]
    tensors = [*missing, *stale(by_itself, in_parent)]
    if tensors or recipe.call is None or not is_repeatable(recipe):
        return tensors
    alone, owned = (output_of(lambda one=one: recipe.run(one)) for one in (by_itself, in_parent))  # type: ignore[misc]
    is_other = isinstance(alone, list) and isinstance(owned, list) and difference(owned, alone, TOLERANCE) != ""
    return _other_settings(by_itself, in_parent) if is_other else []


def _other_settings(one: nn.Module, other: nn.Module) -> list[str]:
    """The attributes with other flags, numbers or texts; the mode itself is none."""
    before = {name: vars(part) for name, part in other.named_modules()}
    return [
        f"{_path(name)}.{key}"
        for name, part in one.named_modules()
        for key, value in vars(part).items()
        if isinstance(value, (bool, int, float, str)) and key != "training" and before[name].get(key) != value
    ]


def _path(name: str) -> str:
    return f"self.{name}" if name else "self"


def _is_called(module: nn.Module, name: str) -> bool:
    """Call a method that takes nothing, as the owner of the module does; False where it cannot be called so."""
    method = getattr(module, name, None)
    if name.startswith("__") or hasattr(nn.Module, name) or not callable(method):
        return False
    try:
        inspect.signature(method).bind()
        method()
    except Exception:
        return False
    return True


def _depends_on_mode(part: nn.Module) -> bool:
    if isinstance(part, nn.modules.dropout._DropoutNd):
        return part.p > 0
    if isinstance(part, nn.RNNBase):
        return part.dropout > 0
    if isinstance(part, nn.modules.batchnorm._BatchNorm):
        return part.running_mean is not None
    return isinstance(part, _BY_MODE)


def _modes_in_forward(subject: Subject, module: nn.Module, parts: dict[str, nn.Module]) -> dict[str, bool]:
    """The mode of each part as forward calls it; the one that it has by now where forward does not run or call it."""
    modes = {name: part.training for name, part in parts.items()}
    if not subject.can_run:
        return modes

    def watching(name: str) -> Any:
        return lambda part, given: modes.__setitem__(name, part.training)

    handles = [part.register_forward_pre_hook(watching(name)) for name, part in parts.items()]
    output_of(lambda: subject.recipe.run(module))
    for handle in handles:
        handle.remove()
    return modes


def _others_train(module: nn.Module, asleep: list[nn.Module]) -> bool:
    """True where a parameter that needs a gradient is in no branch of the module that has a sleeping part."""
    children = [child for child in module.children() if not any(one in asleep for one in child.modules())]
    own = [one for one in module.parameters(recurse=False) if one.requires_grad]
    return bool(own) or any(one.requires_grad for one in _parameters(children))


def _parameters(modules: list[nn.Module]) -> Iterator[nn.Parameter]:
    for module in modules:
        yield from module.parameters()
