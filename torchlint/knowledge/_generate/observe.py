"""Call a torch function once and write down what went in and what came out."""

from __future__ import annotations

import contextlib
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

Structure = Any  # a Leaf, or a tuple of Structures


@dataclass(frozen=True, slots=True)
class Leaf:
    """One returned value. kind: "tensor", "number", "boolean" or "other"; dtype and ndim only for a tensor.

    aliases: whether it shares memory with the first tensor that went in; None where there is no memory to share.
    """

    kind: str
    dtype: str | None = None
    ndim: int | None = None
    aliases: bool | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call; `bare` means that every argument is a tensor or a sequence of tensors."""

    args: tuple[Any, ...]
    keywords: dict[str, Any]

    def tensors(self) -> list[torch.Tensor]:
        """The tensors among the arguments, sequences flattened, in order."""
        return list(_flat_tensors((*self.args, *self.keywords.values())))

    def with_tensors(self, change: Callable[[int, torch.Tensor], torch.Tensor]) -> Call:
        """The same call with each tensor replaced by `change(position among the tensors, tensor)`."""
        positions = itertools.count()

        def convert(item: Any) -> Any:
            if isinstance(item, torch.Tensor):
                return change(next(positions), item)
            if type(item) in (tuple, list):
                return type(item)(convert(part) for part in item)
            return item

        return Call(
            tuple(convert(argument) for argument in self.args),
            {keyword: convert(value) for keyword, value in self.keywords.items()},
        )

    @property
    def is_bare(self) -> bool:
        return not self.keywords and all(_is_tensor_argument(argument) for argument in self.args)

    @property
    def names_a_dtype(self) -> bool:
        """Whether an argument chooses the dtype of the result."""
        return "dtype" in self.keywords or any(isinstance(argument, torch.dtype) for argument in self.args)


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call showed: the dtypes of the operands by name, the result, and how far the input had dimensions.

    promoted: torch.result_type of tensors and positional numbers. tensors_promoted: of the tensors only.
    """

    first: str | None
    second: str | None
    promoted: str | None
    tensors_promoted: str | None
    default: str
    has_dimensions: bool
    is_bare: bool
    result: Structure

    @property
    def operands_agree(self) -> bool:
        """Whether all tensors that went in had one dtype, numbers aside."""
        return self.first == self.tensors_promoted and self.second in (None, self.first)


def dtype_name(dtype: torch.dtype) -> str:
    """torch.float32 -> "float32"."""
    return str(dtype).removeprefix("torch.")


def observe(function: Callable[..., Any], call: Call) -> Observation | None:
    """Make the call on copies of the arguments. None when torch refuses it: what it cannot do has no result."""
    call = call.with_tensors(lambda position, tensor: tensor.clone())
    tensors = call.tensors()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            before = [tensor.dtype for tensor in tensors]
            promoted, tensors_promoted = _promotions(call)
            result = structure(function(*call.args, **call.keywords), tensors[0] if tensors else None)
    except Exception:  # torch refuses a dtype with any exception, KeyError included
        return None
    return Observation(
        first=dtype_name(before[0]) if before else None,
        second=dtype_name(before[1]) if len(before) > 1 else None,
        promoted=promoted,
        tensors_promoted=tensors_promoted,
        default=dtype_name(torch.get_default_dtype()),
        has_dimensions=bool(tensors) and any(tensor.ndim > 0 for tensor in tensors),
        is_bare=call.is_bare,
        result=result,
    )


def structure(result: Any, source: torch.Tensor | None) -> Structure:
    """The shape of a result: a Leaf, or a tuple of them for tuples and lists that hold tensors."""
    if isinstance(result, torch.Tensor):
        return Leaf("tensor", dtype_name(result.dtype), result.ndim, _share_memory(result, source))
    if isinstance(result, bool):
        return Leaf("boolean")
    if isinstance(result, (int, float, complex)):
        return Leaf("number")
    if (
        isinstance(result, (tuple, list))
        and not isinstance(result, torch.Size)
        and next(_flat_tensors(result), None) is not None
    ):
        return tuple(structure(item, source) for item in result)
    return Leaf("other")


@contextlib.contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    """Run with another default floating dtype."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _flat_tensors(items: Sequence[Any]) -> Iterator[torch.Tensor]:
    for item in items:
        if isinstance(item, torch.Tensor):
            yield item
        elif isinstance(item, (tuple, list)):
            yield from _flat_tensors(item)


def _is_tensor_argument(argument: Any) -> bool:
    if isinstance(argument, (tuple, list)):
        return bool(argument) and all(isinstance(item, torch.Tensor) for item in argument)
    return isinstance(argument, torch.Tensor)


def _promotions(call: Call) -> tuple[str | None, str | None]:
    tensors = call.tensors()
    if not tensors:
        return None, None
    numbers = [argument for argument in call.args if isinstance(argument, (bool, int, float, complex))]
    return _fold([*tensors, *numbers]), _fold(tensors)


def _fold(operands: list[Any]) -> str | None:
    total = operands[0]
    dtype = total.dtype
    for operand in operands[1:]:
        dtype = torch.result_type(torch.empty(total.shape, dtype=dtype), operand)
        if isinstance(operand, torch.Tensor) and operand.ndim > total.ndim:
            total = operand
    return dtype_name(dtype)


def _share_memory(result: torch.Tensor, source: torch.Tensor | None) -> bool | None:
    if source is None or result.layout is not torch.strided or source.layout is not torch.strided:
        return None
    if result.numel() == 0 or source.numel() == 0:
        return None
    return result.untyped_storage().data_ptr() == source.untyped_storage().data_ptr()
