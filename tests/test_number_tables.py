"""Which arguments of torch's functions are numbers: the tables of knowledge.numbers against torch's schemas."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")

from torchlint.knowledge.numbers import NUMBER_KEYWORDS, OF_ONE_TENSOR  # noqa: E402

SCHEMAS: dict[str, list[object]] = {}
for schema in torch._C._jit_get_all_schemas():
    space, _, name = schema.name.partition("::")
    if space == "aten" and not name.startswith("_"):
        SCHEMAS.setdefault(name, []).append(schema)


def behind_the_first(function: str) -> Iterator[tuple[str, str]]:
    """The other positional parameters of a function with their types, of all overloads."""
    for schema in SCHEMAS.get(function, ()):
        given = [one for one in schema.arguments if not one.kwarg_only and not one.is_out]
        yield from ((one.name, str(one.type)) for one in given[1:])
    if function not in SCHEMAS:
        written = getattr(torch.nn.functional, function, None) or getattr(torch, function)
        parameters = list(inspect.signature(written).parameters.values())[1:]
        yield from ((one.name, str(one.annotation)) for one in parameters if one.name != "out")


@pytest.mark.parametrize("function", sorted(OF_ONE_TENSOR))
def test_a_function_of_one_tensor_takes_no_other(function: str) -> None:
    if function == "unique":
        assert list(inspect.signature(torch.functional._unique_impl).parameters)[1:] == [
            "sorted",
            "return_inverse",
            "return_counts",
            "dim",
        ]
        return
    assert [name for name, kind in behind_the_first(function) if "Tensor" in kind] == []


def test_no_tensor_is_given_under_a_keyword_for_numbers() -> None:
    taken = {
        (name, one.name)
        for name, schemas in SCHEMAS.items()
        for schema in schemas
        for one in schema.arguments
        if one.name in NUMBER_KEYWORDS and "Tensor" in str(one.type)
    }
    assert taken == set()


def test_the_check_knows_a_second_tensor() -> None:
    assert ("min", "Optional[Tensor]") in set(behind_the_first("clamp"))
