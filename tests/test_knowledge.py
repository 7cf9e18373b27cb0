"""The tables of torchlint.knowledge say what the installed torch does."""

from __future__ import annotations

import importlib
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

from torchlint.knowledge import autocast, dtypes, lookup, module_members, modules, saved, torch_tables

expecttest = pytest.importorskip("expecttest", reason="torch's own test samples need it")

from torchlint.knowledge._generate.names import everything  # noqa: E402
from torchlint.knowledge._generate.observe import Call, Leaf, Observation, observe  # noqa: E402
from torchlint.knowledge._generate.samples import calls  # noqa: E402

_EMBEDDING = torch.ones(5, 2)
_INDEX = torch.zeros(3, dtype=torch.int64)


@pytest.fixture(autouse=True)
def _quiet_and_single_threaded() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    torch.set_num_threads(threads)


# The generated tables


_GENERATES_AGAIN = """
import warnings
import torch
from torchlint.knowledge import torch_tables
from torchlint.knowledge._generate.tables import tables

warnings.simplefilter("ignore")
torch.set_num_threads(1)
print([name for name, table in tables().items() if getattr(torch_tables, name) != table])
"""


def test_generating_again_gives_the_checked_in_tables() -> None:
    """In a process of its own: other tests register a pretend device with torch, which stays until theirs ends."""
    differ = subprocess.check_output([sys.executable, "-c", _GENERATES_AGAIN], text=True, timeout=300).strip()
    assert differ == "[]", f"{differ} differ: run python -m torchlint.knowledge._generate"


def test_the_tables_load_without_torch() -> None:
    loaded = "torchlint.knowledge.lookup, torchlint.knowledge.modules, torchlint.knowledge.autocast"
    program = f"import sys, {loaded}; print(sorted({{'torch', 'libcst', 'numpy'}} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"


def test_every_row_predicts_what_torch_returns() -> None:
    wrong = [
        f"{name} {dtype}: {found.result} and not {lookup.returned(name)}"
        for name, function in everything().items()
        for dtype in (torch.float32, torch.float16, torch.int64)
        for found in _of_one_dtype(name, function, dtype)
        if not _agrees(lookup.returned(name), found.result, found)
    ]
    assert wrong == []


def _of_one_dtype(name: str, function: Any, dtype: torch.dtype) -> Iterator[Observation]:
    """What the first two calls of a name show, where all operands have `dtype`."""
    for call in list(calls(name, dtype))[:2]:
        found = observe(function, call)
        if found is not None and found.operands_agree and found.promoted == found.first:
            yield found


def _agrees(row: Any, result: Any, found: Observation) -> bool:
    """Whether a row describes a result. Written a second time, apart from the code that made the table."""
    if isinstance(row, tuple):
        parts = [row[0]] * len(result) if row[-1] == "..." else row
        return len(parts) == len(result) and all(
            _agrees(part, item, found) for part, item in zip(parts, result, strict=True)
        )
    if row in ("tensor", "infer", "dtype") or row is None:
        return row is None or (isinstance(result, Leaf) and result.kind == "tensor")
    if not isinstance(result, Leaf) or result.kind != "tensor":
        return isinstance(result, Leaf) and result.kind == row
    is_float = "float" in str(found.first)
    floating = found.first if is_float else "float32"
    expected = {
        **dict.fromkeys(("same", "like", "promote", "promote_tensors", "second", "real"), found.first),
        **dict.fromkeys(("float", "promote_float", "real_float"), floating),
        "sum": found.first if is_float else "int64",
        "complex": {"float16": "complex32", "float32": "complex64"}.get(str(floating)),
        "default": "float32",
    }
    return bool(result.dtype == expected.get(row, row))


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("torch.zeros", "default"),
        ("torch.nn.functional.relu", "same"),
        ("torch.functional.norm", "real"),
        ("torch.Tensor.topk", ("same", "int64")),
        ("Tensor.chunk", ("same", "...")),
        ("Tensor.half", "float16"),
        ("Tensor.to", "dtype"),
        ("torch.div", "promote_float"),
        ("Tensor.item", "number"),
        ("Tensor.add_", "same"),
        ("Tensor.no_such_method", None),
        ("torch.nn.functional.no_such_function", None),
    ],
)
def test_a_name_is_found_under_its_aliases(name: str, row: Any) -> None:
    assert lookup.returned(name) == row


def test_max_with_a_dimension_returns_values_and_indices() -> None:
    assert lookup.variant("Tensor.max", "dim") == ("same", "int64")
    assert lookup.variants("torch.nn.functional.max_pool2d") == ("return_indices",)


def test_a_matrix_determinant_is_not_certainly_a_single_number() -> None:
    assert lookup.zero_dim("torch.sum")
    assert not lookup.zero_dim("torch.det")


