"""Mixed precision without a GPU: autocast regions and gradient scalers that ask for CUDA do the same on the CPU.

Entered before the checked file is imported, since a decorator opens its region there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import (
    register_module_buffer_registration_hook,
    register_module_parameter_registration_hook,
)

from .standins import StandIn

_AWAY = ("cuda", "mps", "xpu", "npu")


@dataclass
class Rehearsal:
    """What the code did with mixed precision since it was cleared.

    is_here: whether the line that is looked at is running. is_scaling: False makes each new scaler do nothing, as
    enabled=False does. stays_out: True runs each backward pass outside of all regions.
    losses: what scalers scaled. scaled: for each backward pass from one of those, whether some gradient was not finite.
    backward: for each pass at the line, whether a region was open. regions: for each region, whether it was enabled.
    state: the tensors of modules, and of what state_dict() and torch.load() gave. optimizers: all that were made;
    made_here: those of the line. starts: their parameters, and what they were when the optimizer was made.
    has_loaded: whether torch.load() was ever asked for a state, which clearing does not forget.
    """

    is_here: Callable[[], bool] = lambda: False
    is_scaling: bool = True
    stays_out: bool = False
    losses: list[torch.Tensor] = field(default_factory=list)
    scaled: list[bool] = field(default_factory=list)
    backward: list[bool] = field(default_factory=list)
    regions: list[bool] = field(default_factory=list)
    state: list[torch.Tensor] = field(default_factory=list)
    optimizers: list[Any] = field(default_factory=list)
    made_here: list[Any] = field(default_factory=list)
    starts: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list)
    has_loaded: bool = False

    def clear(
        self, *, is_here: Callable[[], bool] = lambda: False, is_scaling: bool = True, stays_out: bool = False
    ) -> None:
        """Forget what was done."""
        self.is_here, self.is_scaling, self.stays_out = is_here, is_scaling, stays_out
        self.losses, self.scaled, self.backward, self.regions = [], [], [], []
        self.state, self.optimizers, self.made_here, self.starts = [], [], [], []

    def is_scaled(self, loss: object) -> bool:
        """True for a loss that a scaler gave."""
        return any(loss is one for one in self.losses)


REHEARSAL = Rehearsal()


def rehearse() -> None:
    """From here on this process rehearses."""
    _replace(torch.amp.autocast_mode.autocast, "__init__", _autocast)
    _replace(torch.amp.GradScaler, "__init__", _scaler)
    _replace(torch.amp.GradScaler, "scale", _scale)
    _replace(torch.autograd, "backward", _backward)
    _replace(torch.autograd, "grad", _backward)
    _replace(torch.optim.Optimizer, "__init__", _optimizer)
    _replace(nn.Module, "state_dict", _state_dict)
    _replace(nn.Module, "named_buffers", _named_buffers)
    _replace(torch, "load", _load)
    _replace(torch, "save", lambda before, *given, **named: None)
    for register in (register_module_buffer_registration_hook, register_module_parameter_registration_hook):
        register(lambda module, name, value: _keep(REHEARSAL.state, value))


def is_autocast() -> bool:
    """True inside an open region."""
    return torch.is_autocast_enabled("cpu")


def region_dtype() -> torch.dtype:
    """The dtype of the open region."""
    return torch.get_autocast_dtype("cpu")


def _replace(owner: Any, name: str, by: Callable[..., Any]) -> None:
    before = getattr(owner, name)

    def replaced(*given: Any, **named: Any) -> Any:
        return by(before, *given, **named)

    replaced.__name__, replaced.__doc__ = name, before.__doc__
    setattr(owner, name, replaced)


def _here(device_type: Any) -> str:
    kind = str(device_type).partition(":")[0]
    return "cpu" if kind in _AWAY else kind


def _autocast(
    before: Any, region: Any, device_type: Any, dtype: Any = None, enabled: bool = True, cache_enabled: Any = None
) -> None:
    if dtype is None and _here(device_type) != device_type:
        dtype = torch.float16  # as on CUDA; on the CPU it would be bfloat16
    REHEARSAL.regions.append(bool(enabled))
    before(region, _here(device_type), dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


def _scaler(before: Any, scaler: Any, device: Any = "cuda", *given: Any, **named: Any) -> None:
    names = ("init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")
    named = {**dict(zip(names, given, strict=False)), **named}
    if not REHEARSAL.is_scaling:
        named["enabled"] = False
    before(scaler, _here(device), **named)


def _backward(before: Any, *given: Any, **named: Any) -> Any:
    if REHEARSAL.is_here():
        REHEARSAL.backward.append(is_autocast())
    if REHEARSAL.stays_out:
        with torch.autocast("cpu", enabled=False):
            return before(*given, **named)
    result = before(*given, **named)
    loss = given[0] if given else None
    if isinstance(loss, torch.Tensor) and REHEARSAL.is_scaled(loss):
        REHEARSAL.scaled.append(not all(bool(one.isfinite().all()) for one in _gradients_of(loss)))
    return result


def _gradients_of(loss: torch.Tensor) -> Iterator[torch.Tensor]:
    """The gradients of all that a loss was computed from."""
    waiting, seen = [loss.grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        leaf = getattr(node, "variable", None)
        if leaf is not None and leaf.grad is not None:
            yield leaf.grad
        waiting += [one for one, _ in node.next_functions]


def _scale(before: Any, scaler: Any, outputs: Any) -> Any:
    scaled = before(scaler, outputs)
    if scaler.is_enabled() and isinstance(scaled, torch.Tensor):
        REHEARSAL.losses.append(scaled)
    return scaled


def _optimizer(before: Any, optimizer: Any, *given: Any, **named: Any) -> None:
    before(optimizer, *given, **named)
    own = [one for group in optimizer.param_groups for one in group["params"]]
    REHEARSAL.starts += [(one, one.detach().clone()) for one in own]
    REHEARSAL.optimizers.append(optimizer)
    if REHEARSAL.is_here():
        REHEARSAL.made_here.append(optimizer)


def _state_dict(before: Any, *given: Any, **named: Any) -> Any:
    return _kept(before(*given, **named))


def _load(before: Any, *given: Any, **named: Any) -> Any:
    REHEARSAL.has_loaded = True
    return _kept(StandIn().state_dict())


def _kept(state: Any) -> Any:
    for value in state.values() if isinstance(state, dict) else ():
        _keep(REHEARSAL.state, value)
    return state


def _named_buffers(before: Any, *given: Any, **named: Any) -> Any:
    for name, value in before(*given, **named):
        _keep(REHEARSAL.state, value)
        yield name, value


def _keep(where: list[torch.Tensor], value: Any) -> None:
    if isinstance(value, torch.Tensor):
        where.append(value)
