"""A pretend accelerator: real values on the CPU behind tensors that say they lie on cuda:0.

Each operation is checked by the rule of devices that CUDA enforces, and then runs on the values, so that `.item()`,
masks and branches work. It stands on torch's registration of Python backends, which is experimental (torch 2.13.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import torch
from torch import nn
from torch.utils._pytree import tree_map

from .devices import DeviceClashError, check, written
from .placed import BACKEND, NotSimulatedError, Placed, device, exchange, put, refit, values_of
from .questions import Listening, has_asked, listen
from .shown import PretendGenerator, ShownDevice, is_about_the_device, is_pretend
from .trace import Names, Trace, name_of, tensors_in

__all__ = ["NoSimulationError", "Placed", "SimulatedTrace", "device", "prepare", "simulation", "warm_up"]
# These put their result where the first operand lies, whatever the others are.
_LIKE_THE_FIRST = frozenset("copy_ copy index index_put_ slice_scatter select_scatter diagonal_scatter".split())
# Of the results of these only the first lies on the device.
_SIZES_STAY = frozenset(("_pack_padded_sequence", "_pad_packed_sequence"))


class NoSimulationError(Exception):
    """This torch has no registration of Python backends, or another backend has taken the one place for it."""


def prepare() -> None:
    """Register the backend, once in a process. Raises NoSimulationError."""
    if getattr(prepare, "done", False):
        return
    try:
        from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

        # Else torch.accelerator would offer the pretend device to code that runs without a simulation.
        is_there, usual = torch.accelerator.is_available(), torch.accelerator.current_accelerator()
        _setup_privateuseone_for_python_backend(BACKEND)
        torch.accelerator.is_available = lambda: is_there
        torch.accelerator.current_accelerator = lambda check_available=False: usual
    except (ImportError, AttributeError, RuntimeError) as error:
        raise NoSimulationError(f"torch {torch.__version__} cannot simulate a device: {error}") from error
    listen()
    prepare.done = True  # type: ignore[attr-defined]


def warm_up() -> None:
    """Run the pretend device once, so that forked children find its machinery imported. Raises NoSimulationError."""
    trace = SimulatedTrace("")
    layer = nn.Linear(2, 2)
    with simulation(trace):
        layer.to("cuda")(torch.ones(1, 2, device="cuda")).sum().item()


@contextmanager
def simulation(trace: SimulatedTrace) -> Iterator[None]:
    """What runs inside sees a device cuda:0. Raises NoSimulationError where this torch cannot."""
    prepare()
    swaps = torch.__future__.get_swap_module_params_on_conversion()
    default = torch.utils._device.CURRENT_DEVICE
    # As on CUDA, a Parameter stays the object that aliases and ties hold.
    torch.__future__.set_swap_module_params_on_conversion(True)
    try:
        with ExitStack() as stack:
            stack.enter_context(mock.patch.object(torch.utils, "swap_tensors", exchange))
            stack.enter_context(mock.patch.object(torch, "Generator", PretendGenerator))
            stack.enter_context(Listening(trace.doubt))
            for mode in (torch.no_grad(), trace, ShownDevice(trace)):
                stack.enter_context(mode)
            yield
    finally:
        torch.__future__.set_swap_module_params_on_conversion(swaps)
        if default != torch.utils._device.CURRENT_DEVICE:
            torch.set_default_device(default)


class SimulatedTrace(Trace):  # type: ignore[no-untyped-call]
    """A trace that also runs the operations on the pretend device and tells where two devices meet.

    Where `doubts` has an entry, the pretend device did what CUDA may not do: an error then proves nothing.
    """

    def __init__(self, file: str) -> None:
        super().__init__(file)
        if has_asked(file):
            self.doubt("the file asks torch.cuda.is_available(), which says no here")

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        operands = tensors_in((args, kwargs))
        if not any(isinstance(one, Placed) for one in operands) and not is_pretend(kwargs.get("device")):
            return super().__torch_dispatch__(func, types, args, kwargs)
        self.note(func, self.names_of(one for one in operands if not isinstance(one, Placed)))
        try:
            # Compiled code comes here without having left the mode for functions.
            with torch._C.DisableTorchFunction():
                return run(func, args, kwargs)
        except DeviceClashError as error:
            self.clash("raised", name_of(func), self.names_of(error.strays), error)
            raise
        except NotSimulatedError as error:
            self.doubt(str(error))
            raise
        except NotImplementedError as error:
            if not is_about_the_device(error):
                raise
            self.doubt(f"{name_of(func)} on the device")
            raise NotSimulatedError(f"{name_of(func)} on the device") from error

    def clash(self, what: str, operation: str, names: Names, error: Exception | None = None) -> None:
        """As for every trace; in doubt, an error proves nothing."""
        if what != "raised" or not self.doubts:
            super().clash(what, operation, names, error)


def run(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """The operation on the values; its results lie where CUDA would put them."""
    check(func, args, kwargs)
    operands = tensors_in((args, kwargs))
    plain = tree_map(values_of, dict(kwargs))
    if kwargs.get("device") is not None:
        plain["device"] = torch.device("cpu") if is_pretend(kwargs["device"]) else kwargs["device"]
    if plain.get("pin_memory"):
        plain["pin_memory"] = False
    result = func(*tree_map(values_of, args), **plain)
    if func._schema.is_mutable:
        for one in written(func, args, kwargs):
            refit(one) if isinstance(one, Placed) else None
    # What is handed back stays the object that was handed in.
    owners = {id(values_of(one)): one for one in operands}
    goes_there = _goes_there(func, args, kwargs, operands)
    if name_of(func) in _SIZES_STAY and goes_there:
        return put(result[0]), *result[1:]
    return tree_map(lambda one: owners.get(id(one)) if id(one) in owners else put(one) if goes_there else one, result)


def _goes_there(func: Any, args: Any, kwargs: dict[str, Any], operands: list[torch.Tensor]) -> bool:
    if name_of(func) in _LIKE_THE_FIRST:
        return isinstance(args[0], Placed)
    given = kwargs.get("device")
    return any(isinstance(one, Placed) for one in operands) if given is None else is_pretend(given)
