"""Which tensors are computed from Parameters while a module is built: they are none themselves."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from .trace import tensors_in
from .walk import REGISTERED, walk


class Lineage(TorchFunctionMode):
    """While it is on, tensors that get their values from Parameters are known with these."""

    def __init__(self) -> None:
        super().__init__()
        # The tensor beside its Parameters, so that its identity is not given to others.
        self._sources: dict[int, tuple[torch.Tensor, dict[int, nn.Parameter]]] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = str(getattr(func, "__name__", ""))
        if name.endswith("_like") or name.startswith("new_"):
            return result  # only the shape is taken
        sources: dict[int, nn.Parameter] = {}
        for one in tensors_in((args, kwargs or {})):
            sources |= self._sources.get(id(one), (one, {}))[1]
            if isinstance(one, nn.Parameter):
                sources[id(one)] = one
        for one in tensors_in(result) if sources else ():
            self._sources[id(one)] = (one, sources)
        return result

    def lost_in(self, module: nn.Module) -> list[str]:
        """The paths of plain tensors that are computed from a Parameter which the module does not have."""
        registered = {id(one) for one in module.parameters()}
        found = [one for one in walk(module) if one.held not in REGISTERED and id(one.tensor) in self._sources]
        return [one.path for one in found if self._sources[id(one.tensor)][1].keys() - registered]
