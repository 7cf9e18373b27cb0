"""A module that is built as another was, from the same random numbers, but with other weights from the start."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_parameter_registration_hook
from torch.overrides import TorchFunctionMode

from .recipe import Recipe

_NOISE = 0.5


def with_other_weights(recipe: Recipe) -> nn.Module:
    """What the constructor computes from its Parameters is of the other weights too; all else is as it always is."""
    source = torch.Generator().manual_seed(recipe.seed + 1)
    handle = register_module_parameter_registration_hook(lambda module, name, value: _shift(value, source))
    try:
        with _Shifting(source):
            return recipe.build(noise=False)
    finally:
        handle.remove()


class _Shifting(TorchFunctionMode):
    """Whatever is written into a Parameter in place is written with noise."""

    def __init__(self, source: torch.Generator) -> None:
        super().__init__()
        self._source = source

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        # torch.nn.init hands its tensor on by keyword.
        target = args[0] if args else (kwargs or {}).get("tensor")
        if name.endswith("_") and not name.endswith("__"):
            _shift(target, self._source)
        return result


def _shift(parameter: object, source: torch.Generator) -> None:
    """Add noise that takes nothing from the usual random numbers."""
    is_lazy = isinstance(parameter, nn.parameter.UninitializedParameter)
    if isinstance(parameter, nn.Parameter) and not is_lazy and parameter.is_floating_point():
        with torch.no_grad():
            noise = torch.randn(parameter.shape, generator=source)
            parameter.add_(noise.to(parameter), alpha=_NOISE)
