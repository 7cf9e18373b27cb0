"""What is seen of states that are kept, and of averages: which tensors are those of the model, and which follow it."""

from __future__ import annotations

import copy
import re
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch import nn
from torch.nn.modules.module import (
    register_module_buffer_registration_hook,
    register_module_parameter_registration_hook,
)

from .line_watch import Ears, Lines, LineWatch
from .outcomes import said
from .subject import Facts
from .trace import line_in, tensors_in
from .walk import tensors_below

if TYPE_CHECKING:
    from .scene import Scene

_HOLDER = re.compile(r"\bself\.(\w+) keeps\b")
_SHIFT, _SHARE = 0.3, 0.75
_LEAST_SHARE, _CLOSE = 1e-4, 1e-3
_TAKES_ALONG = frozenset(("buffers", "named_buffers", "state_dict", "load_state_dict"))


# TL116


class _Uses:
    """What state_dict() gave at the lines, and what is taken of it later."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._kept: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        self.harm: list[Facts] = []
        self.copies: list[str] = []
        self.is_live = False

    def give(self, state: Any) -> Any:
        """The state, whose tensors are remembered with their values, where one of the lines asked for it.

        Other lines of the file get copies: what is seen later of the model's own tensors comes from the lines.
        """
        if self._lines.is_running():
            self._kept |= {one.data_ptr(): (one, one.detach().clone()) for one in _tensors(state)}
            return state
        return copy.deepcopy(state) if line_in(self._lines.file) else state

    def take(self, user: str, value: Any) -> None:
        """Compare what is used now with what was kept."""
        tensors = _tensors(value)
        mine = [self._kept[one.data_ptr()] for one in tensors if one.data_ptr() in self._kept]
        if any(not torch.equal(one, before) for one, before in mine):
            self.harm.append({"user": user, "line": line_in(self._lines.file)})
        elif mine:
            self.is_live = True  # the model's own tensors, if still with the values that they had
        elif tensors and self._kept and not mine:
            self.copies.append(user)


def _tensors(value: Any) -> list[torch.Tensor]:
    return [one for one in tensors_in(value) if one.layout is torch.strided and one.numel()]


@contextmanager
def _uses(lines: Lines) -> Iterator[_Uses]:
    uses = _Uses(lines)
    give, load = nn.Module.state_dict, nn.Module.load_state_dict

    def state_dict(module: nn.Module, *given: Any, **named: Any) -> Any:
        state = give(module, *given, **named)
        return state if "destination" in named else uses.give(state)

    def load_state_dict(module: nn.Module, state_dict: Any, *given: Any, **named: Any) -> Any:
        uses.take("load_state_dict()", state_dict)
        return load(module, state_dict, *given, **named)

    with (
        mock.patch.object(nn.Module, "state_dict", state_dict),
        mock.patch.object(nn.Module, "load_state_dict", load_state_dict),
        mock.patch.object(torch, "save", lambda value, *given, **named: uses.take("save()", value)),
    ):
        yield uses


@contextmanager
def _state_made() -> Iterator[list[torch.Tensor]]:
    """The Parameters and buffers that modules get meanwhile."""
    made: list[torch.Tensor] = []

    def note(module: nn.Module, name: str, tensor: torch.Tensor | None) -> None:
        if tensor is not None:
            made.append(tensor)

    handles = [register_module_parameter_registration_hook(note), register_module_buffer_registration_hook(note)]
    try:
        yield made
    finally:
        for handle in handles:
            handle.remove()


def kept_state(scene: Scene) -> Facts:
    """What is taken of a state after it was kept at the line; what an attribute keeps, and a step on the model changes.

    harm: the uses that get tensors which were written to since. copies: those that get other tensors, where none gets
    the model's own. shared: the attribute with tensors that are the model's own, own: the one with others.
    """
    facts = _kept(scene, is_trained=False)
    return facts if facts["harm"] or facts["raised"] else _kept(scene, is_trained=True)


def _kept(scene: Scene, *, is_trained: bool) -> Facts:
    """What one call shows. is_trained: the models learn something between the construction of their owner and it."""
    with _state_made() as made, _uses(scene.lines) as uses:
        facts, module, result = _called(scene, made if is_trained else [])
        if not facts["raised"]:
            uses.take("the return", result)
    holder = _HOLDER.search(scene.text)
    held = _held(_owner(module), result, holder[1]) if holder else []
    is_copy = _is_copied(held, made)
    shared = _changed_by_step(held, made)
    harm = [*uses.harm, *([{"holder": holder[1]}] if holder and shared and facts["ran"] else [])]
    own = holder[1] if holder and is_copy and not shared else ""
    return {**facts, "harm": harm, "copies": [] if uses.is_live else uses.copies, "own": own}


def _called(scene: Scene, trained: list[torch.Tensor]) -> tuple[Facts, Any, Any]:
    """One call; whether the line ran and how it ended, what was called, and what came out.

    trained: the state of the models, some of which is changed before the call.
    """
    watch = LineWatch(scene.lines, Ears())
    module = result = None
    raised = ""
    try:
        with watch:
            given, named = scene.arguments()
            _with_gradients([*given, *named.values()])
            module = scene.module()
            _learn(trained)
            result = module(*given, **named)
    except Exception as error:
        raised = said(error)
    return {"ran": watch.has_run, "raised": raised}, module, result


def _learn(state: list[torch.Tensor]) -> None:
    """Change the Parameters in place, as the step of an optimizer does."""
    with torch.no_grad():
        for one in state:
            if isinstance(one, nn.Parameter) and one.is_floating_point() and not nn.parameter.is_lazy(one):
                one.add_(_SHIFT)


def _with_gradients(arguments: list[Any]) -> None:
    """Let a step of an optimizer do something also where the loop computes no gradients."""
    for one in arguments:
        for group in one.param_groups if isinstance(one, torch.optim.Optimizer) else ():
            for parameter in group["params"]:
                parameter.grad = torch.ones_like(parameter)


def _between_models(value: Any) -> Any:
    """The share of an average that leaves neither model as it is, for a number that may be one."""
    return _SHARE if type(value) is float else value


def _owner(module: Any) -> Any:
    """The object whose method is called."""
    return getattr(getattr(module, "function", None), "__self__", module)


def _held(owner: Any, result: Any, holder: str) -> list[torch.Tensor]:
    """What an attribute of the object, or of the built one, keeps; where it is empty, what the method gives."""
    keepers = [one for one in (owner, result) if hasattr(one, holder)]
    held = [tensor for one in keepers for tensor in _tensors(tensors_below(getattr(one, holder)))]
    return held or (_tensors(tensors_below(result)) if not any(result is one for one in keepers) else [])


def _is_copied(held: list[torch.Tensor], made: list[torch.Tensor]) -> bool:
    """True where all that is held has the values of some Parameter or buffer: it was taken from a model."""
    floating = [one for one in held if one.is_floating_point()]
    return bool(floating) and all(any(torch.equal(one, each) for each in made) for one in floating)


def _changed_by_step(held: list[torch.Tensor], made: list[torch.Tensor]) -> bool:
    """True where a step on the models changes what is held."""
    before = [one.detach().clone() for one in held]
    _learn(made)
    return any(not torch.equal(one, old) for one, old in zip(held, before, strict=True))


# TL117


def parameters_alone(scene: Scene) -> Facts:
    """Whether the call averages the weights of one model into another one, and what becomes of the buffers of that.

    harm: a model whose buffers stay as they were, though the other has others. along: the buffers followed. elsewhere:
    whether other code of the file that has to do with it names buffers.
    """
    watch = LineWatch(scene.lines, Ears())
    given, named = scene.arguments()
    given, named = list(map(_between_models, given)), {name: _between_models(one) for name, one in named.items()}
    module = scene.module()
    models = _models(_owner(module), [*given, *named.values()])
    before = [_shifted(model, number) for number, model in enumerate(models)]
    raised = ""
    try:
        with watch:
            module(*given, **named)
    except Exception as error:
        raised = said(error)
    pairs = _averaged(models, before) if not raised else []
    facts: Facts = {"ran": watch.has_run, "raised": raised, "harm": [], "along": False}
    for averaged, source in pairs:
        stayed = _buffers_that_stay(models[averaged], before[averaged], before[source])
        facts["along"] = facts["along"] or stayed == []
        facts["harm"] += [{"buffer": stayed[0]}] if stayed else []
    return {**facts, "elsewhere": _is_elsewhere(_function(module))}


State = dict[str, torch.Tensor]


def _models(owner: Any, arguments: list[Any]) -> list[nn.Module]:
    """The models that have a part in it: the arguments, and what the object holds."""
    held = list(vars(owner).values()) if hasattr(owner, "__dict__") else []
    if isinstance(owner, nn.Module):
        held += list(owner.children())
    found = {id(one): one for one in (*arguments, *held) if isinstance(one, nn.Module)}
    return [one for one in found.values() if any(True for _ in one.parameters())]


def _shifted(model: nn.Module, number: int) -> tuple[State, State]:
    """Give each floating tensor of a model values of its own; what they are then."""
    noise = torch.Generator().manual_seed(number + 1)
    with torch.no_grad():
        for one in (*model.parameters(), *model.buffers()):
            if one.is_floating_point():
                one.add_(torch.rand(one.shape, generator=noise) + _SHIFT)
    return _state(model.named_parameters()), _state(model.named_buffers())


def _state(named: Any) -> State:
    return {name: one.detach().clone() for name, one in named if one.is_floating_point()}


def _averaged(models: list[nn.Module], before: list[tuple[State, State]]) -> list[tuple[int, int]]:
    """The pairs of a model whose weights are now between its own and those of another one, and that other one."""
    after = [_state(model.named_parameters()) for model in models]
    return [
        (one, other)
        for one in range(len(models))
        for other in range(len(models))
        if one != other and _is_between(before[one][0], after[one], before[other][0])
    ]


def _is_between(old: State, new: State, aim: State) -> bool:
    if not old or old.keys() != aim.keys() or any(old[name].shape != aim[name].shape for name in old):
        return False
    starts, ends, news = (torch.cat([one[name].flatten() for name in old]).double() for one in (old, aim, new))
    way = ends - starts
    share = float(torch.dot(news - starts, way) / torch.dot(way, way).clamp_min(1e-12))
    gap = float((news - starts - share * way).abs().max())
    return _LEAST_SHARE < share < 1 - _LEAST_SHARE and gap < _CLOSE


def _buffers_that_stay(model: nn.Module, before: tuple[State, State], source: tuple[State, State]) -> list[str] | None:
    """The buffers that are as they were, and unlike those of the source; None where there are none to follow."""
    now, old, aim = _state(model.named_buffers()), before[1], source[1]
    moving = [name for name in old if name in aim and old[name].shape == aim[name].shape]
    moving = [name for name in moving if not torch.equal(old[name], aim[name])]
    return [name for name in moving if name in now and torch.equal(now[name], old[name])] if moving else None


def _function(module: Any) -> types.FunctionType | None:
    function = getattr(module, "function", None)
    function = getattr(function, "__func__", function)
    function = getattr(function, "__wrapped__", function)
    return function if isinstance(function, types.FunctionType) else None


def _is_elsewhere(function: types.FunctionType | None) -> bool:
    """True where a caller of a function in its file, or another method of its class, names buffers or states."""
    if function is None:
        return True
    owner = function.__qualname__.rpartition(".")[0]
    others = [one for one in _functions_in(function) if one.__code__ is not function.__code__]
    related = [one for one in others if _calls(one, function) or (owner and one.__qualname__.startswith(f"{owner}."))]
    return any(_TAKES_ALONG.intersection(_names(one.__code__)) for one in related)


def _calls(one: types.FunctionType, function: types.FunctionType) -> bool:
    return function.__name__ in _names(one.__code__)


def _names(code: types.CodeType) -> set[str]:
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _functions_in(function: types.FunctionType) -> Iterator[types.FunctionType]:
    """The functions of the file that a function is of, and the methods of its classes."""
    for value in list(function.__globals__.values()):
        if isinstance(value, type) and value.__module__ == function.__module__:
            yield from (one for one in map(_unwrapped, vars(value).values()) if one is not None)
        elif (found := _unwrapped(value)) is not None and found.__globals__ is function.__globals__:
            yield found


def _unwrapped(value: Any) -> types.FunctionType | None:
    value = getattr(value, "__func__", value)
    value = getattr(value, "__wrapped__", value) if isinstance(value, types.FunctionType) else value
    return value if isinstance(value, types.FunctionType) else None


PROBES: dict[str, Callable[[Any], Facts]] = {"TL116": kept_state, "TL117": parameters_alone}
