"""Popular claims about dtypes, casts, buffers, views and autocast, run. docs/claims.md has a line for each test."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn

_PAGE = Path(__file__).parents[1] / "docs" / "claims.md"
_LINE = re.compile(r"^\| .+ \| (?:confirmed|refuted): .+ \| `(test_\w+)` \|$", re.MULTILINE)


def _region() -> Any:
    return torch.autocast("cpu", dtype=torch.bfloat16)


def test_page_and_tests_name_the_same_claims() -> None:
    tests = [
        name for name in globals() if name.startswith("test_") and name != "test_page_and_tests_name_the_same_claims"
    ]
    assert _LINE.findall(_PAGE.read_text("utf-8")) == tests


# Dtypes and casts


def test_a_float_cast_breaks_gradients() -> None:
    x = torch.ones(2, requires_grad=True)
    x.half().to(torch.float64).float().sum().backward()
    assert x.grad is not None
    assert x.grad.dtype is torch.float32


def test_an_integer_cast_breaks_gradients() -> None:
    x = torch.ones(2, requires_grad=True)
    assert not x.long().requires_grad
    assert not (x > 0).requires_grad


def test_a_cast_changes_the_strides_of_a_transpose() -> None:
    x = torch.ones(2, 3).t()
    for cast in (x.half(), x.to(torch.float64), x.double().float()):
        assert cast.stride() == x.stride()
        assert not cast.is_contiguous()


def test_to_always_copies() -> None:
    x = torch.ones(2)
    assert x.to(torch.float32) is x
    assert x.float() is x
    assert x.to(torch.float32, copy=True) is not x


def test_an_int_divided_by_an_int_is_an_int() -> None:
    x = torch.arange(4)
    assert (x / 2).dtype is torch.float32
    assert torch.div(x, 2).dtype is torch.float32
    assert (x // 2).dtype is torch.int64


def test_a_python_float_widens_a_half_tensor() -> None:
    half = torch.ones(2).half()
    assert (half * 2.5).dtype is torch.float16
    assert torch.where(half > 0, half, 0.0).dtype is torch.float16


def test_a_python_float_leaves_integers_alone() -> None:
    assert (torch.arange(2) * 0.5).dtype is torch.float32
    assert (torch.arange(2).int() + 1.0).dtype is torch.float32


def test_a_single_float64_widens_a_float32_tensor() -> None:
    single = torch.tensor(2.0, dtype=torch.float64)
    assert (torch.ones(2) * single).dtype is torch.float32
    assert (torch.ones(()) * single).dtype is torch.float64


def test_a_float64_tensor_widens_a_float32_tensor() -> None:
    assert (torch.ones(2) * torch.ones(2, dtype=torch.float64)).dtype is torch.float64


def test_in_place_arithmetic_promotes() -> None:
    single = torch.ones(2)
    single += torch.ones(2, dtype=torch.float64)
    assert single.dtype is torch.float32
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.arange(2).add_(0.5)


def test_cat_refuses_mixed_dtypes() -> None:
    assert torch.cat([torch.tensor([]), torch.arange(2)]).dtype is torch.float32
    assert torch.stack([torch.ones(1).half(), torch.ones(1)]).dtype is torch.float32


def test_half_beside_bfloat16_is_one_of_the_two() -> None:
    assert (torch.ones(1).half() + torch.ones(1).bfloat16()).dtype is torch.float32


def test_a_float_written_into_integers_is_rounded() -> None:
    x = torch.zeros(2, dtype=torch.int64)
    x[0] = 1.9
    assert x.tolist() == [1, 0]


def test_the_sum_of_a_mask_is_a_mask() -> None:
    mask = torch.ones(300, dtype=torch.bool)
    assert mask.sum().dtype is torch.int64
    assert torch.ones(300, dtype=torch.uint8).sum().item() == 300


def test_the_mean_of_integers_is_a_float() -> None:
    with pytest.raises(RuntimeError, match="Input dtype must be either a floating point or complex"):
        torch.arange(3).mean()


def test_dtypes_have_an_order() -> None:
    with pytest.raises(TypeError, match="not supported between instances"):
        max(torch.float16, torch.float32)
    assert torch.promote_types(torch.float16, torch.float32) is torch.float32


def test_any_mask_value_fits_half() -> None:
    half, mask = torch.ones(2).half(), torch.tensor([True, False])
    with pytest.raises(RuntimeError, match="overflow"):
        half.masked_fill(mask, -1e9)
    assert half.masked_fill(mask, torch.finfo(half.dtype).min).isfinite().all()
    assert half.masked_fill(mask, float("-inf"))[0].isinf()


def test_the_limit_of_float32_fits_half() -> None:
    limit = torch.tensor(torch.finfo(torch.float32).min)
    assert limit.half().isinf()
    assert limit.bfloat16().isinf()


# Construction


def test_torch_tensor_always_makes_a_float32_copy() -> None:
    x = torch.arange(2)
    assert torch.Tensor(x).dtype is torch.int64
    assert torch.Tensor(x).data_ptr() == x.data_ptr()
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.Tensor([1]).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_a_tuple_is_a_shape_for_a_legacy_constructor() -> None:
    assert torch.FloatTensor((2, 3)).shape == (2,)
    assert torch.FloatTensor(2, 3).shape == (2, 3)
    assert torch.Tensor(torch.Size((2, 3))).shape == (2, 3)


def test_a_sized_constructor_gives_zeros() -> None:
    torch.use_deterministic_algorithms(True)
    try:
        assert torch.Tensor(3).isnan().all()
        assert torch.empty(3).isnan().all()
    finally:
        torch.use_deterministic_algorithms(False)


def test_a_legacy_constructor_takes_a_device() -> None:
    with pytest.raises(RuntimeError, match="legacy constructor expects device type: cpu"):
        torch.FloatTensor([1.0], device="meta")


def test_torch_tensor_of_an_empty_list_is_integral() -> None:
    assert torch.tensor([]).dtype is torch.float32
    assert torch.tensor([1, 2]).dtype is torch.int64


def test_an_array_of_floats_becomes_float32() -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.linspace(0, 1, 3)
    assert torch.tensor(array).dtype is torch.float64
    assert torch.from_numpy(array).dtype is torch.float64
    assert torch.FloatTensor(array).dtype is torch.float32


def test_from_numpy_copies() -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.zeros(2)
    shared, copied = torch.from_numpy(array), torch.tensor(array)
    array[0] = 1
    assert shared[0] == 1
    assert torch.as_tensor(array).data_ptr() == shared.data_ptr()
    assert copied[0] == 0


def test_like_takes_the_dtype_of_its_argument() -> None:
    half = torch.ones(2).half()
    assert torch.zeros_like(half).dtype is torch.float16
    assert half.new_zeros(3).dtype is torch.float16
    assert torch.zeros(3).dtype is torch.float32


def test_full_makes_floats() -> None:
    assert torch.full((2,), 1).dtype is torch.int64
    assert torch.full((2,), 1.0).dtype is torch.float32
    assert torch.ones(2).dtype is torch.float32


# Indices and targets


def test_indices_must_be_int64() -> None:
    x = torch.arange(4)
    assert x[torch.tensor([0, 2], dtype=torch.int32)].tolist() == [0, 2]
    assert x[torch.tensor([True, False, True, False])].tolist() == [0, 2]
    assert torch.nn.functional.embedding(torch.tensor([0], dtype=torch.int32), torch.ones(2, 3)).shape == (1, 3)


def test_a_byte_tensor_holds_positions() -> None:
    assert torch.arange(3)[torch.tensor([0, 1, 1], dtype=torch.uint8)].tolist() == [1, 2]


def test_whole_floats_are_indices() -> None:
    x, ids = torch.arange(3), torch.tensor([0.0, 1.0])
    with pytest.raises(IndexError, match="tensors used as indices"):
        x[ids]
    with pytest.raises(RuntimeError, match="int64"):
        x.gather(0, ids)
    with pytest.raises(RuntimeError, match="indices"):
        nn.Embedding(3, 2)(ids)


def test_a_float_mask_selects() -> None:
    mask = torch.zeros(3)
    mask[0] = 1
    with pytest.raises(IndexError, match="tensors used as indices"):
        torch.arange(3)[mask]
    assert torch.arange(3)[mask > 0].tolist() == [0]


def test_cross_entropy_takes_integers_only() -> None:
    scores = torch.zeros(2, 3)
    assert nn.functional.cross_entropy(scores, torch.full((2, 3), 1 / 3)).isfinite()
    with pytest.raises(RuntimeError, match="Long"):
        nn.functional.cross_entropy(scores, torch.zeros(2))


# Buffers, parameters and modules


def test_half_converts_integer_buffers() -> None:
    norm = nn.BatchNorm1d(2)
    assert norm.half().num_batches_tracked.dtype is torch.int64
    assert norm.to(torch.bfloat16).num_batches_tracked.dtype is torch.int64
    assert norm.running_mean.dtype is torch.bfloat16


def test_module_to_keeps_complex_buffers() -> None:
    module = nn.Module()
    module.register_buffer("wave", torch.tensor([1 + 2j]))
    assert module.half().wave.dtype is torch.complex64
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert module.to(torch.float32).wave.dtype is torch.float32


def test_a_dtype_flag_buffer_keeps_its_dtype() -> None:
    module = nn.Module()
    module.register_buffer("flag", torch.empty(0))
    assert module.half().flag.dtype is torch.float16


def test_a_plain_tensor_moves_with_its_module() -> None:
    module = nn.Module()
    module.scale = torch.ones(1)
    module.register_buffer("offset", torch.ones(1))
    module.half()
    assert module.scale.dtype is torch.float32
    assert module.offset.dtype is torch.float16
    assert list(module.state_dict()) == ["offset"]


def test_a_converted_parameter_is_a_parameter() -> None:
    parameter = nn.Parameter(torch.ones(1))
    assert not isinstance(parameter.half(), nn.Parameter)
    assert parameter.float() is parameter


def test_shared_buffers_are_listed_twice() -> None:
    norm = nn.BatchNorm1d(2)
    both = nn.Sequential(norm, norm)
    assert len(list(both.buffers())) == 3
    assert len([name for name in both.state_dict() if "running_mean" in name]) == 2


def test_a_state_dict_is_a_copy() -> None:
    layer = nn.Linear(1, 1)
    kept = dict(layer.state_dict())
    nn.init.zeros_(layer.weight)
    assert kept["weight"].item() == 0


def test_loading_changes_the_dtype() -> None:
    layer, state = nn.Linear(1, 1), nn.Linear(1, 1).half().state_dict()
    layer.load_state_dict(state)
    assert layer.weight.dtype is torch.float32
    layer.load_state_dict(state, assign=True)
    assert layer.weight.dtype is torch.float16


def test_eval_switches_gradients_off() -> None:
    layer = nn.Linear(1, 1).eval()
    assert layer(torch.ones(1)).requires_grad


def test_detach_copies() -> None:
    x = torch.ones(2, requires_grad=True)
    assert x.detach().data_ptr() == x.data_ptr()


# Views


def test_view_works_after_transpose() -> None:
    x = torch.arange(6).view(2, 3).t()
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        x.view(-1)
    assert x.reshape(-1).tolist() == [0, 3, 1, 4, 2, 5]


def test_no_view_works_after_transpose() -> None:
    x = torch.arange(8).view(2, 4).t()
    assert x.view(2, 2, 2).shape == (2, 2, 2)
    assert x.view(4, 1, 2).shape == (4, 1, 2)


def test_expand_copies() -> None:
    x = torch.ones(1, 3).expand(2, 3)
    assert x.stride(0) == 0
    with pytest.raises(RuntimeError, match="single memory location"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        x.view(-1)


def test_contiguous_always_copies() -> None:
    x = torch.ones(2, 3)
    assert x.contiguous() is x
    assert x.t().contiguous().data_ptr() != x.data_ptr()


def test_numpy_takes_any_tensor() -> None:
    with pytest.raises(TypeError, match="BFloat16"):
        torch.ones(1).bfloat16().numpy()
    with pytest.raises(RuntimeError, match="requires grad"):
        torch.ones(1, requires_grad=True).numpy()


# Autocast (run on the CPU in bfloat16)


def test_backward_inside_autocast_is_wrong() -> None:
    torch.manual_seed(0)
    layer, x = nn.Linear(4, 4), torch.ones(2, 4)
    with _region():
        layer(x).float().sum().backward()
    inside = layer.weight.grad.clone()
    layer.zero_grad()
    with _region():
        loss = layer(x).float().sum()
    loss.backward()
    assert torch.equal(inside, layer.weight.grad)


def test_a_loss_must_stand_outside_autocast() -> None:
    with _region():
        scores = nn.Linear(4, 3)(torch.ones(2, 4))
        assert scores.dtype is torch.bfloat16
        assert nn.functional.cross_entropy(scores, torch.zeros(2, dtype=torch.long)).dtype is torch.float32


def test_autocast_turns_softmax_back_to_half() -> None:
    with _region():
        weights = torch.ones(2, 2).softmax(-1)
        assert weights.dtype is torch.float32
        assert (weights @ torch.ones(2, 2)).dtype is torch.bfloat16


def test_casts_by_hand_have_no_place_under_autocast() -> None:
    with _region():
        low = nn.Linear(4, 4)(torch.ones(2, 4))
        assert low.sum().dtype is torch.bfloat16
        assert low.float().sum().dtype is torch.float32


def test_a_cast_before_a_product_is_honoured() -> None:
    with _region():
        assert (torch.ones(2, 2).float() @ torch.ones(2, 2).float()).dtype is torch.bfloat16


def test_autocast_lowers_float64() -> None:
    with _region(), pytest.raises(RuntimeError, match="dtype"):
        nn.Linear(2, 2)(torch.ones(2).double())


def test_an_island_raises_its_inputs() -> None:
    layer = nn.Linear(2, 2)
    with _region():
        low = layer(torch.ones(1, 2))
        with torch.autocast("cpu", enabled=False):
            with pytest.raises(RuntimeError, match="dtype"):
                layer(low)
            assert layer(low.float()).dtype is torch.float32


def test_autocast_sees_new_weights_at_once() -> None:
    layer, x = nn.Linear(2, 2, bias=False), torch.ones(1, 2)
    with _region():
        before = layer(x)
        with torch.no_grad():
            layer.weight.add_(100)
        assert torch.equal(layer(x), before)
    with _region():
        assert not torch.equal(layer(x), before)


def test_autocast_changes_the_dtype_of_weights() -> None:
    layer = nn.Linear(2, 2)
    with _region():
        layer(torch.ones(1, 2)).sum().backward()
    assert layer.weight.dtype is layer.weight.grad.dtype is torch.float32
