"""Arguments to call each torch function with: torch's own test samples, and hand-written calls where it has none."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

import torch

from torchlint.knowledge._generate.examples import EXAMPLES, Maker
from torchlint.knowledge._generate.observe import Call

DTYPES = (
    torch.float32,
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.int32,
    torch.uint8,
    torch.bool,
    torch.complex64,
    torch.complex128,
)
_SAMPLES_PER_DTYPE = 12
_LARGEST_SAMPLE = 5_000  # elements; the larger ones only take longer


def calls(name: str, dtype: torch.dtype) -> Iterator[Call]:
    """The calls to try for "torch.abs" in `dtype`: the hand-written ones if there are any, else torch's own samples."""
    if name in EXAMPLES:
        yield from (example(Maker(dtype)) for example in EXAMPLES[name])
        return
    last = name.rpartition(".")[2]
    operations = _operations()
    for spelled in (last, last.rstrip("_")):
        if spelled in operations:
            yield from _plain(spelled, dtype)
            return


def mixed(sample: Call) -> Iterator[Call]:
    """The same call with operands of several dtypes, to see which operand the result follows."""
    tensors = sample.tensors()
    if len(tensors) < 2 or not all(tensor.dtype.is_floating_point for tensor in tensors[:2]):
        return
    if len({tensor.ndim == 0 for tensor in tensors}) > 1:
        return  # 0-dim operands promote less, but only in functions that do not broadcast first
    other = torch.float64 if tensors[0].dtype is not torch.float64 else torch.float32
    for changed in ((0,), tuple(range(1, len(tensors)))):
        for dtype in (other, torch.int64):
            yield sample.with_tensors(
                lambda position, tensor, changed=changed, dtype=dtype: (  # type: ignore[misc]
                    tensor.to(dtype) if position in changed and tensor.dtype.is_floating_point else tensor
                )
            )


@cache
def _operations() -> dict[str, list[Any]]:
    """torch's own operation descriptions by the last part of each name and alias."""
    from torch.testing._internal.common_methods_invocations import op_db

    found: dict[str, list[Any]] = {}
    for operation in op_db:
        spellings = {
            operation.name,
            operation.name.replace("nn.functional.", ""),
            *(alias.name for alias in operation.aliases),
        }
        for last in {spelling.rpartition(".")[2] for spelling in spellings}:
            if not operation.name.startswith("masked."):
                found.setdefault(last, []).append(operation)
    return found


@cache
def _plain(last: str, dtype: torch.dtype) -> tuple[Call, ...]:
    """torch's samples for a name in `dtype`, without those that choose the dtype of the result."""
    found: list[Call] = []
    for operation in _operations()[last]:
        if dtype not in operation.dtypes:
            continue
        torch.default_generator.manual_seed(0)
        samples = operation.sample_inputs_func(operation, "cpu", dtype, False)
        for sample in itertools.islice(samples, _SAMPLES_PER_DTYPE):
            candidate = Call((sample.input, *sample.args), dict(sample.kwargs))
            if not candidate.names_a_dtype and sum(tensor.numel() for tensor in candidate.tensors()) <= _LARGEST_SAMPLE:
                found.append(candidate)
    return tuple(found)


def bare_calls(most: int) -> Iterator[Call]:
    """Calls with nothing but one up to `most` tensors, of two and of three dimensions."""
    for count in range(1, most + 1):
        for shape in ((3, 3), (3, 3, 3)):
            yield Call(tuple(torch.full(shape, 0.5) for _ in range(count)), {})


def restrided(sample: Call) -> Call:
    """The same call with the first tensor laid out in another order, as after a transpose."""
    return sample.with_tensors(lambda position, tensor: _transposed(tensor) if position == 0 else tensor)


def _transposed(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.ndim < 2 or tensor.layout is not torch.strided:
        return tensor
    return tensor.mT.contiguous().mT
