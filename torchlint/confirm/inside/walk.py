"""Every tensor that can be reached from a module, registered or not."""

from __future__ import annotations

import collections
import functools
import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import torch
from torch import nn

_DEPTH = 4
_MAX_ITEMS = 200
_MOST_VISITS = 20000
_REGISTRIES = ("_parameters", "_buffers", "_modules")
_HOOKS = ("_hooks", "_hooks_with_kwargs", "_hooks_always_called")
_LEAVES = (str, bytes, int, float, complex, bool, type(None), type, types.ModuleType, torch.dtype, torch.device)
_SEQUENCES = (list, tuple, set, frozenset, collections.deque)


class Held(str, Enum):
    """How a module holds a tensor. The first two move with the module."""

    PARAMETER = "parameter"
    BUFFER = "buffer"
    ATTRIBUTE = "attribute"
    CONTAINER = "container"
    OBJECT = "object"
    CLOSURE = "closure"
    CLASS = "class"
    GLOBAL = "global"


REGISTERED = (Held.PARAMETER, Held.BUFFER)


@dataclass(frozen=True)
class Reached:
    """A tensor and the way to it: "self.table", "self.parts[0].weight", "self.scale.<closure gain>"."""

    path: str
    held: Held
    tensor: torch.Tensor


def walk(module: nn.Module) -> list[Reached]:
    """The tensors of a module and of all that it holds, each once, by the first way to it."""
    return list(_Walk().of_module(module, "self", None, _DEPTH))


def tensors_below(value: Any, *, beside: nn.Module | None = None) -> list[torch.Tensor]:
    """The tensors that can be reached from any value, but not by way of a module: that has all that it holds."""
    return [one.tensor for one in _Walk(beside).of_value(value, "", Held.ATTRIBUTE, _DEPTH)]


class _Walk:
    def __init__(self, known: Any = None) -> None:
        # The objects stay alive, so that no other gets their identity.
        self._seen: dict[int, Any] = {id(known): known}

    def of_module(self, module: nn.Module, path: str, held: Held | None, depth: int) -> Iterator[Reached]:
        """held: how the module itself is held where that is not by registration: its state is then lost as well."""
        if self._is_known(module):
            return
        for registry, kind in ((module._parameters, Held.PARAMETER), (module._buffers, Held.BUFFER)):
            for name, tensor in registry.items():
                if tensor is not None and not self._is_known(tensor):
                    yield Reached(f"{path}.{name}", held or kind, tensor)
        for name, child in module._modules.items():
            if child is not None:
                yield from self.of_module(child, f"{path}.{name}", held, depth)
        for name, value in list(vars(module).items()):
            if name not in _REGISTRIES and not name.endswith(_HOOKS):
                kind = Held.ATTRIBUTE if isinstance(value, torch.Tensor) else Held.CONTAINER
                yield from self.of_value(value, f"{path}.{name}", held or kind, depth)
        yield from self._of_classes(module, path, depth)

    def of_value(self, value: Any, path: str, held: Held, depth: int) -> Iterator[Reached]:
        """What an attribute, an element or a captured name holds."""
        if isinstance(value, torch.Tensor):
            if not self._is_known(value):
                yield Reached(path, held, value)
            return
        if depth <= 0 or isinstance(value, _LEAVES) or len(self._seen) > _MOST_VISITS:
            return
        if isinstance(value, nn.Module):
            yield from self.of_module(value, path, held, depth)
        elif not self._is_known(value):
            for part, below, kind in _parts(value, path, held):
                yield from self.of_value(part, below, kind, depth - 1)

    def _of_classes(self, module: nn.Module, path: str, depth: int) -> Iterator[Reached]:
        """What the classes of a module hold, and the tops of the files that its methods name."""
        for owner in _own_classes(module):
            for name, value in list(vars(owner).items()):
                if isinstance(value, (torch.Tensor, *_SEQUENCES, dict)):
                    yield from self.of_value(value, f"{path}.{name}", Held.CLASS, depth)
            for method in map(_function_of, list(vars(owner).values())):
                for name, value in _globals_of(method) if method is not None else ():
                    yield from self.of_value(value, name, Held.GLOBAL, depth)

    def _is_known(self, value: Any) -> bool:
        known = id(value) in self._seen
        self._seen[id(value)] = value
        return known


