"""Which arguments of torch's functions are numbers: the tables of knowledge.numbers against torch's schemas."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")

from torchlint.knowledge.numbers import (  # noqa: E402
    INTEGERS_OF_LAYERS,
    NUMBER_KEYWORDS,
    OF_ONE_TENSOR,
    TUPLES_OF_CONVOLUTIONS,
)

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


def layers() -> Iterator[torch.nn.Module]:
    """One object of each kind of layer that keeps its sizes."""
    nn = torch.nn
    yield from (nn.Linear(2, 3), nn.Bilinear(2, 2, 3), nn.Embedding(4, 2), nn.EmbeddingBag(4, 2))
    yield from (nn.LSTM(2, 3), nn.GRUCell(2, 3), nn.MultiheadAttention(4, 2))
    yield from (nn.BatchNorm1d(2), nn.InstanceNorm2d(2), nn.ChannelShuffle(2))
    for dims in (1, 2, 3):
        yield getattr(nn, f"Conv{dims}d")(2, 4, 3, groups=2)
        yield getattr(nn, f"ConvTranspose{dims}d")(2, 4, 3, groups=2)


def test_the_sizes_of_layers_are_integers() -> None:
    seen = set()
    for layer in layers():
        held = {name: vars(layer)[name] for name in INTEGERS_OF_LAYERS if name in vars(layer)}
        assert held, layer
        assert {name: type(value) for name, value in held.items()} == dict.fromkeys(held, int), layer
        seen |= held.keys()
    assert seen == INTEGERS_OF_LAYERS


def test_convolutions_keep_tuples_of_integers() -> None:
    convolutions = [layer for layer in layers() if type(layer).__name__.startswith("Conv")]
    for layer in convolutions:
        for name in TUPLES_OF_CONVOLUTIONS:
            value = getattr(layer, name)
            assert isinstance(value, tuple), (layer, name)
            assert {type(one) for one in value} == {int}, (layer, name)
    assert len(convolutions) == 6
