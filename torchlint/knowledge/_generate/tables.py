"""All tables, computed from the installed torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from torchlint.knowledge._generate.classify import Code, classify
from torchlint.knowledge._generate.distinct import distinct_methods
from torchlint.knowledge._generate.examples import VARIANTS, Maker
from torchlint.knowledge._generate.indices import index_arguments
from torchlint.knowledge._generate.modules import index_inputs, module_paths, returns_and_state
from torchlint.knowledge._generate.names import everything, is_attribute, methods
from torchlint.knowledge._generate.observe import Call, Leaf, Observation, default_dtype, observe
from torchlint.knowledge._generate.samples import DTYPES, bare_calls, calls, mixed, restrided

# What python data, an argument, a device or a file decides, so that probing cannot tell.
_WRITTEN: dict[str, Code] = {
    **dict.fromkeys(
        "torch.tensor torch.as_tensor torch.asarray torch.arange torch.full torch.from_numpy".split(), "infer"
    ),
    **dict.fromkeys("torch.sparse_coo_tensor torch.sparse_csr_tensor Tensor.new_tensor".split(), "infer"),
    **dict.fromkeys("torch.frombuffer torch.from_file Tensor.to Tensor.type".split(), "dtype"),
    **dict.fromkeys("Tensor.cuda Tensor.xpu Tensor.ipu Tensor.to_mkldnn Tensor.pin_memory Tensor.grad".split(), "same"),
    **dict.fromkeys("Tensor.view Tensor.new Tensor.set_ Tensor.sparse_mask".split(), "same"),
    **dict.fromkeys("torch.where Tensor.where torch.einsum".split(), "promote"),
    **dict.fromkeys(
        "Tensor.retain_grad Tensor.record_stream Tensor.register_post_accumulate_grad_hook".split(), "other"
    ),
    **dict.fromkeys("Tensor.grad_dtype Tensor.qscheme Tensor.names".split(), "other"),
    "torch.from_dlpack": "tensor",
    "torch.scalar_tensor": "default",
    "torch.nn.functional.multi_head_attention_forward": ("same", "same"),
}
_TAKES_DTYPE_BY_DATA = """
    torch.tensor torch.as_tensor torch.asarray torch.arange torch.full torch.scalar_tensor torch.sparse_coo_tensor
    torch.sparse_csr_tensor torch.frombuffer torch.from_file Tensor.new_tensor Tensor.to Tensor.view
    """.split()
# They hand out the data under another name, so reading one is a use of the tensor.
_NO_METADATA = frozenset(
    """
    Tensor.backward Tensor.numpy Tensor.grad_fn Tensor.register_hook Tensor.register_post_accumulate_grad_hook
    Tensor.storage Tensor.untyped_storage Tensor.retain_grad Tensor.record_stream
    """.split()
)
_MOVES = frozenset(
    """
    Tensor.to Tensor.type Tensor.cpu Tensor.cuda Tensor.xpu Tensor.ipu Tensor.pin_memory torch.as_tensor torch.asarray
    """.split()
)


@dataclass(frozen=True, slots=True)
class Row:
    """What all observations of one name say.

    aliases: {True} where every result shared the memory of the input, {True, False} where some did.
    """

    returns: Code
    is_zero_dim: bool
    aliases: frozenset[bool]


def tables() -> dict[str, Any]:
    """The tables by their names in torch_tables.py."""
    rows = {name: row for name, function in everything().items() if (row := row_of(name, function))}
    returns = {name: row.returns for name, row in rows.items()} | _WRITTEN
    layers, state = returns_and_state()
    takes_dtype = {name for name, function in everything().items() if _takes_dtype(name, function)}
    moved = {name: row.aliases for name, row in rows.items() if not name.endswith("_") and name not in _MOVES}
    return {
        "TORCH_VERSION": torch.__version__.partition("+")[0],
        "RETURNS": dict(sorted(returns.items())),
        "VARIANTS": {name: dict(variants_of(name)) for name in sorted(VARIANTS)},
        "TAKES_DTYPE": frozenset(takes_dtype | set(_TAKES_DTYPE_BY_DATA)),
        "ZERO_DIM": frozenset(name for name, row in rows.items() if row.is_zero_dim),
        "VIEWS": frozenset(name for name, aliases in moved.items() if aliases == {True}),
        "MAYBE_VIEWS": frozenset(name for name, aliases in moved.items() if aliases == {True, False}) | _MOVES,
        "INDEX_ARGUMENTS": dict(sorted({**dict(index_arguments()), **dict(index_inputs())}.items())),
        "ATTRIBUTES": frozenset(name for name, _ in methods() if is_attribute(name)),
        "METADATA": frozenset(_metadata(returns)),
        "DISTINCT_METHODS": frozenset(distinct_methods()),
        "MODULES": layers,
        "MODULE_STATE": {name: own for name, own in state.items() if any(own)},
        "MODULE_PATHS": module_paths(),
    }


def row_of(name: str, function: Callable[..., Any]) -> Row | None:
    """The row of "torch.abs" or "Tensor.abs"; None where no call succeeded."""
    # The observations are dropped name by name: kept together they make Python's collector the slowest part.
    found = list(_observations(name, function))
    if not found:
        return None
    return Row(_fresh(name, classify(found)), _is_zero_dim(name, function, found), _aliases(name, function, found))


def variants_of(name: str) -> Iterator[tuple[str, Code]]:
    """What each keyword of VARIANTS makes of the result, as (keyword, code)."""
    function = everything()[name]
    for keyword, examples in VARIANTS[name].items():
        found = [observe(function, example(Maker(dtype))) for dtype in DTYPES for example in examples]
        yield keyword, classify([observation for observation in found if observation is not None])


def _observations(name: str, function: Callable[..., Any]) -> Iterator[Observation]:
    for default in (torch.float32, torch.float64):
        with default_dtype(default):
            for call in _calls(name):
                found = observe(function, call)
                if found is not None:
                    yield found


def _calls(name: str) -> Iterator[Call]:
    for dtype in DTYPES:
        for call in calls(name, dtype):
            yield call
            yield from mixed(call)


def _fresh(name: str, code: Code) -> Code:
    """ "like" where the result is new memory made after the example of the first tensor."""
    last = name.rpartition(".")[2]
    return "like" if code == "same" and (last.endswith("_like") or last.startswith("new_")) else code


def _takes_dtype(name: str, function: Callable[..., Any]) -> bool:
    """Whether dtype=torch.float64 is accepted and gives float64."""
    for call in calls(name, torch.float32):
        plain = observe(function, call)
        chosen = observe(function, Call(call.args, {**call.keywords, "dtype": torch.float64}))
        if plain and chosen and isinstance(chosen.result, Leaf) and chosen.result.dtype == "float64":
            return bool(plain.result.dtype != "float64")
    return False


def _is_zero_dim(name: str, function: Callable[..., Any], found: list[Observation]) -> bool:
    """Whether every call with tensors only gives a single number."""
    # max and min of two tensors are another operation, which VARIANTS tells.
    more = [observe(function, call) for call in bare_calls(1 if "other" in VARIANTS.get(name, {}) else 3)]
    bare = [item for item in (*found, *more) if item and item.is_bare and item.has_dimensions]
    return bool(bare) and all(isinstance(item.result, Leaf) and item.result.ndim == 0 for item in bare)


def _aliases(name: str, function: Callable[..., Any], found: list[Observation]) -> frozenset[bool]:
    strided = [observe(function, restrided(call)) for call in calls(name, torch.float32)]
    results = [item.result for item in (*found, *strided) if item and item.first]
    firsts = [result[0] if isinstance(result, tuple) and result else result for result in results]
    return frozenset(leaf.aliases for leaf in firsts if isinstance(leaf, Leaf) and leaf.aliases is not None)


def _metadata(returns: dict[str, Code]) -> Iterator[str]:
    for name, code in returns.items():
        if name.startswith("Tensor.") and code in ("number", "boolean", "other") and name not in _NO_METADATA:
            yield name.removeprefix("Tensor.")