def _parts(value: Any, path: str, held: Held) -> Iterator[tuple[Any, str, Held]]:
    """What an object consists of, each part with the way to it and how it is held."""
    if isinstance(value, _SEQUENCES):
        names = getattr(value, "_fields", None) if isinstance(value, tuple) else None
        for index, part in enumerate(list(value)[:_MAX_ITEMS]):
            yield part, f"{path}.{names[index]}" if names else f"{path}[{index}]", held
    elif isinstance(value, dict):
        for key, part in list(value.items())[:_MAX_ITEMS]:
            yield part, f"{path}[{key!r}]", held
    elif isinstance(value, functools.partial):
        yield [*value.args, *value.keywords.values(), value.func], f"{path}.<partial>", Held.CLOSURE
    elif isinstance(value, types.MethodType):
        yield value.__self__, f"{path}.__self__", held
    elif isinstance(value, types.FunctionType):
        yield from _captured(value, path)
    elif _is_open(value):
        for name, part in _attributes(value):
            yield part, f"{path}.{name}", Held.OBJECT


def _captured(function: types.FunctionType, path: str) -> Iterator[tuple[Any, str, Held]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield cell.cell_contents, f"{path}.<closure {name}>", Held.CLOSURE
        except ValueError:
            continue  # a name that is bound later
    for index, default in enumerate((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())):
        yield default, f"{path}.<default {index}>", Held.CLOSURE


def _is_open(value: Any) -> bool:
    """True for an object whose attributes are looked at: none of torch's own, but for distributions of tensors."""
    module = type(value).__module__ or ""
    return module.partition(".")[0] != "torch" or module.startswith("torch.distributions")


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes that an object stores, without running code of its own."""
    yield from _dictionary_of(value)
    for owner in type(value).__mro__:
        for name, slot in list(vars(owner).items()):
            if isinstance(slot, types.MemberDescriptorType):
                try:
                    yield name, slot.__get__(value)
                except AttributeError:
                    continue  # nothing is stored there


def _dictionary_of(value: Any) -> list[tuple[str, Any]]:
    try:
        return list(object.__getattribute__(value, "__dict__").items())
    except AttributeError:
        return []  # it has slots alone


def _own_classes(module: nn.Module) -> Iterator[type]:
    """The classes of a module that are not torch's."""
    for owner in type(module).__mro__:
        if owner.__module__.partition(".")[0] != "torch" and owner is not object:
            yield owner


def _function_of(member: Any) -> types.FunctionType | None:
    """The function behind a method, also where it is static, of the class, a property, or decorated."""
    if isinstance(member, property):
        member = member.fget
    elif isinstance(member, (staticmethod, classmethod)):
        member = member.__func__
    elif isinstance(member, functools.cached_property):
        member = member.func
    if isinstance(member, (types.FunctionType, functools._lru_cache_wrapper)):
        member = inspect.unwrap(member)
    return member if isinstance(member, types.FunctionType) else None


def _globals_of(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The tensors at the top of the file that a function names, and those in lists and dicts there.

    Also those of functions of the same file that it names, and those of classes there that are no modules.
    """
    top = function.__globals__
    waiting, seen = [function.__code__], {function.__code__}
    while waiting:
        code = waiting.pop()
        found = {name: top[name] for name in code.co_names if name in top}
        for name, value in found.items():
            if isinstance(value, (torch.Tensor, *_SEQUENCES, dict)):
                yield name, value
            elif isinstance(value, type) and value.__module__ == top["__name__"] and not issubclass(value, nn.Module):
                tensors = {key: one for key, one in vars(value).items() if isinstance(one, torch.Tensor)}
                yield from ((f"{name}.{key}", one) for key, one in tensors.items())
        functions = [one for one in found.values() if isinstance(one, types.FunctionType) and one.__globals__ is top]
        inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
        more = [one for one in (*(each.__code__ for each in functions), *inner) if one not in seen]
        seen.update(more)
        waiting += more
