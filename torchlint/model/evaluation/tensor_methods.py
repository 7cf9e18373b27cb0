"""What methods and attributes give of values that are no objects of the project: tensors, arrays, containers, texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.knowledge import dtypes, numpy_results
from torchlint.knowledge.lookup import is_metadata, is_only_of_tensors, is_view
from torchlint.model.devices import placements
from torchlint.model.evaluation import arrays
from torchlint.model.evaluation.module_calls import RETURNS_SELF, module_method
from torchlint.model.evaluation.operators import SIZE, held
from torchlint.model.evaluation.table_rows import coded, special
from torchlint.model.evaluation.torch_calls import FROM_KEYS
from torchlint.model.frames import Frame
from torchlint.model.names.texts import formatted, joined
from torchlint.model.terms import Call
from torchlint.model.values import NONE, OTHER, UNKNOWN, Kind, TensorValue, expressions_of

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator

_INT = TensorValue(Kind.NUMBER, dtype="integral")
_FLOAT = TensorValue(Kind.NUMBER, dtype="floating")
_TENSOR_ATTRIBUTES = frozenset("T mT H mH data real imag grad".split())
_SAME_SHAPE = frozenset(
    "to type type_as float half double bfloat16 long int short bool clone detach cpu cuda contiguous".split()
)
_CONVERSIONS = frozenset("float half double bfloat16 long int short bool to type".split())
_COUNTS = frozenset("dim ndimension numel nelement element_size storage_offset".split())
# What tensors and arrays have, and leaves the dtype.
_RESHAPES = frozenset("view reshape squeeze flatten transpose repeat expand".split())
_ROUNDS = frozenset("floor ceil round trunc".split())
_DEVICE_METHODS = frozenset("cpu cuda xpu npu mps".split())


def method_result(evaluator: Evaluator, base: TensorValue, name: str, call: Call, frame: Frame) -> TensorValue | None:
    """The result of `base.name(..)` for a value that is no object of the project; None where nothing is known of it."""
    if base.kind is Kind.CONTAINER:
        return _container_method(base, name)
    for find in (_of_text_or_array, _of_unknown_object):
        found = find(evaluator, base, name, call, frame)
        if found is not None:
            return found
    if name == "numpy":
        return TensorValue(Kind.ARRAY, dtype=base.dtype, ndim=base.ndim, sources=base.sources)
    if name == "item":
        dtype = "floating" if base.is_floating else "integral" if base.is_integral else None
        return TensorValue(Kind.NUMBER, dtype=dtype, sources=base.sources)
    if name == "size":
        return _INT if call.inputs else _sizes(base)
    if name in _COUNTS:
        return _INT.but(sources=base.sources)
    if is_metadata(name):
        return OTHER.but(sources=base.sources)
    return _computed(evaluator, base, name, call, frame)


def _of_text_or_array(
    evaluator: Evaluator, base: TensorValue, name: str, call: Call, frame: Frame
) -> TensorValue | None:
    """A method of a text, an array, a number, or of a generator of arrays."""
    if name == "format" and expressions_of(base):
        keywords = {key: evaluator.value(term, frame) for key, term in call.keywords if key is not None}
        return formatted(base, [evaluator.value(term, frame) for term in call.arguments], keywords)
    if name == "join" and call.arguments and isinstance(base.constant, str):
        return joined(base.constant, evaluator.value(call.arguments[0], frame))
    if base.kind is Kind.ARRAY:
        return arrays.of_method(evaluator, base, name, call, frame)
    if base.made_by == arrays.GENERATOR:
        return arrays.of_random(name, call, [evaluator.value(term, frame) for term in call.arguments])
    return UNKNOWN if base.kind in (Kind.NUMBER, Kind.OTHER) else None


def _of_unknown_object(
    evaluator: Evaluator, base: TensorValue, name: str, call: Call, frame: Frame
) -> TensorValue | None:
    """A method of a checkpoint, a distribution, a table of pandas, or of what may be a module."""
    if base.made_by == "torch.load" and name in ("items", "values", "get"):
        # A part of a checkpoint that is walked like a dict is one.
        return _container_method(TensorValue(Kind.CONTAINER, made_by="torch.load", element=base), name)
    if base.placed and (base.made_by or "").startswith("torch.distributions."):
        return TensorValue(Kind.TENSOR, placed=base.placed, sources=evaluator.sources_of(call, frame))
    if name == "value_counts" and base.kind is Kind.UNKNOWN:
        # Of pandas: how often each value stands in a column.
        return arrays.array(None if call.inputs else "int64")
    state = module_method(name, base) if not base.is_tensor else UNKNOWN
    return state.but(origin=frame.span(call.place)) if state.kind is not Kind.UNKNOWN else None


def _computed(evaluator: Evaluator, base: TensorValue, name: str, call: Call, frame: Frame) -> TensorValue:
    """The result of a method that computes, by its row of the tables."""
    code = special(f"Tensor.{name}", call, evaluator.value(call.arguments[0], frame) if call.arguments else NONE)
    certain = base.is_tensor or is_only_of_tensors(name) or (_is_converted(base) and name not in RETURNS_SELF)
    if base.kind is Kind.UNKNOWN and base.is_floating and name in _ROUNDS:
        return base
    if base.kind is Kind.UNKNOWN and base.is_floating and name in _RESHAPES:
        return base.but(ndim=None)
    if code is None or (not certain and name not in _CONVERSIONS):
        found = UNKNOWN.but(sources=evaluator.sources_of(call, frame))
        if name == "cuda":
            return found.but(placed=placements.of_call(evaluator, "Tensor.cuda", "", call, [base], frame))
        return found.but(placed=base.placed) if name in placements.STAYS else found
    operands = [base.but(kind=base.kind if base.is_tensor else Kind.TENSOR)]
    operands += [evaluator.value(term, frame) for term in call.arguments]
    operands += [evaluator.value(term, frame) for key, term in call.keywords if key not in ("dtype", "device")]
    if base.kind is Kind.PARAMETER and name.endswith("_") and not name.endswith("__"):
        # In place: requires_grad_(False) returns the Parameter itself.
        return base
    found = _kept_of(base, coded(evaluator, f"Tensor.{name}", code, call, operands, frame), name)
    if name == "to" and call.arguments and placements.is_device(call.arguments[0]):
        # Who moves it has chosen its place.
        found = found.but(is_given=False)
    # A module has float(), half(), to() and type() as well: the dtype is known, the kind is not.
    return found if certain else found.but(kind=Kind.UNKNOWN)


def _is_converted(base: TensorValue) -> bool:
    """True for what float() or another conversion gave: a tensor or a module, and what is no method of modules tells
    which."""
    last = (base.made_by or "").rpartition("Tensor.")[2]
    return base.kind is Kind.UNKNOWN and base.is_floating and last in _CONVERSIONS


def _kept_of(base: TensorValue, found: TensorValue, name: str) -> TensorValue:
    """The result of a method of a tensor, with what it keeps of that tensor."""
    if found.kind is not Kind.TENSOR:
        return found
    if name in _SAME_SHAPE:
        found = found.but(ndim=base.ndim, device=base.device if name not in _DEVICE_METHODS else None)
    if base.is_given and (is_view(name) or name in _SAME_SHAPE) and name not in _DEVICE_METHODS:
        found = found.but(is_given=True)
    if base.kind is Kind.PARAMETER or base.came_from_parameter:
        found = found.but(came_from_parameter=True)
    return found.but(detached=True) if name in ("detach", "detach_") else found


def _container_method(base: TensorValue, name: str) -> TensorValue:
    element = held(base)
    if name == "items":
        pair = TensorValue(Kind.CONTAINER, items=(base.keys or OTHER, element))
        return TensorValue(Kind.CONTAINER, element=pair, sources=base.sources)
    if name == "values":
        return TensorValue(Kind.CONTAINER, element=element, sources=base.sources)
    if name in ("get", "pop", "popitem", "setdefault"):
        return element
    if name == "copy":
        return base
    if name == "keys" and base.keys is not None:
        return TensorValue(Kind.CONTAINER, element=base.keys)
    return OTHER if name in ("keys", "index", "count") else UNKNOWN.but(sources=base.sources)


def _sizes(base: TensorValue) -> TensorValue:
    """x.shape: as many numbers as x has dimensions."""
    items = (_INT,) * base.ndim if base.ndim is not None else None
    return TensorValue(Kind.CONTAINER, made_by=SIZE, items=items, element=_INT)


def tensor_attribute(base: TensorValue, name: str) -> TensorValue:
    """`base.name` for a value that is no object of the project."""
    if name == "dtype":
        return TensorValue(Kind.OTHER, dtype=base.dtype, made_by="dtype")
    if name == "fromkeys" and base.made_by == "builtins.dict":
        return TensorValue(Kind.CALLABLE, made_by=FROM_KEYS)
    if base.made_by in dtypes.LIMITS:
        return _INT if name == "bits" or (base.made_by == "torch.iinfo" and name in ("min", "max")) else _FLOAT
    if name == "value" and expressions_of(base):
        # The member of an enumeration is known by what stands in the class: its value.
        return base
    if name in ("device", "layout", "names", "is_cuda"):
        return OTHER
    if base.kind is Kind.CONTAINER and base.items and name in ("values", "indices"):
        return base.items[0 if name == "values" else -1]
    if name == "shape":
        return _sizes(base)
    if name in ("ndim", "itemsize", "nbytes"):
        return _INT
    if base.is_tensor and name in _TENSOR_ATTRIBUTES:
        detached = base.detached or name in ("data", "grad")
        return base.but(
            kind=Kind.TENSOR, ndim=base.ndim, detached=detached, dtype=None if name in ("real", "imag") else base.dtype
        )
    if base.is_tensor and is_metadata(name):
        return OTHER
    if base.kind is Kind.ARRAY and name in numpy_results.SAME_MEMBERS:
        return base.but(constant=None)
    return UNKNOWN.but(sources=base.sources)
