"""Which tensors may meet in one operation on CUDA: the rule by which the pretend device raises.

CUDA's elementwise kernels take one 0-dim tensor of the CPU beside those of the device, indexing takes index tensors of
the CPU, copies cross over; everything else wants one device. Read from the device checks of native_functions.yaml and
of TensorIterator in torch 2.13.0. An operation for which the answer is not known raises NotSimulatedError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .placed import NotSimulatedError, Placed
from .trace import name_of, tensors_in

# CUDA's kernels for these take index tensors that lie on the CPU.
_INDEXING = frozenset("index index_put index_put_ _unsafe_index _index_put_impl_ _unsafe_index_put".split())
# These copy from one device to another, or look at sizes alone.
_CROSSING = frozenset(
    """
    copy_ copy _copy_from _to_copy _foreach_copy_ slice_scatter select_scatter diagonal_scatter
    is_same_size is_set_to resize_as_
    """.split()
)
# The lengths of sequences stay on the CPU also where the sequences do not.
_LENGTHS_ON_CPU = {"_pack_padded_sequence": (1,), "_pad_packed_sequence": (1,), "_ctc_loss": (2, 3)}
_ELEMENTWISE = frozenset(
    """
    add sub rsub mul div pow fmod remainder floor_divide true_divide eq ne lt le gt ge maximum minimum fmax fmin
    atan2 copysign hypot heaviside xlogy bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift
    logical_and logical_or logical_xor __lshift__ __rshift__ __ilshift__ __irshift__ where fill mse_loss smooth_l1_loss
    """.split()
)
# The value that is filled in may be a 0-dim tensor of the CPU, the mask or index may not.
_FILLING = {"masked_fill": 2, "index_fill": 3}
_ONE_DEVICE = frozenset(
    """
    mm addmm bmm baddbmm mv addmv dot embedding gather index_select index_add cat stack scatter scatter_add convolution
    native_layer_norm native_batch_norm native_group_norm linear masked_select take masked_scatter gcd lcm logaddexp
    logaddexp2 nextafter equal nll_loss_forward searchsorted _softmax_backward_data prelu _prelu_kernel
    """.split()
)


class DeviceClashError(RuntimeError):
    """Tensors of two devices met in one operation. strays: those of the CPU."""

    def __init__(self, text: str, strays: Sequence[torch.Tensor]) -> None:
        super().__init__(text)
        self.strays = list(strays)


def check(func: Any, args: Any, kwargs: dict[str, Any]) -> None:
    """Raise DeviceClashError where CUDA would refuse the operands."""
    operands = tensors_in((args, kwargs))
    strays = [one for one in operands if not isinstance(one, Placed)]
    name = name_of(func)
    if not strays or len(strays) == len(operands) or name in _CROSSING:
        return
    if name in _INDEXING:
        _check_indexing(args)
        return
    lengths = [args[place] for place in _LENGTHS_ON_CPU.get(name, ()) if place < len(args)]
    strays = [one for one in strays if not any(one is length for length in lengths)]
    if not strays:
        return
    if all(one.dim() == 0 for one in strays) and _takes_scalars(func, name, args, kwargs, strays):
        return
    found = ", ".join(f"{'cuda:0' if isinstance(one, Placed) else 'cpu'} {tuple(one.shape)}" for one in operands)
    raise DeviceClashError(f"{name}: expected all tensors to be on the same device, found {found}", strays)


def _check_indexing(args: Any) -> None:
    if not isinstance(args[0], Placed):
        if any(isinstance(one, Placed) for one in tensors_in(args[1])):
            raise DeviceClashError("indices of cuda:0 select from a tensor of the cpu", [args[0]])
        raise DeviceClashError("values of cuda:0 are written into a tensor of the cpu", [args[0]])
    value = args[2] if len(args) > 2 else None
    if isinstance(value, torch.Tensor) and not isinstance(value, Placed) and value.dim() > 0:
        raise DeviceClashError("values of the cpu are written into a tensor of cuda:0", [value])


def _takes_scalars(func: Any, name: str, args: Any, kwargs: dict[str, Any], strays: list[torch.Tensor]) -> bool:
    """True where CUDA takes these 0-dim tensors of the CPU. Raises NotSimulatedError where that is not known."""
    base = name.rstrip("_") if not name.startswith("__") else name
    if any(one is stray for one in written(func, args, kwargs) for stray in strays) or base in _ONE_DEVICE:
        return False
    if base in _ELEMENTWISE:
        # Of two 0-dim tensors beside the device's only torch.where takes both.
        return len(strays) == 1 or base == "where"
    if base in _FILLING and len(args) > _FILLING[base]:
        return len(strays) == 1 and strays[0] is args[_FILLING[base]]
    raise NotSimulatedError(f"{name} of a 0-dim tensor of the cpu and tensors of cuda:0")


def written(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[torch.Tensor]:
    """The operands that an operation writes into, by its schema."""
    found: list[torch.Tensor] = []
    for place, argument in enumerate(func._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            found += tensors_in(args[place] if place < len(args) else kwargs.get(argument.name))
    return found