def test_a_view_may_be_a_copy() -> None:
    assert "Tensor.transpose" in torch_tables.VIEWS
    assert "Tensor.reshape" in torch_tables.MAYBE_VIEWS
    assert not lookup.is_view("clone")


@pytest.mark.parametrize(
    ("name", "function", "arguments"),
    [
        ("torch.gather", torch.gather, (torch.ones(3), 0, _INDEX)),
        ("torch.index_select", torch.index_select, (torch.ones(3), 0, _INDEX)),
        ("torch.nn.functional.embedding", nn.functional.embedding, (_INDEX, _EMBEDDING)),
        ("torch.nn.functional.one_hot", nn.functional.one_hot, (_INDEX,)),
        ("torch.nn.functional.nll_loss", nn.functional.nll_loss, (torch.ones(3, 4), _INDEX)),
        ("torch.nn.functional.cross_entropy", nn.functional.cross_entropy, (torch.ones(3, 4), _INDEX)),
        ("torch.nn.Embedding", nn.Embedding(5, 2), (_INDEX,)),
        ("torch.nn.modules.sparse.EmbeddingBag", nn.EmbeddingBag(5, 2), (_INDEX[None],)),
        ("torch.nn.CrossEntropyLoss", nn.CrossEntropyLoss(), (torch.ones(3, 4), _INDEX)),
    ],
)
def test_an_index_argument_refuses_floats(name: str, function: Any, arguments: tuple[Any, ...]) -> None:
    place = lookup.index_argument(name)
    assert place is not None
    position, _ = place
    floated = (*arguments[:position], arguments[position].float(), *arguments[position + 1 :])
    assert observe(function, Call(arguments, {})) is not None
    assert observe(function, Call(floated, {})) is None


def test_cross_entropy_takes_probabilities_and_nll_loss_does_not() -> None:
    assert lookup.takes_soft_targets("torch.nn.CrossEntropyLoss")
    assert lookup.takes_soft_targets("torch.nn.functional.cross_entropy")
    assert not lookup.takes_soft_targets("torch.nn.functional.nll_loss")


def test_methods_that_other_types_have_are_not_distinct() -> None:
    assert lookup.is_only_of_tensors("unsqueeze")
    assert not [
        name for name in ("sum", "view", "to", "float", "mean", "t", "inverse") if lookup.is_only_of_tensors(name)
    ]


# Layers and module classes


def test_a_layer_is_known_by_both_of_its_paths() -> None:
    assert lookup.layer_returned("torch.nn.modules.rnn.LSTM") == ("float", ("float", "float"))
    assert modules.registered_by("torch.nn.modules.batchnorm.BatchNorm2d", "running_mean") == "buffer"
    assert modules.registered_by("torch.nn.Linear", "weight") == "parameter"
    assert modules.registered_by("torch.nn.Linear", "running_mean") is None


@pytest.mark.parametrize("name", sorted(modules._TORCH_BASES))
def test_a_base_of_torch_is_a_module_class(name: str) -> None:
    path, _, last = name.rpartition(".")
    assert issubclass(getattr(importlib.import_module(path), last), nn.Module)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torch.nn.Linear", True),
        ("torch.nn.Parameter", False),
        ("torch.utils.data.Dataset", False),
        ("lightning.LightningModule", True),
        ("transformers.models.llama.modeling_llama.LlamaModel", True),
        ("transformers.models.llama.configuration_llama.LlamaConfig", False),
        ("transformers.models.llama.modeling_llama.apply_rotary_pos_emb", False),
    ],
)
def test_module_classes_are_known_by_name(name: str, expected: bool) -> None:
    assert modules.is_module_class(name) is expected


# dtypes


def test_promotion_is_the_one_of_torch() -> None:
    wrong = [
        (left, right)
        for left in dtypes.NAMES
        for right in dtypes.NAMES
        if (promoted := _result_type(left, right)) is not None and dtypes.promote(left, right) != promoted
    ]
    assert wrong == []


def _result_type(left: str, right: str) -> str | None:
    """torch's answer for two tensors with dimensions; None where it refuses them."""
    try:
        found = torch.result_type(*(torch.empty(1, dtype=getattr(torch, name)) for name in (left, right)))
    except RuntimeError:
        return None
    return str(found).removeprefix("torch.")


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("floating", "float32", "floating"),
        ("floating", "int64", "floating"),
        ("complex64", "floating", "complex"),
        ("float32", None, None),
        (None, None, None),
    ],
)
def test_promotion_with_a_width_that_is_not_known(left: str | None, right: str | None, expected: str | None) -> None:
    assert dtypes.promote(left, right) == expected
    assert dtypes.promote(right, left) == expected


