"""The stride model against torch: the tables of knowledge/strides.py and ranges.py, the order of einsum's results."""

from __future__ import annotations

import inspect
import random

import pytest
import torch
from torch import nn
from torch.nn import functional

from torchlint.knowledge import ranges, strides
from torchlint.model.layouts.stride_orders import contraction, elementwise
from torchlint.model.layouts.stride_views import viewed
from torchlint.model.layouts.strides import Cause, permuted, plain
from torchlint.source import Span

CAUSE = Cause("permute", Span("", 1, 1, 1, 1))
SIZES = (2, 3, 4, 5)


def order(tensor: torch.Tensor) -> tuple[int, ...]:
    """The dimensions from the outermost in memory to the innermost."""
    return tuple(sorted(range(tensor.dim()), key=lambda at: -tensor.stride(at)))


def turned(places: tuple[int, ...]) -> torch.Tensor:
    """A dense tensor whose dimensions lie in memory in another order."""
    return torch.rand(SIZES).permute(places)


def test_einsum_leaves_its_result_in_the_order_that_we_say() -> None:
    random.seed(0)
    sizes = dict(zip("abcdef", range(2, 8), strict=True))
    known = 0
    for _ in range(600):
        left, right = (random.sample("abcdef", random.randint(1, 4)) for _ in range(2))
        letters = sorted({*left, *right})
        output = random.sample(letters, random.randint(1, len(letters)))
        equation = f"{''.join(left)},{''.join(right)}->{''.join(output)}"
        found = contraction(equation, CAUSE)
        if found is not None:
            made = torch.einsum(equation, *(torch.rand([sizes[c] for c in part]) for part in (left, right)))
            assert order(made) == found.memory, equation
            known += 1
    assert known > 100


METHODS = sorted(name for name in strides.ELEMENTWISE if hasattr(torch.Tensor, name) and "_like" not in name)


@pytest.mark.parametrize("name", METHODS)
def test_elementwise_methods_keep_the_order(name: str) -> None:
    tensor = turned((0, 3, 1, 2))
    for arguments in ((), (tensor,), (0.5,), (1,), (tensor, tensor)):
        try:
            made = getattr(tensor, name)(*arguments)
        except (TypeError, RuntimeError, ValueError, AssertionError):
            continue
        if isinstance(made, torch.Tensor) and made.shape == tensor.shape:
            assert order(made) == order(tensor)
            return
    pytest.skip("needs arguments of its own")


@pytest.mark.parametrize("name", sorted(strides.KEEPS_CHANNELS_LAST & set(dir(nn))))
def test_layers_keep_channels_last_and_no_other_order(name: str) -> None:
    if "3d" in name or name in ("SyncBatchNorm", "Upsample"):
        pytest.skip("shown by the form in two dimensions")
    given = {"Conv2d": (5, 3, 2), "ConvTranspose2d": (5, 3, 2), "GroupNorm": (1, 5), "BatchNorm2d": (5,)}
    arguments = given.get(name, (2, 0.5) if name == "ConstantPad2d" else (1,) if name == "PixelShuffle" else (2,))
    layer = getattr(nn, name)(*arguments)
    last = torch.rand(2, 6, 7, 5).permute(0, 3, 1, 2)
    assert order(layer(last)) == (0, 2, 3, 1)
    assert order(layer(torch.rand(2, 5, 7, 6).transpose(2, 3))) == (0, 1, 2, 3)


def test_first_operand_decides_on_the_order() -> None:
    for left, right in (((0, 2, 1, 3), (0, 1, 2, 3)), ((0, 1, 2, 3), (3, 2, 1, 0)), ((1, 0, 2, 3), (0, 3, 1, 2))):
        layouts = [permuted(plain([(f"size {at}",) for at in range(4)]), places, CAUSE) for places in (left, right)]
        assert all(layout is not None for layout in layouts)
        found = elementwise([layout for layout in layouts if layout is not None])
        one = torch.rand(2, 2, 2, 2).permute(left)
        other = torch.rand(2, 2, 2, 2).permute(right)
        assert found is not None
        assert order(one + other) == found.memory


@pytest.mark.parametrize("places", [(0, 1, 2, 3), (0, 2, 1, 3), (0, 2, 3, 1), (1, 0, 2, 3), (3, 2, 1, 0), (2, 3, 0, 1)])
def test_views_of_known_sizes_are_legal_where_torch_says_so(places: tuple[int, ...]) -> None:
    tensor = turned(places)
    layout = permuted(plain([(size,) for size in SIZES]), places, CAUSE)
    assert layout is not None
    for sizes in (
        (120,),
        (6, 20),
        (2, 60),
        (-1, 5),
        (tensor.size(0), -1),
        (*tensor.shape[:2], -1),
        (-1, *tensor.shape[2:]),
    ):
        found = viewed(layout, [None if size == -1 else (size,) for size in sizes])
        try:
            tensor.view(sizes)
            assert found is not False, sizes
        except RuntimeError:
            assert found is False or found is True, sizes


def test_limits_are_those_of_torch() -> None:
    for name, largest in ranges.LARGEST.items():
        assert torch.finfo(getattr(torch, name)).max == largest
    for name, tiny in ranges.TINY.items():
        assert torch.finfo(getattr(torch, name)).tiny == tiny
    lost = torch.tensor(ranges.LOST_IN_HALF)
    assert lost.half() == 0
    assert (lost * 1.01).half() > 0
    for name, last in ranges.EXACT_STEPS.items():
        assert torch.tensor(last, dtype=getattr(torch, name)) + 1 == last


def test_default_eps_are_those_of_torch() -> None:
    for name, eps in ranges.DEFAULT_EPS.items():
        assert inspect.signature(getattr(torch.optim, name)).parameters["eps"].default == eps
    eps, position = ranges.GUARDED["normalize"]
    parameters = inspect.signature(functional.normalize).parameters
    assert list(parameters)[position] == "eps"
    assert parameters["eps"].default == eps
