"""What the code under a simulation sees: cuda:0 where the pretend device is, which its own "cuda" is, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors
from torch.utils._pytree import tree_map

from .devices import DeviceClashError
from .placed import BACKEND, NotSimulatedError, Placed, device, exchange, put, values_of
from .trace import Trace, tensors_in

_SHOWN = torch.device("cuda", 0)
_SPARSE = frozenset(
    "sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_compressed_tensor".split()
)
_MADE_FROM_DATA = frozenset(("tensor", "as_tensor", "asarray", "new_tensor", "scalar_tensor"))
# These choose a kernel by the device, or another way for tensors like ours: they run whole, on the values.
_WHOLE = frozenset("lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell ctc_loss".split())


def is_pretend(given: Any) -> bool:
    """True for the pretend device, under its own name."""
    if isinstance(given, str):
        return given.partition(":")[0] == BACKEND
    return isinstance(given, torch.device) and given.type == BACKEND


def is_about_the_device(error: Exception) -> bool:
    """True for an error of torch's about the pretend device: it has no kernels of its own."""
    return f"'{BACKEND}'" in str(error)


class HostNeededError(TypeError):
    """Something that only tensors of the CPU can do was asked of one of the device."""

    strays: tuple[torch.Tensor, ...] = ()


class _GeneratorKind(type(torch.Generator)):  # type: ignore[misc]
    """isinstance(x, torch.Generator) holds for every generator also while torch.Generator is the pretended one."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, torch._C.Generator)


class PretendGenerator(torch.Generator, metaclass=_GeneratorKind):
    """A generator of the CPU that says it is one of the device where it was asked to be."""

    shown: torch.device

    def __new__(cls, device: Any = "cpu") -> Any:
        if torch.device(device).type not in ("cuda", BACKEND):
            return torch._C.Generator(device)
        made = super().__new__(cls, "cpu")  # type: ignore[call-arg]
        made.shown = _SHOWN
        return made

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        """cuda:0."""
        return self.shown


class ShownDevice(TorchFunctionMode):
    """While it is on, code sees cuda:0 where the pretend device is, and its "cuda" is the pretend device."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        try:
            result = _call(name, func, args, dict(kwargs or {}))
        except NotSimulatedError as error:
            self._trace.doubt(str(error))
            raise
        except NotImplementedError as error:
            if not is_about_the_device(error):
                raise
            self._trace.doubt(f"{name} on the device")
            raise NotSimulatedError(f"{name} on the device") from error
        except (DeviceClashError, HostNeededError) as error:
            self._trace.clash("raised", name, self._trace.names_of(error.strays), error)
            raise
        return _handed_back(name, args, kwargs or {}, result)


