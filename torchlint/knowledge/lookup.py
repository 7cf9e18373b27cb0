"""Questions to the generated tables: what a function or method of torch returns, what a name is.

The words of a row (torch_tables.RETURNS, VARIANTS, MODULES) say what is returned. A word for a tensor is its dtype:

    same             the dtype of the first tensor that goes in
    like             the same, in new memory (zeros_like, new_zeros)
    second           the dtype of the second tensor (embedding)
    promote          torch.result_type of all tensors and numbers (add, where)
    promote_tensors  torch.result_type of the tensors only (cat, stack)
    float            as same, and integers become the default dtype (exp)
    promote_float    as promote, and integers become the default dtype (div)
    sum              as same, and integers become int64 (sum, cumsum)
    real             as same, and complex becomes real (abs)
    real_float       as float, and complex becomes real (angle)
    complex          the complex counterpart (fft)
    default          the default dtype (zeros, rand)
    infer            by the Python data or the array (tensor, arange)
    dtype            by an argument (to, type)
    float32, ...     that dtype, whatever goes in
    tensor           a tensor of which the dtype is not known

and for anything else: number, boolean, other, unknown. A tuple stands for a tuple, (word, "...") for one of any length.
In MODULES "float" is the dtype of the layer's weights. bool, uint8 and complex operands now and then follow a rule of
their own: any() of uint8 stays uint8, float_power() of complex64 is complex128.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from torchlint.knowledge import torch_tables as tables

Returns = str | tuple["Returns", ...]

# What the generator does not call, since it takes lists: what their tensors have is what the result has.
_OF_LISTS: dict[str, Returns] = {
    "torch.nn.utils.rnn.pad_sequence": "promote_tensors",
    "torch.nn.utils.rnn.unpad_sequence": ("same", "..."),
    "torch.nn.utils.parameters_to_vector": "promote_tensors",
    "torch.nn.utils.convert_parameters.parameters_to_vector": "promote_tensors",
}
_ALIASES = (("torch.Tensor.", "Tensor."), ("torch.functional.", "torch."), ("torch._C._nn.", "torch.nn.functional."))


@lru_cache(maxsize=1 << 14)
def canonical(name: str) -> str:
    """The name under which the tables know a function or method."""
    for prefix, replacement in _ALIASES:
        if name.startswith(prefix):
            return replacement + name.removeprefix(prefix)
    return name


@lru_cache(maxsize=1 << 14)
def returned(name: str) -> Returns | None:
    """The dtype rule of what `name` returns (torch_tables.RETURNS), a tuple for a tuple; None where it is not known."""
    found: Returns | None = tables.RETURNS.get(canonical(name)) or _OF_LISTS.get(name)
    if found is None and name.startswith("Tensor.") and name.endswith("_") and not name.endswith("__"):
        return "same"
    return None if found == "unknown" else found


def is_factory(name: str) -> bool:
    """True for a function that makes a tensor of sizes alone: torch.zeros, torch.hann_window."""
    return returned(name) == "default"


def functions_matching(package: str, matches: Callable[[str], bool]) -> tuple[str, ...]:
    """The functions of a package of torch whose own names match, by their dotted names."""
    start = len(package) + 1
    own = (name for name in tables.RETURNS if name.startswith(f"{package}.") and "." not in name[start:])
    return tuple(name for name in own if matches(name[start:]))


def variant(name: str, parameter: str) -> Returns | None:
    """What `name` returns instead where the keyword `parameter` is given."""
    found: Returns | None = tables.VARIANTS.get(canonical(name), {}).get(parameter)
    return found


def variants(name: str) -> tuple[str, ...]:
    """The keywords that change what `name` returns."""
    return tuple(tables.VARIANTS.get(canonical(name), ()))


def takes_dtype(name: str) -> bool:
    """True where a dtype= keyword decides the dtype of the result."""
    return canonical(name) in tables.TAKES_DTYPE


def zero_dim(name: str) -> bool:
    """True where the result is a single number unless a dimension is given."""
    return canonical(name) in tables.ZERO_DIM


def is_metadata(name: str) -> bool:
    """True for a Tensor attribute or method that gives no tensor: shape, dtype, item() ..."""
    return name in tables.METADATA


def is_view(method: str) -> bool:
    """True for a Tensor method whose result is the same memory, or may be."""
    return f"Tensor.{method}" in tables.VIEWS or f"Tensor.{method}" in tables.MAYBE_VIEWS


def is_only_of_tensors(method: str) -> bool:
    """True for a method name that no other common type has, so that its receiver is a tensor."""
    return method in tables.DISTINCT_METHODS


def is_of_tensors(name: str) -> bool:
    """True for an attribute or a method that tensors have."""
    return (
        is_metadata(name) or is_only_of_tensors(name) or name in tables.ATTRIBUTES or f"Tensor.{name}" in tables.RETURNS
    )


def layer_name(name: str) -> str:
    """torch.nn.modules.linear.Linear -> torch.nn.Linear."""
    public: str = tables.MODULE_PATHS.get(name, name)
    return public


def layer_returned(name: str) -> Returns | None:
    """The dtype rule of what calling a layer of torch.nn returns."""
    found: Returns | None = tables.MODULES.get(layer_name(name))
    return None if found == "unknown" else found


def is_torch_layer(name: str) -> bool:
    """True for a class of torch.nn that is an nn.Module."""
    return layer_name(name) in tables.MODULES


def is_stateless_layer(name: str) -> bool:
    """True for a layer of torch.nn that computes without parameters and buffers: Dropout, ReLU, AvgPool2d."""
    return layer_returned(name) == "same" and not any(_registered(name))


def layer_state(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parameters and buffers that a layer of torch.nn registers; of a recurrent one those of its first layer."""
    parameters, buffers, _ = _registered(name)
    return parameters, buffers


def layer_children(name: str) -> tuple[str, ...]:
    """The modules that a layer of torch.nn registers as its own, by their names."""
    return _registered(name)[2]


def _registered(name: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    state: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    state = tables.MODULE_STATE.get(layer_name(name), ((), (), ()))
    return state


def index_argument(name: str) -> tuple[int, str] | None:
    """The position and keyword of the first argument that must hold integers, for a function, method or layer call."""
    found = index_arguments(name)
    return found[0] if found else None


def index_arguments(name: str) -> tuple[tuple[int, str], ...]:
    """The positions and keywords of all arguments that must hold integers; positions as the caller counts them."""
    row = tables.INDEX_ARGUMENTS.get(canonical(layer_name(name)), ())
    places = [item for item in row if item != "soft"]
    return tuple(zip(places[::2], places[1::2], strict=True))


def takes_soft_targets(name: str) -> bool:
    """True where floats are legal in place of class numbers: probabilities of the input's shape."""
    return "soft" in tables.INDEX_ARGUMENTS.get(canonical(layer_name(name)), ())
