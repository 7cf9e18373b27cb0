"""Each row of the tables of results and of index positions, against torch: the dtypes that the model tells are right.

test_knowledge.py asks what all calls of one dtype show. Here operands of two dtypes meet, a few calls of each row, and
floats stand in every index position.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from torchlint.knowledge import dtypes, lookup, torch_tables

pytest.importorskip("expecttest", reason="torch's own test samples need it")

from torchlint.knowledge._generate.names import everything
from torchlint.knowledge._generate.observe import Call, Leaf, Observation, observe
from torchlint.knowledge._generate.samples import calls

_SAMPLES = 2
_FIXED = frozenset(dtypes.NAMES)
_DTYPES = (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32)
# integers and a float, two floats, a float and complex: what meets in a program.
_PAIRS = (
    (torch.float32, torch.float64),
    (torch.float16, torch.float32),
    (torch.bfloat16, torch.float16),
    (torch.int64, torch.float32),
    (torch.int32, torch.int64),
)


@pytest.fixture(autouse=True)
def _quiet_and_single_threaded() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    torch.set_num_threads(threads)


def _observed(name: str, function: Any, dtype: torch.dtype) -> Iterator[tuple[Call, Observation]]:
    """A few calls of a name that torch accepts with operands of `dtype`."""
    seen = ((call, observe(function, call)) for call in itertools.islice(calls(name, dtype), _SAMPLES))
    yield from ((call, found) for call, found in seen if found is not None)


def test_a_row_of_one_dtype_is_the_dtype_of_the_result_whatever_goes_in() -> None:
    wrong = [
        f"{name} of {dtype}: {found.result.dtype} and not {row}"
        for name, function in everything().items()
        if (row := lookup.returned(name)) in _FIXED
        for dtype in _DTYPES
        for _, found in _observed(name, function, dtype)
        if isinstance(found.result, Leaf) and found.result.dtype != row
    ]
    assert wrong == []


def test_a_default_row_follows_the_default_dtype() -> None:
    names = [name for name, row in torch_tables.RETURNS.items() if row == "default"]
    functions = everything()
    torch.set_default_dtype(torch.float64)
    try:
        found = [seen.result for name in names for _, seen in _observed(name, functions[name], torch.float64)]
    finally:
        torch.set_default_dtype(torch.float32)
    assert len(found) > len(names) // 2
    assert {leaf.dtype for leaf in found if isinstance(leaf, Leaf)} == {"float64"}


@pytest.mark.parametrize("pair", _PAIRS, ids=lambda pair: "-".join(str(one).removeprefix("torch.") for one in pair))
def test_a_promoting_row_gives_what_its_operands_promote_to(pair: tuple[torch.dtype, torch.dtype]) -> None:
    expected = dtypes.promote(*(str(one).removeprefix("torch.") for one in pair))
    wrong, count = [], 0
    for name, function in everything().items():
        if lookup.returned(name) not in ("promote", "promote_tensors"):
            continue
        for call, _ in _observed(name, function, pair[0]):
            mixed = call.with_tensors(lambda position, tensor: _second_cast(position, tensor, pair[1]))
            found = observe(function, mixed)
            if found is None or not isinstance(found.result, Leaf) or _dtypes_in(mixed) != set(pair):
                continue
            if name.endswith("loss") and not any(one.is_floating_point for one in pair):
                continue  # A loss of integers may compute in floats.
            count += 1
            if found.result.dtype != expected:
                wrong.append(f"{name} of {pair}: {found.result.dtype} and not {expected}")
    assert count > 20
    assert wrong == []


def _second_cast(position: int, tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """All but the first tensor in another dtype; masks stay masks."""
    return tensor if position == 0 or tensor.dtype is torch.bool else tensor.to(dtype)


def _dtypes_in(call: Call) -> set[torch.dtype]:
    """The dtypes of the tensors with dimensions: those of single numbers only count by category."""
    return {tensor.dtype for tensor in call.tensors() if tensor.ndim} - {torch.bool}


def test_every_index_position_takes_integers_and_refuses_floats() -> None:
    functions = everything()
    wrong = []
    for name in torch_tables.INDEX_ARGUMENTS:
        if name not in functions:
            continue
        places = [position for position, _ in lookup.index_arguments(name)]
        shift = int(name.startswith("Tensor."))
        for call, _ in _observed(name, functions[name], torch.float32):
            for position in (place + shift for place in places if place + shift < len(call.args)):
                argument = call.args[position]
                if not isinstance(argument, torch.Tensor) or argument.dtype is not torch.int64:
                    continue
                changed = Call((*call.args[:position], argument.float(), *call.args[position + 1 :]), call.keywords)
                if observe(functions[name], changed) is not None:
                    wrong.append(f"{name} takes floats at {position}")
    assert wrong == []


# What no table says: numbers, single elements, and data.

_OPERANDS = {
    "int64": torch.arange(2), "int32": torch.arange(2).int(), "uint8": torch.arange(2).byte(),
    "bool": torch.tensor([True]), "float16": torch.ones(2).half(), "float32": torch.ones(2),
    "float64": torch.ones(2).double(), "bfloat16": torch.ones(2).bfloat16(),
}  # fmt: skip


def _value(tensor: torch.Tensor) -> Any:
    from torchlint.model.values import Kind, TensorValue

    return TensorValue(Kind.TENSOR, dtype=str(tensor.dtype).removeprefix("torch."), ndim=tensor.ndim)


def _modelled(operator: str, left: Any, right: Any) -> str | None:
    """The dtype that the model gives for an operator; a number stands for itself."""
    from torchlint.model.evaluation import operators
    from torchlint.source import Span

    parts = [_value(one) if isinstance(one, torch.Tensor) else operators.of_constant(one) for one in (left, right)]
    return operators.applied(operator, parts, Span("", 1, 1, 1, 1)).dtype


_OPERATIONS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "**": lambda a, b: a**b,
    "<": lambda a, b: a < b,
    "==": lambda a, b: a == b,
}


@pytest.mark.parametrize("operator", _OPERATIONS)
@pytest.mark.parametrize("left", _OPERANDS)
@pytest.mark.parametrize("right", [*_OPERANDS, "a single float64", "a single int64", "True", "2", "2.5"])
def test_an_operator_of_the_model_never_contradicts_torch(operator: str, left: str, right: str) -> None:
    others = {
        "a single float64": torch.tensor(2.0, dtype=torch.float64), "a single int64": torch.tensor(2),
        "True": True, "2": 2, "2.5": 2.5,
    }  # fmt: skip
    first, second = _OPERANDS[left], _OPERANDS.get(right, others.get(right))
    try:
        dtype = str(_OPERATIONS[operator](first, second).dtype).removeprefix("torch.")
    except RuntimeError:
        pytest.skip("torch refuses these operands")
    known = _modelled(operator, first, second)
    assert known in (None, dtype, dtypes.category(dtype))
    # Silence is right, but not where the program says it all.
    assert known is not None or right in ("True",) or "bool" in (left, right)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([], "float32"),
        ([[]], "float32"),
        ([1, 2], "int64"),
        ([1, 2.5], "float32"),
        ([True, False], "bool"),
        ([True, 1], "int64"),
        (3, "int64"),
        (3.5, "float32"),
        (True, "bool"),
        ([[1], [2.0]], "float32"),
    ],
)
def test_python_data_decides_the_dtype_of_torch_tensor(data: Any, expected: str) -> None:
    assert str(torch.tensor(data).dtype) == f"torch.{expected}"
    assert str(torch.as_tensor(data).dtype) == f"torch.{expected}"
