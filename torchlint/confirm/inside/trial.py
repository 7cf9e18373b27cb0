"""A forward that is watched: how far it came, which operation failed, and from which inputs that was computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

Names = frozenset[str]
_MAX_KEPT = 4096


@dataclass(frozen=True)
class Operand:
    """A tensor in the operation that failed. inputs: the arguments of forward that it was computed from."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    inputs: Names


@dataclass(frozen=True)
class Failure:
    """A forward that raised. progress: how many operations it did before."""

    error: Exception
    progress: int
    operation: str
    operands: tuple[Operand, ...]

    @property
    def inputs(self) -> Names:
        """The arguments of forward, "x" or "xs[1]", that the failed operation had to do with, if any failed."""
        return frozenset().union(*(one.inputs for one in self.operands))


class Watch(TorchFunctionMode):
    """While it is on, what is computed from the arguments of forward is known by their names."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        super().__init__()
        self.progress = 0
        self._origins: dict[int, Names] = {}
        self._kept: list[Any] = []  # they stay alive, so that no other gets their identity
        self._failed: tuple[BaseException, str, tuple[Operand, ...]] | None = None
        for name, value in arguments.items():
            for path, tensor in _paths(value, name):
                self._remember(tensor, frozenset((path,)))

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        operands = list(_tensors((args, kwargs)))
        self.progress += 1
        try:
            result = func(*args, **(kwargs or {}))
        except Exception as error:
            if self._failed is None or self._failed[0] is not error:
                self._failed = (error, _name(func), tuple(self._operand(one) for one in operands))
            raise
        names = frozenset().union(*(self._origins.get(id(one), frozenset()) for one in operands))
        if names and len(self._kept) < _MAX_KEPT:
            self._remember(result, names)
        return result

    def failure(self, error: Exception) -> Failure:
        """What is known of an error that came out of forward."""
        if self._failed is None or not _is_of(error, self._failed[0]):
            return Failure(error, self.progress, "", ())
        return Failure(error, self.progress, *self._failed[1:])

    def _remember(self, value: Any, names: Names) -> None:
        for one in _tensors(value):
            self._origins[id(one)] = names
            self._kept.append(one)

    def _operand(self, tensor: torch.Tensor) -> Operand:
        return Operand(tuple(tensor.shape), tensor.dtype, self._origins.get(id(tensor), frozenset()))


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _tensors(one)


def _paths(value: Any, path: str) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors of an argument, those of a list or a dict by their position: "xs[1]"."""
    if isinstance(value, torch.Tensor):
        yield path, value
    elif isinstance(value, (list, tuple, dict)):
        for index, one in enumerate(value.values() if isinstance(value, dict) else value):
            yield from ((f"{path}[{index}]", tensor) for tensor in _tensors(one))


def _name(func: Any) -> str:
    name = str(getattr(func, "__name__", func))
    return f"{func.__self__.__name__}" if name == "__get__" and hasattr(func, "__self__") else name


def _is_of(error: BaseException | None, cause: BaseException) -> bool:
    """True where `error` is `cause`, or was raised while that was handled."""
    while error is not None:
        if error is cause:
            return True
        error = error.__cause__ or error.__context__
    return False
