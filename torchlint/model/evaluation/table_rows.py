"""The results of torch's own functions and methods by the rows of the tables in knowledge/: dtype, where it was
decided, number of dimensions, and whether autograd follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.knowledge import dtypes
from torchlint.knowledge.lookup import returned, takes_dtype, variant, variants, zero_dim
from torchlint.model.devices import placements
from torchlint.model.evaluation import dimensions
from torchlint.model.evaluation.operators import promoted
from torchlint.model.frames import Frame
from torchlint.model.terms import Call, Constant, Operation, Starred
from torchlint.model.values import UNKNOWN, Kind, TensorValue, join_all, sources_in, strings_of
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator

# Who rounds means whole numbers: that these are floating is decided here.
_ROUNDINGS = frozenset("floor floor_ ceil ceil_ round round_ trunc trunc_".split())


def special(name: str, call: Call, second: TensorValue) -> object:
    """The table row, or the one that a keyword (dim=, return_indices=) or a second tensor (torch.max(a, b)) asks for
    instead."""
    code: object = returned(name)
    if name == "torch.einsum":
        return "promote"
    if second.is_tensor and "other" in variants(name):
        return variant(name, "other")
    for keyword in variants(name):
        given = call.keyword(keyword)
        if given is not None and not (isinstance(given, Constant) and (given.value is None or given.value is False)):
            return variant(name, keyword)
    if "dim" in variants(name) and _has_second(name, call):
        # x.max(dim) gives values and indices, x.max(y) a tensor: with a variable it may be either.
        is_dim = second.kind is Kind.NUMBER or call.keyword("keepdim") is not None
        return variant(name, "dim") if is_dim else None
    return code


def coded(
    evaluator: Evaluator, name: str, code: object, call: Call, operands: list[TensorValue], frame: Frame
) -> TensorValue:
    """The value that a table row describes."""
    sources = sources_in(operands)
    if name.startswith("torch.") and operands and operands[0].kind is Kind.UNKNOWN and code in _OF_TENSOR:
        # These take no number: what is only known to be floating is a tensor.
        operands = [operands[0].but(kind=Kind.TENSOR if operands[0].dtype else Kind.UNKNOWN), *operands[1:]]
    if isinstance(code, tuple) and code[-1] == "...":
        element = coded(evaluator, name, code[0], call, operands, frame)
        return TensorValue(Kind.CONTAINER, made_by=name, element=element, sources=sources)
    if isinstance(code, tuple):
        items = tuple(coded(evaluator, name, part, call, operands, frame) for part in code)
        return TensorValue(Kind.CONTAINER, made_by=name, items=items, element=join_all(items), sources=sources)
    if code in ("number", "boolean", "other", "none"):
        kind = {"number": Kind.NUMBER, "boolean": Kind.NUMBER, "none": Kind.NONE}.get(str(code), Kind.OTHER)
        return TensorValue(kind, sources=sources, dtype="bool" if code == "boolean" else None)
    return _computed(evaluator, name, str(code), call, operands, frame).but(sources=sources)


def _computed(
    evaluator: Evaluator, name: str, code: str, call: Call, operands: list[TensorValue], frame: Frame
) -> TensorValue:
    """The tensor that a table row describes."""
    place = frame.span(call.place)
    tensors = [value for operand in operands for value in _tensors_in(operand)]
    dtype, cast = _dtype(evaluator, name, code, call, operands, tensors, frame)
    is_integral = dtype is not None and dtype.startswith(("int", "uint", "bool"))
    is_number = code in _ELEMENTWISE and bool(tensors) and all(one.ndim == 0 for one in tensors)
    placed = placements.of_call(evaluator, name, code, call, operands, frame)
    on_cpu = code in ("default", "infer") and call.keyword("device") is None
    return TensorValue(
        Kind.TENSOR,
        dtype=dtype,
        device="cpu" if on_cpu else placements.device_of(placed),
        ndim=0 if is_number else _ndim(name, call, operands),
        made_by=name,
        origin=place,
        cast=cast or place,
        detached=(is_integral or _is_without_graph(code, operands, tensors)) and not _starts_graph(call),
        placed=placed,
    )


def _is_without_graph(code: str, operands: list[TensorValue], tensors: list[TensorValue]) -> bool:
    """True where autograd records no path to the result: nothing goes in that has one, or only its form."""
    if code == "like":
        return True
    made_here = not tensors and all(value.kind is not Kind.UNKNOWN for value in operands)
    return all(value.detached for value in tensors) and (bool(tensors) or made_here or code in ("default", "infer"))


def _has_second(name: str, call: Call) -> bool:
    """True where a positional argument follows the tensor that the function or method works on."""
    return len(call.arguments) > (0 if name.startswith("Tensor.") else 1)


def _starts_graph(call: Call) -> bool:
    """True for requires_grad=, unless it is False: autograd records what is computed from the new tensor."""
    given = call.keyword("requires_grad")
    return given is not None and not (isinstance(given, Constant) and given.value is False)


def _tensors_in(operand: TensorValue) -> list[TensorValue]:
    if operand.is_tensor:
        return [operand]
    if operand.kind is Kind.CONTAINER:
        return [value for value in operand.items or ((operand.element,) if operand.element else ()) if value.is_tensor]
    return []


def _dtype(
    evaluator: Evaluator,
    name: str,
    code: str,
    call: Call,
    operands: list[TensorValue],
    tensors: list[TensorValue],
    frame: Frame,
) -> tuple[str | None, Span | None]:
    """The dtype of the result, and where it was decided (None: at this call)."""
    given = call.keyword("dtype")
    if given is not None and (takes_dtype(name) or code in ("default", "infer", "like", "dtype")):
        value = evaluator.value(given, frame)
        if value.kind is not Kind.NONE:
            return value.dtype, None
    if code == "dtype":
        return _converted(evaluator, name, call, operands[0], frame)
    if code == "infer":
        return _inferred(evaluator, name, call, operands, frame), None
    if code == "default":
        return "float32", None
    if code in ("promote", "promote_tensors", "promote_float"):
        # Only torch.cat and its like take their operands in a list, with a dimension after it.
        dtype, cast = _promoted(name, operands[:1] if code == "promote_tensors" else _operands(name, call, operands))
        is_quotient = code == "promote_float" and dtype is not None and dtype.startswith(("int", "uint", "bool"))
        return ("float32", None) if is_quotient else (dtype, cast)
    return _of_first(name, code, operands, tensors)


def _of_first(
    name: str, code: str, operands: list[TensorValue], tensors: list[TensorValue]
) -> tuple[str | None, Span | None]:
    """The dtype that a row derives from that of the first tensor."""
    first = tensors[0] if tensors else UNKNOWN
    if name == "Tensor.view" and len(operands) == 2 and operands[1].made_by == "dtype":
        return operands[1].dtype, None
    if code in ("same", "like"):
        return first.dtype, None if name.rpartition(".")[2] in _ROUNDINGS else first.cast
    if code in ("float", "real_float"):
        if first.is_integral:
            return "float32", None
        if first.is_complex and code == "real_float":
            return "floating", None
        return first.dtype or "floating", first.cast
    if code == "sum":
        return ("int64" if first.is_integral else first.dtype), first.cast
    if code == "real":
        return ("floating" if first.is_complex else first.dtype), first.cast
    if code == "second":
        return (tensors[1].dtype, tensors[1].cast) if len(tensors) > 1 else (None, None)
    if code == "complex":
        return "complex", None
    return (code, None) if code in dtypes.NAMES else (None, None)


_ELEMENTWISE = frozenset(("promote", "promote_float", "float"))
_OF_PYTHON = ("bool", "int64", "float32", "float64")
_OF_TENSOR = frozenset(("same", "float"))
_NO_OPERANDS = frozenset((Kind.OTHER, Kind.NONE, Kind.CONTAINER, Kind.CALLABLE))


def _promoted(name: str, operands: list[TensorValue]) -> tuple[str | None, Span | None]:
    """The dtype of the operands together. A floating one makes the result floating, whatever stands beside it."""
    if name.endswith("where"):
        condition = 1 if name.startswith("Tensor.") else 0
        operands = operands[:condition] + operands[condition + 1 :]
    parts = [part for operand in operands for part in _parts_of(operand) if part.kind not in _NO_OPERANDS]
    tensors = [part for part in parts if part.is_tensor]
    cast = next((part.cast for part in tensors if part.is_floating), None)
    if not tensors and parts and all(part.kind is Kind.NUMBER for part in parts):
        # Two numbers, as in where(mask, 1.0, 0.0), make what torch.tensor() makes of them.
        return _widest([_of_data(part, 0) for part in parts]), None
    dtype = promoted(parts) if tensors else None
    if dtype is None and cast is not None and not any(part.is_complex for part in tensors):
        return "floating", cast
    return dtype, cast


def _operands(name: str, call: Call, operands: list[TensorValue]) -> list[TensorValue]:
    """The positional operands, and of the keywords those that are surely operands: dim= is none."""
    count = len(call.arguments) + name.startswith("Tensor.")
    return [*operands[:count], *(value for value in operands[count:] if value.is_tensor)]


def _parts_of(operand: TensorValue) -> tuple[TensorValue, ...]:
    """The operand, or what a list of operands holds."""
    if operand.kind is not Kind.CONTAINER:
        return (operand,)
    return (
        operand.items
        if operand.items is not None
        else (operand.element,)
        if operand.element is not None
        else (UNKNOWN,)
    )


def _inferred(evaluator: Evaluator, name: str, call: Call, operands: list[TensorValue], frame: Frame) -> str | None:
    """torch.tensor, as_tensor, full, arange and their like: by the Python data."""
    if name.endswith(("full", "full_like", "new_full")):
        given = call.argument(1, "fill_value")
        data = evaluator.value(given, frame) if given is not None else UNKNOWN
    elif name.endswith(("arange", "range")):
        return _of_range(evaluator, call, operands, frame)
    else:
        data = operands[0] if operands else UNKNOWN
    return _of_data(data, depth=4)


def _of_range(evaluator: Evaluator, call: Call, numbers: list[TensorValue], frame: Frame) -> str | None:
    """torch.arange(..): a bound of which nothing is known counts something, a step may be anything."""
    if any(value.dtype == "floating" for value in numbers if value.kind in (Kind.NUMBER, Kind.UNKNOWN)):
        return "float32"
    step = call.argument(2, "step")
    if step is not None and evaluator.value(step, frame).dtype != "integral":
        return None
    is_whole = [value.kind is Kind.NUMBER and value.dtype == "integral" for value in numbers]
    is_open = [value.kind is Kind.UNKNOWN and value.dtype is None for value in numbers]
    return "int64" if all(map(max, is_whole, is_open)) else None


def _of_data(data: TensorValue, depth: int) -> str | None:
    if data.kind is Kind.NUMBER:
        return {"floating": "float32", "integral": "int64", "bool": "bool", "complex": "complex64"}.get(
            data.dtype or ""
        )
    if data.is_tensor or data.kind is Kind.ARRAY:
        return data.dtype
    if data.kind is Kind.UNKNOWN and data.is_floating:
        # A quotient of what nobody knows: a float, or a tensor or array of some floating dtype.
        return "floating"
    if data.kind is Kind.CONTAINER and depth:
        if data.items == ():
            return "float32"
        parts = data.items if data.items else (data.element,) if data.element is not None else ()
        found = [_of_data(part, depth - 1) for part in parts]
        return _widest(found)
    return None


def _widest(found: list[str | None]) -> str | None:
    """The dtype of Python data of several kinds."""
    if "floating" in found:
        return "floating" if None not in found else None
    known = [dtype for dtype in found if dtype in _OF_PYTHON]
    return max(known, key=_OF_PYTHON.index) if known and len(known) == len(found) else None


def _converted(
    evaluator: Evaluator, name: str, call: Call, base: TensorValue, frame: Frame
) -> tuple[str | None, Span | None]:
    """`.to(..)` and `.type(..)`: a dtype changes the dtype, a device does not, and what may be either makes it
    unknown."""
    if name.endswith("type_as"):
        other = evaluator.value(call.arguments[0], frame) if call.arguments else UNKNOWN
        return other.dtype, None
    kept = True
    for term in call.arguments:
        value = evaluator.value(term, frame)
        if value.dtype is not None and (value.made_by == "dtype" or value.is_tensor):
            return value.dtype, None
        if isinstance(term, Constant) and isinstance(term.value, str) and name.endswith("type"):
            return dtypes.legacy_tensor(term.value), None
        if value.kind is Kind.CALLABLE and value.made_by is not None and name.endswith("type"):
            return dtypes.legacy_tensor(value.made_by), None
        kept = kept and (placements.is_device(term) or value.kind is Kind.NUMBER)
    options = [evaluator.value(term, frame) for key, term in call.keywords if key is None]
    kept = kept and all(one.keys is not None and "dtype" not in (strings_of(one.keys) or ("dtype",)) for one in options)
    return (base.dtype, base.cast) if kept else (None, None)


def _is_arithmetic(call: Call) -> bool:
    """True for torch.tensor(a * b + 1): lists are not calculated with, so this is a number."""
    data = call.arguments[0] if call.arguments else None
    return isinstance(data, Operation) and data.operator in ("+", "-", "*", "/", "//", "%", "**")


def _ndim(name: str, call: Call, operands: list[TensorValue]) -> int | None:
    """The number of dimensions of a result, 0 for a single number."""
    if any(isinstance(term, Starred) for term in call.arguments):
        return None
    if name in ("torch.tensor", "torch.as_tensor", "torch.scalar_tensor") and operands:
        if operands[0].kind is Kind.NUMBER or (operands[0].kind is Kind.UNKNOWN and _is_arithmetic(call)):
            return 0
        if operands[0].kind is Kind.UNKNOWN and call.arguments:
            return dimensions.of_default(call.arguments[0])
        return dimensions.of_data(operands[0])
    if zero_dim(name):
        reduced = len(call.inputs) <= (1 if name.startswith("torch.") else 0)
        return 0 if reduced else None
    return dimensions.of_call(name, call, operands)