def _call(name: str, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    first = args[0] if args else None
    if func is torch.device:
        made = func(*args, **kwargs)
        return _SHOWN if made.type == BACKEND else made  # torch.device(0) is the device that is there
    if name in ("__get__", "__set__"):
        return _attribute(name, func, first, args, kwargs)
    if isinstance(first, torch.Tensor) and name in _METHODS:
        return _METHODS[name](func, args, kwargs)
    if func in _device_constructors() and kwargs.get("device") is None:
        kwargs["device"] = torch.utils._device.CURRENT_DEVICE
    args = tuple(_translated(one) for one in args)
    kwargs = {key: _translated(one) for key, one in kwargs.items()}
    if name in _MADE_FROM_DATA:
        return _made_from_data(name, func, args, kwargs)
    if name in _WHOLE:
        return _whole(name, func, args, kwargs)
    if name in _SPARSE and is_pretend(kwargs.get("device")):
        raise NotSimulatedError("a sparse tensor on the device")
    result = func(*args, **kwargs)
    _check_generator((*args, *kwargs.values()), result)
    return result


def _check_generator(given: Any, result: Any) -> None:
    """Raise where a generator of one device made numbers on another."""
    generators = [one for one in given if isinstance(one, torch._C.Generator)]
    if not generators or not isinstance(result, torch.Tensor):
        return
    if hasattr(generators[0], "shown") != isinstance(result, Placed):
        raise DeviceClashError("the generator is of another device than the numbers that are drawn", ())


def _handed_back(name: str, args: Any, kwargs: Any, result: Any) -> Any:
    """The operand itself, where an operation in place or with `out` changed its shape: torch gives another object."""
    out = kwargs.get("out")
    if isinstance(out, Placed):
        return out
    if isinstance(out, tuple) and any(isinstance(one, Placed) for one in out):
        return type(result)(out)
    changes_first = name.endswith("_") and not name.startswith("__") and isinstance(result, torch.Tensor)
    return args[0] if changes_first and args and isinstance(args[0], Placed) else result


def _translated(value: Any) -> Any:
    """A device of the user's as torch knows it here."""
    if isinstance(value, torch.device) and value.type == "cuda":
        if value.index:
            raise NotSimulatedError(f"{value}: one device is simulated, cuda:0")
        return device()
    if isinstance(value, str) and (value == "cuda" or value.startswith("cuda:")):
        return _translated(torch.device(value))
    return value


# Attributes and methods of tensors


def _attribute(name: str, func: Any, owner: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    attribute = getattr(getattr(func, "__self__", None), "__name__", "")
    if name == "__set__" and attribute == "data":
        return _set_data(func, *args)
    if name == "__get__" and isinstance(owner, Placed):
        shown = {"device": _SHOWN, "is_cuda": True, "is_cpu": False, f"is_{BACKEND}": False}
        if attribute in shown:
            return shown[attribute]
    return func(*args, **kwargs)


def _set_data(func: Any, owner: torch.Tensor, value: torch.Tensor) -> None:
    """`owner.data = value` also where that carries it from one device to the other."""
    if not isinstance(owner, Placed) and not isinstance(value, Placed):
        func(owner, value)
        return
    fresh = put(values_of(value).detach()) if isinstance(value, Placed) else value.detach()
    needs_grad = owner.requires_grad
    exchange(owner, nn.Parameter(fresh, needs_grad) if isinstance(owner, nn.Parameter) else fresh)
    owner.requires_grad_(needs_grad)


def _numpy(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    if isinstance(args[0], Placed) and not kwargs.get("force"):
        raise HostNeededError("can't convert cuda:0 device type tensor to numpy; copy it to the cpu first")
    return func(values_of(args[0]), *args[1:], **kwargs)


def _of_values(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """What is asked of the values themselves: their memory, or a text of them."""
    return func(*tree_map(values_of, args), **kwargs)


def _cuda(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    wanted = args[1] if len(args) > 1 else kwargs.get("device")
    index = wanted if isinstance(wanted, int) else torch.device(wanted or "cuda").index
    return args[0].to(_translated(torch.device("cuda", index or 0)))


def _type(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """`x.type()` and `x.type("torch.cuda.FloatTensor")`."""
    wanted = args[1] if len(args) > 1 else kwargs.get("dtype")
    if wanted is None:
        return str(func(args[0])).replace(f"torch.{BACKEND}.", "torch.cuda.")
    text = wanted if isinstance(wanted, str) else "" if isinstance(wanted, torch.dtype) else _text_of(wanted)
    if not text:
        return func(*args, **kwargs)
    kind = getattr(torch, text.rpartition(".")[2])
    return args[0].to(device() if ".cuda." in text else torch.device("cpu"), kind.dtype)


def _text_of(kind: Any) -> str:
    return f"{kind.__module__}.{kind.__name__}"


def _indexed(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    if not isinstance(args[0], Placed):
        return func(*args, **kwargs)
    return func(args[0], _with_tensor_indices(args[1]), *args[2:])


def _with_tensor_indices(index: Any) -> Any:
    """A list as an index becomes a tensor below the modes; here it becomes one before."""
    if isinstance(index, tuple):
        return tuple(map(_with_tensor_indices, index))
    if isinstance(index, range):
        index = list(index)
    if hasattr(index, "__array__") and not isinstance(index, torch.Tensor):
        return torch.as_tensor(index)
    is_list = isinstance(index, list) and bool(index)
    if is_list and not any(isinstance(one, (slice, torch.Tensor, type(None))) for one in index):
        return torch.tensor(index)
    return index


def _pin(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    if isinstance(args[0], Placed):
        raise RuntimeError("cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned")
    return args[0].clone()


def _get_device(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    return 0 if isinstance(args[0], Placed) else func(*args, **kwargs)


_METHODS: dict[str, Callable[[Any, Any, dict[str, Any]], Any]] = {
    "__array__": _numpy,
    "__format__": _of_values,
    "__getitem__": _indexed,
    "__setitem__": _indexed,
    "_typed_storage": _of_values,
    "cuda": _cuda,
    "data_ptr": _of_values,
    "get_device": _get_device,
    "numpy": _numpy,
    "pin_memory": _pin,
    "storage": _of_values,
    "tolist": _of_values,
    "type": _type,
    "untyped_storage": _of_values,
}


# Functions that run below the modes, or choose a kernel by the device


def _made_from_data(name: str, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """torch.tensor(data, device="cuda"): the constructor would copy below the modes."""
    where = kwargs.pop("device", None)
    if name == "new_tensor":
        owner, *args = args
        func = torch.tensor
        kwargs.setdefault("dtype", owner.dtype)
        where = torch.Tensor.device.__get__(owner) if where is None else where
    data = args[0] if args else None
    goes_there = isinstance(data, Placed) if where is None else is_pretend(where)
    if isinstance(data, Placed) and goes_there and name != "tensor":
        return data.to(kwargs.get("dtype") or data.dtype)
    # Said here, since a default device would be asked for otherwise.
    usual = data.device if isinstance(data, torch.Tensor) and not isinstance(data, Placed) else "cpu"
    kwargs["device"] = usual if where is None or goes_there else where
    made = func(*(tree_map(values_of, one) for one in args), **kwargs)
    return made.to(device()) if goes_there else made


def _whole(name: str, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    operands = tensors_in((args, kwargs))
    placed = [one for one in operands if isinstance(one, Placed)]
    if not placed:
        return func(*args, **kwargs)
    lengths = _lengths(name, args, kwargs)
    strays = [one for one in operands if not isinstance(one, Placed) and not any(one is length for length in lengths)]
    if strays:
        raise DeviceClashError(f"{name}: its tensors lie on two devices", strays)
    if torch.is_grad_enabled() and any(one.requires_grad for one in placed):
        return _differentiable(func, args, kwargs, placed)
    return tree_map(put, func(*tree_map(values_of, args), **tree_map(values_of, kwargs)))


def _lengths(name: str, args: Any, kwargs: dict[str, Any]) -> list[Any]:
    """The operands that lie on the CPU also where the others do not."""
    if name == "ctc_loss":
        return [*args[2:4], kwargs.get("input_lengths"), kwargs.get("target_lengths")]
    is_packed = len(args) > 3 and isinstance(args[1], torch.Tensor) and isinstance(args[3], (list, tuple))
    return [args[1]] if is_packed else []


def _differentiable(func: Any, args: Any, kwargs: dict[str, Any], placed: Sequence[torch.Tensor]) -> Any:
    """The function on the values, as one step of the graph."""
    found = _Whole.apply(lambda plain: _with(func, args, kwargs, placed, plain), *placed)  # type: ignore[no-untyped-call]
    return found[0] if len(found) == 1 else found


def _with(
    func: Any, args: Any, kwargs: dict[str, Any], placed: Sequence[torch.Tensor], plain: list[torch.Tensor]
) -> Any:
    by_identity = {id(one): other for one, other in zip(placed, plain, strict=True)}
    args, kwargs = tree_map(lambda one: by_identity.get(id(one), one), (args, kwargs))
    return func(*args, **kwargs)


class _Whole(torch.autograd.Function):
    """A function on values whose own graph is kept for the way back."""

    @staticmethod
    def forward(ctx: Any, function: Callable[[list[torch.Tensor]], Any], *placed: Placed) -> tuple[torch.Tensor, ...]:
        with torch.enable_grad():
            ctx.plain = [one.values.detach().requires_grad_(one.requires_grad) for one in placed]
            found = function(ctx.plain)
        ctx.found = found if isinstance(found, tuple) else (found,)
        return tuple(put(one.detach()) for one in ctx.found)

    @staticmethod
    def backward(ctx: Any, *gradients: Placed) -> Any:
        wanted = [one for one in ctx.plain if one.requires_grad]
        given = [values_of(one) for one in gradients]
        found = iter(torch.autograd.grad(ctx.found, wanted, given, allow_unused=True, retain_graph=True))
        return (None, *(put(next(found)) if one.requires_grad else None for one in ctx.plain))
