"""What calls of torch's own functions, methods and layers return, by the tables in knowledge/."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.knowledge import dtypes, numbers
from torchlint.knowledge.factories import MASK_OBJECTS
from torchlint.knowledge.lookup import (
    is_metadata,
    is_only_of_tensors,
    is_torch_layer,
    is_view,
    returned,
    takes_dtype,
    variant,
    variants,
    zero_dim,
)
from torchlint.knowledge.modules import is_module_class
from torchlint.model import arrays, dimensions, placements
from torchlint.model.batches import batches_of
from torchlint.model.bound import BoundPartial
from torchlint.model.chosen import by_name
from torchlint.model.frames import Frame
from torchlint.model.module_calls import module_method, pairs
from torchlint.model.operators import SIZE, applied, dictionary, element_of, held, of_constant, promoted
from torchlint.model.terms import Argument, Attribute, Call, Constant, Global, Imported, Operation, Starred, Term
from torchlint.model.texts import formatted, text_of
from torchlint.model.values import (
    NONE,
    OTHER,
    UNKNOWN,
    Kind,
    TensorValue,
    expressions_of,
    join_all,
    joined_dtype,
    strings_of,
)
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.evaluate import Evaluator

_LISTS_OF_MODULES = frozenset(("torch.nn.ModuleList", "torch.nn.ModuleDict"))
# State as a whole: what iterating over it gives is a tensor of any dtype, integer buffers included.
STATE_VALUES = frozenset({"Module.state_dict", "Module.buffers", "Module.named_buffers", "torch.load", "vars"})

# What makes a buffer that registers itself where it is assigned.
BUFFER = "torch.nn.Buffer"
_PARAMETERS = frozenset(
    """
    torch.nn.Parameter torch.nn.parameter.Parameter torch.nn.UninitializedParameter
    torch.nn.parameter.UninitializedParameter
    """.split()
)
_BUFFERS = frozenset((BUFFER, "torch.nn.parameter.Buffer"))
# The classes whose objects register where they are assigned; torch's own files are read as any other.
STATE_CLASSES = _PARAMETERS | _BUFFERS

# Who rounds means whole numbers: that these are floating is decided here.
_ROUNDINGS = frozenset("floor floor_ ceil ceil_ round round_ trunc trunc_".split())
FROM_KEYS = "dict.fromkeys"
# What a functools.partial makes; what a call of it returns is not known.
PARTIAL = "functools.partial.instance"
_INT = TensorValue(Kind.NUMBER, dtype="integral")
_FLOAT = TensorValue(Kind.NUMBER, dtype="floating")
_BOOL = TensorValue(Kind.NUMBER, dtype="bool")
_TENSOR_ATTRIBUTES = frozenset("T mT H mH data real imag grad".split())
_SAME_SHAPE = frozenset(
    "to type type_as float half double bfloat16 long int short bool clone detach cpu cuda contiguous".split()
)
_CONVERSIONS = frozenset("float half double bfloat16 long int short bool to type".split())
_COUNTS = frozenset("dim ndimension numel nelement element_size storage_offset".split())
_ROUNDS = frozenset("floor ceil round trunc".split())
_DEVICE_METHODS = frozenset("cpu cuda xpu npu mps".split())


# Functions


def function_result(evaluator: Evaluator, name: str, call: Call, frame: Frame) -> TensorValue:
    """The result of calling `name`, a builtin or something of a library, by its dotted path."""
    head, _, last = name.rpartition(".")
    if head == "builtins":
        return _builtin(evaluator, last, call, frame)
    values = [evaluator.value(term, frame) for term in call.arguments]
    first = values[0] if values else NONE
    if name in ("functools.partial", "functools.partialmethod"):
        return _partial(evaluator, call, frame)
    if name == FROM_KEYS:
        return dictionary([element_of(first)], [*values[1:2], NONE][:1])
    if name == "collections.OrderedDict":
        return _dict(evaluator, call, first, frame)
    if name == PARTIAL:
        return UNKNOWN.but(sources=evaluator.sources_of(call, frame))
    if name in ("copy.deepcopy", "copy.copy", "torch.autograd.Variable", "typing.cast"):
        return values[-1] if name == "typing.cast" and values else first
    if name in _PARAMETERS:
        return first.but(kind=Kind.PARAMETER, origin=frame.span(call.place), detached=False, placed=frozenset())
    if name in _BUFFERS:
        return first.but(kind=Kind.BUFFER, made_by=BUFFER, origin=frame.span(call.place), placed=frozenset())
    if name == "torch.load" or name.endswith(".load_file"):
        element = TensorValue(Kind.UNKNOWN, made_by="torch.load")
        return TensorValue(Kind.CONTAINER, made_by="torch.load", element=element)
    if name.endswith(".from_pretrained") and is_torch_layer(head):
        return TensorValue(Kind.MODULE, made_by=head, origin=frame.span(call.place))
    if name == "torch.utils.data.TensorDataset":
        rows = tuple(map(placements.released, values))
        return TensorValue(Kind.CONTAINER, made_by=name, element=TensorValue(Kind.CONTAINER, items=rows))
    if name == "torch.utils.data.DataLoader":
        return batches_of(evaluator, call, first)
    if is_module_class(name):
        items = tuple(values) if last == "Sequential" and values else None
        each = first.element if name in _LISTS_OF_MODULES and first.kind is Kind.CONTAINER else None
        return TensorValue(Kind.MODULE, made_by=name, origin=frame.span(call.place), items=items, element=each)
    if name in MASK_OBJECTS:
        element = TensorValue(Kind.TENSOR, dtype="int32", sources=evaluator.sources_of(call, frame))
        return TensorValue(Kind.CONTAINER, dtype="int32", made_by=name, element=element, sources=element.sources)
    if name in ("itertools.chain", "itertools.chain.from_iterable"):
        return _chained(values)
    computed = arrays.of_function(evaluator, name, call, frame)
    if computed is not None:
        return computed
    if head == "math":
        return _of_math(last, values, frame.span(call.place))
    if name in dtypes.GIVE_DTYPE:
        return TensorValue(Kind.OTHER, made_by="dtype")
    if name in dtypes.LIMITS:
        return TensorValue(Kind.OTHER, made_by=name)
    if head == "torch.nn.init" and last.endswith("_") and first.is_tensor:
        # In place: what comes back is the Parameter itself.
        return first
    if head == "einops" and first.is_tensor:
        return first.but(kind=Kind.TENSOR, ndim=None)
    if name.startswith("torch.distributions."):
        placed = placements.of_distribution(evaluator.value(term, frame) for term in call.inputs)
        return UNKNOWN.but(sources=evaluator.sources_of(call, frame), made_by=name, placed=placed)
    legacy = dtypes.legacy_tensor(name)
    if legacy is not None:
        return _legacy(evaluator, name, legacy, call, first, frame)
    if head.partition(".")[0] == "torch" and last.startswith("is_"):
        return _BOOL
    code = _special(name, call, values[1] if len(values) > 1 else NONE)
    if code is None:
        return UNKNOWN.but(sources=evaluator.sources_of(call, frame))
    keywords = [evaluator.value(term, frame) for key, term in call.keywords if key not in ("dtype", "device", "out")]
    return _coded(evaluator, name, code, call, [*values, *keywords], frame)


def _builtin(evaluator: Evaluator, name: str, call: Call, frame: Frame) -> TensorValue:
    values = [evaluator.value(term, frame) for term in call.arguments]
    first = values[0] if values else NONE
    sources = evaluator.sources_of(call, frame)
    if name == "round" and len(call.inputs) > 1:
        return first.but(sources=sources, constant=None)
    if name in ("len", "int", "id", "hash", "ord", "round"):
        return _INT.but(sources=sources)
    if name == "float":
        return _FLOAT.but(sources=sources)
    if name in ("bool", "isinstance", "issubclass", "hasattr", "callable", "any", "all"):
        return _BOOL.but(sources=sources)
    if name == "str":
        return text_of(first)
    if name == "staticmethod":
        return first
    if name == "type" and len(values) == 3 and values[1].items and values[1].items[0].made_by == "class":
        return values[1].items[0]
    if name in ("repr", "format", "type", "print"):
        return OTHER
    if name == "range":
        return TensorValue(Kind.CONTAINER, element=_INT)
    if name in ("list", "tuple", "set", "sorted", "reversed", "iter", "frozenset"):
        if not call.arguments:
            return TensorValue(Kind.CONTAINER, made_by=name, items=())
        return TensorValue(Kind.CONTAINER, made_by=name, element=element_of(first), sources=sources)
    if name == "dict":
        return _dict(evaluator, call, first, frame)
    if name == "enumerate":
        return pairs((_INT, element_of(first)), sources)
    if name == "zip":
        return pairs(tuple(element_of(value) for value in values), sources)
    if name in ("min", "max", "abs", "sum", "next"):
        return _folded(name, values, sources)
    if name == "pow" and len(values) == 2:
        return applied("**", values, frame.span(call.place))
    if name == "vars":
        return TensorValue(Kind.CONTAINER, made_by="vars", element=TensorValue(Kind.UNKNOWN, made_by="vars"))
    if name == "getattr" and len(call.arguments) >= 2:
        return by_name(evaluator, call, first, frame)
    return UNKNOWN.but(sources=sources)


def _of_math(name: str, values: list[TensorValue], place: Span) -> TensorValue:
    """The result of a function of math: a float but for what counts, rounds or asks."""
    if name in numbers.MATH_INTEGERS:
        return _INT
    if name in numbers.MATH_QUESTIONS:
        return _BOOL
    if name == "prod" and values:
        factors = element_of(values[0])
        return TensorValue(Kind.NUMBER, dtype=factors.dtype if factors.kind is Kind.NUMBER else None)
    if name in numbers.MATH_PAIRS:
        fraction = _FLOAT.but(cast=place)
        items = (fraction, _INT if name == "frexp" else fraction)
        return TensorValue(Kind.CONTAINER, items=items, element=join_all(items))
    return TensorValue(Kind.NUMBER) if name in numbers.MATH_OPEN else _FLOAT.but(cast=place)


def _dict(evaluator: Evaluator, call: Call, first: TensorValue, frame: Frame) -> TensorValue:
    """dict(..): of another dict, of pairs, and of keywords."""
    keys = [of_constant(name) for name, _ in call.keywords if name is not None]
    values = [evaluator.value(term, frame) for name, term in call.keywords if name is not None]
    if first.kind is Kind.ARRAY:
        return dictionary([OTHER], [first.but(ndim=0)])
    for given in (first, *(evaluator.value(term, frame) for name, term in call.keywords if name is None)):
        pair = element_of(given)
        if given.keys is not None:
            keys.append(given.keys)
            values.append(held(given))
        elif pair.items is not None and len(pair.items) == 2:
            keys.append(pair.items[0])
            values.append(pair.items[1])
    if not keys:
        sources = evaluator.sources_of(call, frame)
        return first if first.kind is Kind.CONTAINER else TensorValue(Kind.CONTAINER, made_by="dict", sources=sources)
    return dictionary(keys, values)


def _chained(values: list[TensorValue]) -> TensorValue:
    """One iterable after the other: what is said of the elements of one holds of some of the whole."""
    elements = [element_of(value) for value in values]
    state = next((element for element in elements if element.made_by in STATE_VALUES), None)
    return TensorValue(Kind.CONTAINER, element=state or join_all(elements))


def _folded(name: str, values: list[TensorValue], sources: frozenset[object]) -> TensorValue:
    operands = values if len(values) > 1 or name == "abs" else [element_of(value) for value in values]
    found = join_all(operands).but(sources=sources, constant=None)
    return found.but(dtype="int64") if name == "sum" and found.dtype == "bool" else found


def _partial(evaluator: Evaluator, call: Call, frame: Frame) -> TensorValue:
    values = [evaluator.value(term, frame) for term in call.inputs]
    captures = tuple(value for value in values if value.kind is Kind.TENSOR)
    made = BoundPartial(call, frame) if call.arguments else None
    return TensorValue(Kind.CALLABLE, made_by=PARTIAL, of=made, captures=captures)


def _legacy(evaluator: Evaluator, name: str, dtype: str, call: Call, first: TensorValue, frame: Frame) -> TensorValue:
    """torch.Tensor(..), torch.LongTensor(..): torch.Tensor of a tensor keeps its dtype, of anything else it is the
    default."""
    place = frame.span(call.place)
    placed = placements.of_legacy(name, call, first, frame)
    given = [evaluator.value(term, frame) for term in call.arguments]
    ndim = dimensions.of_legacy(given)
    on_cpu = None if "cuda" in name else "cpu"
    made = TensorValue(Kind.TENSOR, made_by=name, origin=place, detached=True, device=on_cpu, ndim=ndim)
    if name.rpartition(".")[2] == "Tensor" and first.is_tensor:
        return made.but(dtype=first.dtype, cast=first.cast, sources=first.sources, placed=placed)
    return made.but(dtype=dtype, cast=place, sources=first.sources, placed=placed)


# Methods


def method_result(evaluator: Evaluator, base: TensorValue, name: str, call: Call, frame: Frame) -> TensorValue | None:
    """The result of `base.name(..)` for a value that is no object of the project; None where nothing is known of it."""
    if base.kind is Kind.CONTAINER:
        return _container_method(base, name)
    if name == "format" and expressions_of(base):
        keywords = {key: evaluator.value(term, frame) for key, term in call.keywords if key is not None}
        return formatted(base, [evaluator.value(term, frame) for term in call.arguments], keywords)
    if base.made_by == "torch.load" and name in ("items", "values", "get"):
        # A part of a checkpoint that is walked like a dict is one.
        return _container_method(TensorValue(Kind.CONTAINER, made_by="torch.load", element=base), name)
    if base.kind is Kind.ARRAY:
        return arrays.of_method(evaluator, base, name, call, frame)
    if base.made_by == arrays.GENERATOR:
        return arrays.of_random(name, call)
    if base.kind in (Kind.NUMBER, Kind.OTHER):
        return UNKNOWN
    if base.placed and (base.made_by or "").startswith("torch.distributions."):
        return TensorValue(Kind.TENSOR, placed=base.placed, sources=evaluator.sources_of(call, frame))
    if name == "value_counts" and base.kind is Kind.UNKNOWN:
        # Of pandas: how often each value stands in a column.
        return arrays.array(None if call.inputs else "int64")
    if not base.is_tensor:
        state = module_method(name, base)
        if state.kind is not Kind.UNKNOWN:
            return state.but(origin=frame.span(call.place))
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
    code = _special(f"Tensor.{name}", call, evaluator.value(call.arguments[0], frame) if call.arguments else NONE)
    certain = base.is_tensor or is_only_of_tensors(name)
    if base.kind is Kind.UNKNOWN and base.is_floating and name in _ROUNDS:
        return base
    if code is None or (not certain and name not in _CONVERSIONS):
        found = UNKNOWN.but(sources=evaluator.sources_of(call, frame))
        if name == "cuda":
            found = found.but(placed=placements.of_call(evaluator, "Tensor.cuda", "", call, [base], frame))
        elif name in placements.STAYS:
            found = found.but(placed=base.placed)
        return found
    operands = [base.but(kind=base.kind if base.is_tensor else Kind.TENSOR)]
    operands += [evaluator.value(term, frame) for key, term in call.keywords if key not in ("dtype", "device")]
    operands[1:1] = [evaluator.value(term, frame) for term in call.arguments]
    found = _coded(evaluator, f"Tensor.{name}", code, call, operands, frame)
    if found.kind is Kind.TENSOR and name in _SAME_SHAPE:
        found = found.but(ndim=base.ndim, device=base.device if name not in _DEVICE_METHODS else None)
    if found.kind is Kind.TENSOR and base.is_given and (is_view(name) or name in _SAME_SHAPE):
        found = found.but(is_given=True)
    if base.kind is Kind.PARAMETER and name.endswith("_") and not name.endswith("__"):
        # In place: requires_grad_(False) returns the Parameter itself.
        return base
    if found.kind is Kind.TENSOR and (base.kind is Kind.PARAMETER or base.came_from_parameter):
        found = found.but(came_from_parameter=True)
    if found.kind is Kind.TENSOR and name in ("detach", "detach_"):
        found = found.but(detached=True)
    if not certain:
        # A module has float(), half(), to() and type() as well: the dtype is known, the kind is not.
        found = found.but(kind=Kind.UNKNOWN)
    return found


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
    return UNKNOWN.but(sources=base.sources)


# The dtype rules of the tables


def _special(name: str, call: Call, second: TensorValue) -> object:
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


def _coded(
    evaluator: Evaluator, name: str, code: object, call: Call, operands: list[TensorValue], frame: Frame
) -> TensorValue:
    """The value that a table row describes."""
    sources = frozenset().union(*(value.sources for value in operands))
    if name.startswith("torch.") and operands and operands[0].kind is Kind.UNKNOWN and code in _OF_TENSOR:
        # These take no number: what is only known to be floating is a tensor.
        operands = [operands[0].but(kind=Kind.TENSOR if operands[0].dtype else Kind.UNKNOWN), *operands[1:]]
    if isinstance(code, tuple) and code[-1] == "...":
        element = _coded(evaluator, name, code[0], call, operands, frame)
        return TensorValue(Kind.CONTAINER, made_by=name, element=element, sources=sources)
    if isinstance(code, tuple):
        items = tuple(_coded(evaluator, name, part, call, operands, frame) for part in code)
        return TensorValue(Kind.CONTAINER, made_by=name, items=items, element=join_all(items), sources=sources)
    if code in ("number", "boolean", "other", "none"):
        kind = {"number": Kind.NUMBER, "boolean": Kind.NUMBER, "none": Kind.NONE}.get(str(code), Kind.OTHER)
        return TensorValue(kind, sources=sources, dtype="bool" if code == "boolean" else None)
    place = frame.span(call.place)
    tensors = [value for operand in operands for value in _tensors_in(operand)]
    dtype, cast = _dtype(evaluator, name, str(code), call, operands, tensors, frame)
    made_here = not tensors and all(value.kind is not Kind.UNKNOWN for value in operands)
    detached = all(value.detached for value in tensors) and (bool(tensors) or made_here or code in ("default", "infer"))
    detached = detached or code == "like"
    is_integral = dtype is not None and dtype.startswith(("int", "uint", "bool"))
    elementwise = code in _ELEMENTWISE and bool(tensors)
    placed = placements.of_call(evaluator, name, str(code), call, operands, frame)
    return TensorValue(
        Kind.TENSOR,
        dtype=dtype,
        device="cpu"
        if code in ("default", "infer") and call.keyword("device") is None
        else placements.device_of(placed),
        ndim=0 if elementwise and all(t.ndim == 0 for t in tensors) else _ndim(name, call, operands),
        made_by=name,
        origin=place,
        cast=cast or place,
        sources=sources,
        detached=(detached or is_integral) and not _starts_graph(call),
        placed=placed,
    )


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
    if code in ("promote", "promote_tensors", "promote_float"):
        # Only torch.cat and its like take their operands in a list, with a dimension after it.
        dtype, cast = _promoted(name, operands[:1] if code == "promote_tensors" else _operands(name, call, operands))
        is_quotient = code == "promote_float" and dtype is not None and dtype.startswith(("int", "uint", "bool"))
        return ("float32", None) if is_quotient else (dtype, cast)
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
        numbers = [value for value in operands if value.kind is Kind.NUMBER]
        if any(value.dtype == "floating" for value in operands if value.kind in (Kind.NUMBER, Kind.UNKNOWN)):
            return "float32"
        return "int64" if len(numbers) == len(operands) and all(v.dtype == "integral" for v in numbers) else None
    else:
        data = operands[0] if operands else UNKNOWN
    return _of_data(data, depth=4)


def _of_data(data: TensorValue, depth: int) -> str | None:
    if data.kind is Kind.NUMBER:
        return {"floating": "float32", "integral": "int64", "bool": "bool", "complex": "complex64"}.get(
            data.dtype or ""
        )
    if data.is_tensor or data.kind is Kind.ARRAY:
        return data.dtype
    if data.kind is Kind.CONTAINER and depth:
        if data.items == ():
            return "float32"
        parts = data.items if data.items else (data.element,) if data.element is not None else ()
        found = [_of_data(part, depth - 1) for part in parts]
        return _widest(found)
    return None


def _widest(found: list[str | None]) -> str | None:
    """The dtype of Python data of several kinds."""
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
        kept = kept and (is_device(term) or value.kind is Kind.NUMBER)
    options = [evaluator.value(term, frame) for key, term in call.keywords if key is None]
    kept = kept and all(one.keys is not None and "dtype" not in (strings_of(one.keys) or ("dtype",)) for one in options)
    return (base.dtype, base.cast) if kept else (None, None)


def is_device(term: Term) -> bool:
    """True where a term is a device by its form or name, and so no dtype."""
    if isinstance(term, Constant):
        return isinstance(term.value, (str, int))
    if isinstance(term, (Argument, Attribute, Global, Imported)):
        return "device" in term.name.rpartition(".")[2].lower()
    return isinstance(term, Call) and isinstance(term.callee, (Imported, Attribute)) and "device" in term.callee.name


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
        return dimensions.of_data(operands[0])
    if zero_dim(name):
        reduced = len(call.inputs) <= (1 if name.startswith("torch.") else 0)
        return 0 if reduced else None
    return dimensions.of_call(name, call, operands)


__all__ = ["STATE_VALUES", "function_result", "joined_dtype", "method_result"]