@pytest.mark.parametrize(
    "name", ["half", "float", "double", "short", "int", "long", "cfloat", "bfloat16", "uint8", "bool"]
)
def test_a_dtype_is_known_by_its_alias(name: str) -> None:
    assert f"torch.{dtypes.named(f'torch.{name}')}" == str(getattr(torch, name))


@pytest.mark.parametrize("name", ["Tensor", "FloatTensor", "HalfTensor", "LongTensor", "ByteTensor", "BoolTensor"])
def test_a_legacy_type_makes_its_dtype(name: str) -> None:
    assert f"torch.{dtypes.legacy_tensor(f'torch.{name}')}" == str(getattr(torch, name)(1).dtype)


# Autocast


def _in_region(name: str) -> set[str | None]:
    """The dtypes of the tensors that an operation returns in a CPU region for float32 and for bfloat16 inputs."""
    found: set[str | None] = set()
    for full, function in everything().items():
        if full.rpartition(".")[2] != name:
            continue
        for call in calls(full, torch.float32):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                seen = [observe(function, call), observe(function, call.with_tensors(_to_bfloat16))]
            for result in (item.result for item in seen if item):
                leaves = result if isinstance(result, tuple) else (result,)
                found.update(leaf.dtype for leaf in leaves)
    return found


def _to_bfloat16(_: int, tensor: torch.Tensor) -> torch.Tensor:
    return tensor.bfloat16() if tensor.is_floating_point() else tensor


# These two call matmul only for some arguments.
_AT_TIMES = {"tensordot", "matrix_power"}


@pytest.mark.parametrize("name", sorted(autocast.LOWER_PRECISION_ON["cpu"] - {"__matmul__"}))
def test_an_operation_of_the_lower_list_runs_in_bfloat16_on_the_cpu(name: str) -> None:
    found = _in_region(name)
    assert "bfloat16" in found if name in _AT_TIMES else found == {"bfloat16"}


@pytest.mark.parametrize("name", sorted(autocast.FLOAT32_ON["cpu"]))
def test_an_operation_of_the_float32_list_never_returns_bfloat16_on_the_cpu(name: str) -> None:
    found = _in_region(name)
    assert found
    assert "bfloat16" not in found


def test_softmax_and_norms_stay_in_bfloat16_on_the_cpu() -> None:
    for name in ("softmax", "layer_norm", "exp", "sum", "mv"):
        assert "bfloat16" in _in_region(name)
        assert name not in autocast.FLOAT32_ON["cpu"] | autocast.LOWER_PRECISION_ON["cpu"]


# What Python functions call under another name.
_OPERATORS = {
    "__matmul__": "matmul", "multi_dot": "linalg_multi_dot", "vecdot": "linalg_vecdot", "cross_entropy": "nll_loss",
    "interpolate": "upsample_bilinear2d", "upsample": "upsample_bilinear2d", "vector_norm": "linalg_vector_norm",
    "matrix_norm": "linalg_matrix_norm", "grid_sample": "grid_sampler",
}  # fmt: skip


@pytest.mark.parametrize(
    "name", sorted(autocast.LOWER_PRECISION_ON["cuda"] | autocast.FLOAT32_ON["cuda"] | autocast.WIDEST_ON["cuda"])
)
def test_an_operation_of_the_cuda_lists_is_registered_for_autocast(name: str) -> None:
    operator = f"aten::{_OPERATORS.get(name, name)}"
    names = [found for found in torch._C._dispatch_get_all_op_names() if found.partition(".")[0] == operator]
    assert any(torch._C._dispatch_has_kernel_for_dispatch_key(found, "AutocastCUDA") for found in names)


@pytest.mark.parametrize("layer", [nn.Linear(4, 4), nn.PReLU(), nn.RNN(4, 4), nn.LSTM(4, 4)])
def test_a_layer_of_the_lower_list_runs_in_bfloat16_on_the_cpu(layer: nn.Module) -> None:
    assert type(layer).__name__ in autocast.LOWER_PRECISION_LAYERS
    try:
        with torch.autocast("cpu", dtype=torch.bfloat16), torch.no_grad():
            result = layer(torch.ones(2, 3, 4))
    except RuntimeError as error:
        # oneDNN takes over an LSTM in bfloat16 alone, and on some processors has nothing to run it with.
        if type(layer) is nn.LSTM and "LSTM forward propagation primitive" in str(error):
            return
        raise
    assert (result[0] if isinstance(result, tuple) else result).dtype is torch.bfloat16


def test_bilinear_is_not_run_in_lower_precision() -> None:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert nn.Bilinear(4, 4, 2)(torch.ones(3, 4), torch.ones(3, 4)).dtype is torch.float32
    assert "Bilinear" not in autocast.LOWER_PRECISION_LAYERS


