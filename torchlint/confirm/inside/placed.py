"""Tensors on the pretend device: a tensor that says it lies there, around one of the CPU that holds its values."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.parameter import UninitializedTensorMixin  # type: ignore[attr-defined]

BACKEND = "pretend"
_OWN = ("values", "_is_param")


class NotSimulatedError(Exception):
    """What CUDA would do here is not known, or the pretend device cannot do it: nothing follows from this error."""


def device() -> torch.device:
    """The pretend device, as torch knows it."""
    return torch.device(BACKEND, 0)


class Placed(torch.Tensor):
    """A tensor on the pretend device; `values` are its real values on the CPU."""

    values: torch.Tensor  # type: ignore[assignment]

    @staticmethod
    def __new__(cls, values: torch.Tensor, requires_grad: bool = False) -> Placed:
        if values.layout is not torch.strided or values.is_quantized or values.is_nested:
            raise NotSimulatedError("a sparse, quantised or nested tensor on the device")
        made: Placed = torch.Tensor._make_wrapper_subclass(
            cls,
            values.size(),
            strides=values.stride(),
            storage_offset=values.storage_offset(),
            dtype=values.dtype,
            layout=values.layout,
            device=device(),
            requires_grad=requires_grad,
        )
        made.values = values.detach() if values.requires_grad else values
        return made

    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        from .simulated import run  # which imports this file

        return run(func, args, kwargs or {})

    def __repr__(self) -> str:  # type: ignore[override]
        return f"Placed({self.values!r})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment"
            )
        copied = _rebuilt(self.values.clone(), self.requires_grad, _is_parameter(self))
        memo[id(self)] = copied
        return copied

    def __reduce_ex__(self, protocol: Any) -> Any:
        if not self.is_leaf:
            raise RuntimeError("a tensor that is part of a graph cannot be pickled")
        return _rebuilt, (self.values, self.requires_grad, _is_parameter(self))


def _rebuilt(values: torch.Tensor, requires_grad: bool, is_parameter: bool) -> torch.Tensor:
    placed = Placed(values)
    return nn.Parameter(placed, requires_grad) if is_parameter else placed.requires_grad_(requires_grad)


def _is_parameter(tensor: torch.Tensor) -> bool:
    return isinstance(tensor, nn.Parameter)


def values_of(value: Any) -> Any:
    """The values of a tensor on the device; anything else as it is."""
    return value.values if isinstance(value, Placed) else value


def put(value: Any) -> Any:
    """A tensor of the CPU on the device, without a copy; anything else as it is."""
    if isinstance(value, torch.Tensor) and not isinstance(value, Placed):
        # The wrapper cannot say that its values are lazily conjugated or negated.
        return Placed(value.resolve_conj().resolve_neg())
    return value


def refit(tensor: Placed) -> None:
    """Give the wrapper the shape that its values have by now, after an operation such as `resize_`."""
    values = tensor.values
    shapes = [(one.shape, one.stride(), one.storage_offset()) for one in (tensor, values)]
    if shapes[0] != shapes[1]:
        torch._C._swap_tensor_impl(tensor, Placed(values, tensor.requires_grad))


def exchange(tensor: torch.Tensor, other: torch.Tensor) -> None:
    """Let `tensor` be what `other` is, as the assignment to `.data` does: it stays the object that others hold.

    torch.utils.swap_tensors refuses where a view, a graph or a weak reference holds the tensor, which matters to
    conversions on CUDA as little as here.
    """
    if isinstance(tensor, UninitializedTensorMixin):
        raise NotSimulatedError("a lazy parameter on the device")
    kept = {name: value for name, value in vars(tensor).items() if name not in _OWN}
    own = dict(vars(other))
    tensor.__class__, other.__class__ = type(other), type(tensor)
    vars(other).clear()
    vars(other).update(vars(tensor))
    vars(tensor).clear()
    vars(tensor).update(kept | own)
    torch._C._swap_tensor_impl(tensor, other)
