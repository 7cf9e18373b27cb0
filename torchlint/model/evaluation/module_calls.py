"""What modules give beside their results: their state as a whole, the weights of layers, and what a layer returns."""

from __future__ import annotations

from torchlint.knowledge.lookup import is_torch_layer, layer_name, layer_returned
from torchlint.knowledge.numbers import INTEGERS_OF_LAYERS, TUPLES_OF_CONVOLUTIONS
from torchlint.model.values import OTHER, UNKNOWN, Kind, Source, TensorValue, join_all

# State as a whole: what iterating over it gives is a tensor of any dtype, integer buffers included.
STATE_VALUES = frozenset({"Module.state_dict", "Module.buffers", "Module.named_buffers", "torch.load", "vars"})
_INTEGER = TensorValue(Kind.NUMBER, dtype="integral")
# Methods of nn.Module, and of its lists, that return the module itself.
RETURNS_SELF = frozenset(
    """
    to half float double bfloat16 cuda cpu xpu type eval train requires_grad_ apply _apply to_empty share_memory
    append extend insert
    """.split()
)
# Functions that change or compile a module and hand it back.
HAND_BACK = frozenset(
    """
    torch.compile torch.nn.utils.weight_norm torch.nn.utils.remove_weight_norm torch.nn.utils.spectral_norm
    torch.nn.utils.remove_spectral_norm torch.nn.utils.parametrizations.weight_norm
    torch.nn.utils.parametrizations.spectral_norm torch.nn.utils.parametrizations.orthogonal
    torch.nn.utils.parametrize.register_parametrization torch.nn.utils.parametrize.remove_parametrizations
    torch.nn.SyncBatchNorm.convert_sync_batchnorm
    """.split()
)


def module_method(name: str, base: TensorValue) -> TensorValue:
    """What a method of nn.Module that enumerates state returns, or one of a ModuleDict that gives its modules; UNKNOWN
    for any other name."""
    tensor = TensorValue(Kind.TENSOR, made_by=f"Module.{name}", sources=base.sources)
    if name == "state_dict":
        return TensorValue(Kind.CONTAINER, made_by="Module.state_dict", element=tensor, sources=base.sources)
    if name in ("parameters", "buffers"):
        kind = Kind.PARAMETER if name == "parameters" else Kind.BUFFER
        return TensorValue(Kind.CONTAINER, element=tensor.but(kind=kind), sources=base.sources)
    if name in ("named_parameters", "named_buffers"):
        kind = Kind.PARAMETER if name == "named_parameters" else Kind.BUFFER
        return pairs((OTHER, tensor.but(kind=kind)), base.sources)
    if base.element is not None and name in ("values", "items"):
        held = base.element.but(sources=base.element.sources | base.sources)
        is_pairs = name == "items"
        return pairs((OTHER, held), base.sources) if is_pairs else TensorValue(Kind.CONTAINER, element=held)
    if name in ("modules", "children"):
        return TensorValue(Kind.CONTAINER, element=TensorValue(Kind.MODULE))
    if name in ("named_modules", "named_children"):
        return pairs((OTHER, TensorValue(Kind.MODULE)), base.sources)
    return UNKNOWN


def registry(base: TensorValue, name: str) -> TensorValue | None:
    """__dict__ and the registries of a module, as the dicts of state that they are; None for any other attribute."""
    if name == "__dict__":
        return TensorValue(Kind.CONTAINER, made_by="vars", element=TensorValue(Kind.UNKNOWN, made_by="vars"))
    if base.kind is Kind.MODULE and name in ("_buffers", "_parameters"):
        kind = Kind.BUFFER if name == "_buffers" else Kind.PARAMETER
        element = TensorValue(kind, made_by=f"Module.{name.strip('_')}", sources=base.sources)
        return TensorValue(Kind.CONTAINER, made_by=element.made_by, element=element, sources=base.sources)
    return None


def layer_attribute(layer: TensorValue, name: str) -> TensorValue:
    """An attribute of a layer of torch: its weight and bias are Parameters, its sizes numbers."""
    is_of_torch = is_torch_layer(layer.made_by or "")
    if name in ("weight", "bias"):
        return TensorValue(Kind.PARAMETER, dtype="floating" if is_of_torch else None, sources=layer.sources)
    if is_of_torch and name in INTEGERS_OF_LAYERS:
        return _INTEGER
    is_convolution = layer_name(layer.made_by or "").startswith("torch.nn.Conv")
    if is_of_torch and is_convolution and name in TUPLES_OF_CONVOLUTIONS:
        return TensorValue(Kind.CONTAINER, made_by="tuple", element=_INTEGER)
    return UNKNOWN.but(sources=layer.sources)


def layer_result(bases: tuple[str, ...]) -> TensorValue:
    """What calling a layer that derives from one of torch's (dotted names) returns."""
    for base in bases:
        code = layer_returned(base)
        if code is not None:
            return _of_layer(base, code)
    return UNKNOWN


def last_layer(layer: TensorValue) -> TensorValue:
    """The layer whose result is that of calling `layer`: of a Sequential its last one."""
    while layer.kind is Kind.MODULE and layer.items and (layer.made_by or "").endswith(".Sequential"):
        layer = layer.items[-1]
    return layer if layer.kind is Kind.MODULE and layer.of is None else UNKNOWN


def _of_layer(name: str, code: object) -> TensorValue:
    if isinstance(code, tuple):
        items = tuple(_of_layer(name, part) for part in code)
        return TensorValue(Kind.CONTAINER, items=items, element=join_all(items))
    return TensorValue(Kind.TENSOR, dtype="floating" if code == "float" else None, made_by=name)


def pairs(items: tuple[TensorValue, ...], sources: frozenset[Source]) -> TensorValue:
    return TensorValue(Kind.CONTAINER, element=TensorValue(Kind.CONTAINER, items=items), sources=sources)