def test_a_parent_calls_these_methods_of_its_children() -> None:
    class Child(nn.Module):
        def __getattribute__(self, name: str) -> Any:
            asked.add(name)
            return super().__getattribute__(name)

    called = set()
    for name, count in module_members.CALLED_WITH.items():
        asked: set[str] = set()
        result = getattr(nn.Sequential(Child()), name)(*_ARGUMENTS.get(name, ())[:count])
        list(result) if isinstance(result, Iterator) else None
        called |= {name} & asked
    assert called == module_members.CALLED_BY_PARENTS


_ARGUMENTS = {"to": ("cpu",), "apply": (print,), "load_state_dict": ({},), "train": (False,)}


# What autograd keeps


_FACTOR, _BUFFER, _INDICES = torch.rand(4, 4), torch.rand(4, 4) + 0.5, torch.tensor([[0, 1, 2, 3]] * 4)
_MASK = _FACTOR > 0.5
# Calls of each operation; one operand asks for a gradient, and the others are written in place before backward.
_OPERATIONS: dict[str, tuple[Any, ...]] = {
    "mul": (torch.mul, "g", _BUFFER),
    "div": (torch.div, _BUFFER, "g"),
    "matmul": (torch.matmul, "g", _BUFFER),
    "einsum": (lambda a, b: torch.einsum("ij,jk->ik", a, b), "g", _BUFFER),
    "pow": (torch.pow, _BUFFER, "g"),
    "atan2": (torch.atan2, _BUFFER, "g"),
    "prelu": (nn.functional.prelu, "g", _BUFFER[0]),
    "layer_norm": (lambda a, w, b: nn.functional.layer_norm(a, (4,), w, b), "g", _BUFFER[0], _BUFFER[1]),
    "where": (torch.where, _MASK, "g", _BUFFER),
    "masked_fill": (torch.masked_fill, "g", _MASK, 0.0),
    "masked_select": (torch.masked_select, "g", _MASK),
    "take": (torch.take, "g", _INDICES),
    "gather": (torch.gather, "g", 1, _INDICES),
    "index_select": (torch.index_select, "g", 0, _INDICES[0]),
    "scatter": (torch.scatter, _BUFFER, 1, _INDICES, "g"),
    "scatter_add": (torch.scatter_add, _BUFFER, 1, _INDICES, "g"),
    "index_add": (torch.index_add, _BUFFER, 0, _INDICES[0], "g"),
    "embedding": (nn.functional.embedding, _INDICES, "g"),
    "lerp": (torch.lerp, _BUFFER, "g", _FACTOR),
    "addmm": (torch.addmm, _BUFFER, "g", _FACTOR),
    "addbmm": (torch.addbmm, _BUFFER, "g[]", _FACTOR[None]),
    "baddbmm": (torch.baddbmm, _BUFFER[None], "g[]", _FACTOR[None]),
    "addmv": (torch.addmv, _BUFFER[0], "g", _FACTOR[0]),
    "addr": (torch.addr, _BUFFER, "g0", _FACTOR[0]),
    "addcmul": (torch.addcmul, _BUFFER, "g", _FACTOR),
    "addcdiv": (torch.addcdiv, _BUFFER, "g", _BUFFER + 1),
    "linear": (nn.functional.linear, "g", _BUFFER, _BUFFER[0]),
    "conv1d": (nn.functional.conv1d, "g", _BUFFER[:, :, None], _BUFFER[0]),
}


def _backward_needs(name: str, position: int) -> bool:
    """Whether a write into an operand of the call, before backward, makes it raise."""
    function, *given = _OPERATIONS[name]
    wanted = torch.rand(4, 4, requires_grad=True)
    # Not the leaf itself, so that all operands are equals.
    ways = {"g": wanted * 1, "g0": wanted[0] * 1, "g[]": wanted[None] * 1}
    operands = [ways[one] if isinstance(one, str) else one.clone() if torch.is_tensor(one) else one for one in given]
    if name == "conv1d":
        operands[0] = operands[0][None]
    result = function(*operands)
    with torch.no_grad():
        operands[position].copy_(operands[position].clone())
    try:
        result.sum().backward()
    except RuntimeError as error:
        if "modified by an inplace operation" in str(error):
            return True
        raise
    return False


@pytest.mark.parametrize(
    ("name", "position"),
    [
        (name, position)
        for name, (_, *given) in _OPERATIONS.items()
        for position, one in enumerate(given)
        if torch.is_tensor(one)
    ],
)
def test_autograd_keeps_these_operands(name: str, position: int) -> None:
    assert saved.is_saved(name, position) is _backward_needs(name, position)


def test_all_operations_that_keep_some_operands_only_are_tried() -> None:
    tried = _OPERATIONS.keys() | {name for name in saved.SAVING if name.startswith("conv")}
    assert {name for name in saved.SAVING if not saved.is_saved(name, -1)} <= tried
