"""What calls of torch's own functions, methods and layers return, by the tables in knowledge/."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from torchlint.knowledge import dtypes
from torchlint.knowledge.factories import MASK_OBJECTS
from torchlint.knowledge.lookup import (
    is_torch_layer,
)
from torchlint.knowledge.modules import is_module_class
from torchlint.model.devices import placements
from torchlint.model.evaluation import arrays, dimensions, keyed
from torchlint.model.evaluation.batches import batches_of
from torchlint.model.evaluation.bound import BoundPartial
from torchlint.model.evaluation.builtin_calls import as_method, builtin_result, chained, dict_of, of_math
from torchlint.model.evaluation.module_calls import HAND_BACK, RETURNS_SELF
from torchlint.model.evaluation.operators import dictionary, element_of
from torchlint.model.evaluation.table_rows import coded, special
from torchlint.model.frames import Frame
from torchlint.model.terms import Call
from torchlint.model.values import (
    NONE,
    UNKNOWN,
    Kind,
    TensorValue,
)
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator

_LISTS_OF_MODULES = frozenset(("torch.nn.ModuleList", "torch.nn.ModuleDict"))
_LISTS_OF_PARAMETERS = frozenset(("torch.nn.ParameterList", "torch.nn.ParameterDict"))
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

FROM_KEYS = "dict.fromkeys"
# What a functools.partial makes; what a call of it returns is not known.
PARTIAL = "functools.partial.instance"
_BOOL = TensorValue(Kind.NUMBER, dtype="bool")


class _Asked(NamedTuple):
    """A call of a function of a library. values: its positional arguments."""

    evaluator: Evaluator
    name: str
    call: Call
    frame: Frame
    values: list[TensorValue]

    @property
    def first(self) -> TensorValue:
        return self.values[0] if self.values else NONE

    @property
    def head(self) -> str:
        """The module or class that the function is of."""
        return self.name.rpartition(".")[0]

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def span(self) -> Span:
        return self.frame.span(self.call.place)

    @property
    def nothing(self) -> TensorValue:
        """A result of which nothing is known but what went in."""
        return UNKNOWN.but(sources=self.evaluator.sources_of(self.call, self.frame))


def function_result(evaluator: Evaluator, name: str, call: Call, frame: Frame) -> TensorValue:
    """The result of calling `name`, a builtin or something of a library, by its dotted path."""
    if name.startswith("builtins."):
        return builtin_result(evaluator, name.rpartition(".")[2], call, frame)
    asked = _Asked(evaluator, name, call, frame, [evaluator.value(term, frame) for term in call.arguments])
    for find in (_of_python, _of_state, _of_data, _of_other_libraries, _of_torch):
        found = find(asked)
        if found is not None:
            return found
    return _by_table(asked)


def _of_python(asked: _Asked) -> TensorValue | None:
    """Partials, copies, dicts and numbers of the standard library."""
    evaluator, name, call, frame, values = asked
    if name in ("functools.partial", "functools.partialmethod"):
        return _partial(evaluator, call, frame)
    if name == PARTIAL:
        return asked.nothing
    if name == FROM_KEYS:
        return dictionary([element_of(asked.first)], [*values[1:2], NONE][:1])
    if name == "collections.OrderedDict":
        return dict_of(evaluator, call, asked.first, frame)
    if name in ("copy.deepcopy", "copy.copy", "torch.autograd.Variable"):
        return asked.first
    if name in keyed.NAMESPACES:
        return keyed.of_namespace(name, call, frame)
    if name == "typing.cast":
        return values[-1] if values else NONE
    if name in ("itertools.chain", "itertools.chain.from_iterable"):
        return chained(values)
    return of_math(asked.last, values, asked.span) if asked.head == "math" else None


def _of_state(asked: _Asked) -> TensorValue | None:
    """Parameters, buffers, checkpoints and modules."""
    name, first = asked.name, asked.first
    if name in _PARAMETERS:
        return first.but(kind=Kind.PARAMETER, origin=asked.span, detached=False, placed=frozenset())
    if name in _BUFFERS:
        return first.but(kind=Kind.BUFFER, made_by=BUFFER, origin=asked.span, placed=frozenset())
    if name == "torch.load" or name.endswith(".load_file"):
        element = TensorValue(Kind.UNKNOWN, made_by="torch.load")
        return TensorValue(Kind.CONTAINER, made_by="torch.load", element=element)
    if name.endswith(".from_pretrained") and is_torch_layer(asked.head):
        return TensorValue(Kind.MODULE, made_by=asked.head, origin=asked.span)
    if asked.head == "torch.nn.Module" and asked.last in RETURNS_SELF:
        return first
    if name in HAND_BACK and first.kind is Kind.MODULE:
        return first
    if not is_module_class(name):
        return None
    items = tuple(asked.values) if asked.last == "Sequential" and asked.values else None
    each = first.element if name in _LISTS_OF_MODULES and first.kind is Kind.CONTAINER else None
    if name in _LISTS_OF_PARAMETERS:
        each = (first.element or UNKNOWN).but(kind=Kind.PARAMETER)
    return TensorValue(Kind.MODULE, made_by=name, origin=asked.span, items=items, element=each)


def _of_data(asked: _Asked) -> TensorValue | None:
    """Datasets, loaders and the objects that masks are."""
    if asked.name == "torch.utils.data.TensorDataset":
        rows = tuple(map(placements.released, asked.values))
        return TensorValue(Kind.CONTAINER, made_by=asked.name, element=TensorValue(Kind.CONTAINER, items=rows))
    if asked.name == "torch.utils.data.DataLoader":
        return batches_of(asked.evaluator, asked.call, asked.first)
    if asked.name in MASK_OBJECTS:
        element = asked.nothing.but(kind=Kind.TENSOR, dtype="int32")
        return TensorValue(Kind.CONTAINER, dtype="int32", made_by=asked.name, element=element, sources=element.sources)
    return None


def _of_other_libraries(asked: _Asked) -> TensorValue | None:
    """numpy and its like, and einops."""
    computed = arrays.of_function(asked.evaluator, asked.name, asked.call, asked.frame)
    if computed is None and asked.head == "einops" and asked.first.is_tensor:
        return asked.first.but(kind=Kind.TENSOR, ndim=None)
    return computed


def _of_torch(asked: _Asked) -> TensorValue | None:
    """What of torch no row of a table describes."""
    evaluator, name, call, frame, _ = asked
    if asked.head == "torch.Tensor" and call.arguments:
        return evaluator.value(as_method(call, asked.last, frame), frame)
    if name in dtypes.GIVE_DTYPE:
        return TensorValue(Kind.OTHER, made_by="dtype")
    if name in dtypes.LIMITS:
        return TensorValue(Kind.OTHER, made_by=name)
    if asked.head == "torch.nn.init" and name.endswith("_") and asked.first.is_tensor:
        # In place: what comes back is the Parameter itself.
        return asked.first
    if name.startswith("torch.distributions."):
        placed = placements.of_distribution(evaluator.value(term, frame) for term in call.inputs)
        return asked.nothing.but(made_by=name, placed=placed)
    legacy = dtypes.legacy_tensor(name)
    if legacy is not None:
        return _legacy(evaluator, name, legacy, call, asked.first, frame)
    return _BOOL if name.partition(".")[0] == "torch" and asked.last.startswith("is_") else None


def _by_table(asked: _Asked) -> TensorValue:
    evaluator, name, call, frame, values = asked
    code = special(name, call, values[1] if len(values) > 1 else NONE)
    if code is None:
        return asked.nothing
    keywords = [evaluator.value(term, frame) for key, term in call.keywords if key not in ("dtype", "device", "out")]
    return coded(evaluator, name, code, call, [*values, *keywords], frame)


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
