"""What Python's own functions return: builtins, math, itertools.chain, dict(..)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torchlint.knowledge import numbers
from torchlint.model.evaluation.module_calls import STATE_VALUES, pairs
from torchlint.model.evaluation.named_values import is_sequence
from torchlint.model.evaluation.operators import applied, container, dictionary, element_of, held, of_constant
from torchlint.model.frames import Frame
from torchlint.model.names.chosen import by_name
from torchlint.model.names.texts import text_of
from torchlint.model.terms import Attribute, Call, Element, Starred
from torchlint.model.values import (
    NONE,
    OTHER,
    UNKNOWN,
    Kind,
    Source,
    TensorValue,
    join_all,
)
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator

_INT = TensorValue(Kind.NUMBER, dtype="integral")
_FLOAT = TensorValue(Kind.NUMBER, dtype="floating")
_BOOL = TensorValue(Kind.NUMBER, dtype="bool")

# What each gives, whatever it is given.
_NUMBERS = {
    **dict.fromkeys("len int id hash ord round".split(), _INT),
    **dict.fromkeys("bool isinstance issubclass hasattr callable any all".split(), _BOOL),
    "float": _FLOAT,
}
_TEXTS_AND_TYPES = frozenset("repr format type print".split())
_COPIES = frozenset("list tuple set sorted reversed iter frozenset".split())
_FOLDS = frozenset("min max abs sum next".split())
_WALKS = frozenset("range enumerate zip map filter".split())


def builtin_result(evaluator: Evaluator, name: str, call: Call, frame: Frame) -> TensorValue:
    """The result of calling a builtin."""
    values = [evaluator.value(term, frame) for term in call.arguments]
    first = values[0] if values else NONE
    sources = evaluator.sources_of(call, frame)
    if name == "round" and len(call.inputs) > 1:
        return first.but(sources=sources, constant=None)
    if name in _NUMBERS:
        return _NUMBERS[name].but(sources=sources)
    if name in _FOLDS:
        return _folded(name, values, sources)
    if name in _WALKS:
        return _walked(evaluator, name, call, values, frame)
    if name in _COPIES:
        if not call.arguments:
            return TensorValue(Kind.CONTAINER, made_by=name, items=())
        return TensorValue(Kind.CONTAINER, made_by=name, element=element_of(first), sources=sources)
    if name == "dict":
        return dict_of(evaluator, call, first, frame)
    if name == "pow" and len(values) == 2:
        return applied("**", values, frame.span(call.place))
    if name == "getattr" and len(call.arguments) >= 2:
        return by_name(evaluator, call, first, frame)
    return _of_object(name, values, first, sources)


def _of_object(name: str, values: list[TensorValue], first: TensorValue, sources: frozenset[Source]) -> TensorValue:
    """What is asked of an object as such: its text, its class, its attributes."""
    if name == "str":
        return text_of(first)
    if name == "staticmethod":
        return first
    if name == "type" and len(values) == 3 and values[1].items and values[1].items[0].made_by == "class":
        return values[1].items[0]
    if name in _TEXTS_AND_TYPES:
        return OTHER
    if name == "vars":
        return TensorValue(Kind.CONTAINER, made_by="vars", element=TensorValue(Kind.UNKNOWN, made_by="vars"))
    return UNKNOWN.but(sources=sources)


def _walked(evaluator: Evaluator, name: str, call: Call, values: list[TensorValue], frame: Frame) -> TensorValue:
    """range(..), enumerate(..), zip(..), map(..) and filter(..)."""
    sources = evaluator.sources_of(call, frame)
    if name == "range":
        return TensorValue(Kind.CONTAINER, element=_INT)
    if name == "enumerate":
        return pairs((_INT, element_of(values[0] if values else NONE)), sources)
    if name == "zip":
        return _zipped(call, values, sources)
    if name == "filter":
        return TensorValue(Kind.CONTAINER, element=element_of(values[-1] if values else NONE), sources=sources)
    if len(call.arguments) < 2 or any(isinstance(term, Starred) for term in call.arguments):
        return TensorValue(Kind.CONTAINER, sources=sources)
    return TensorValue(Kind.CONTAINER, element=evaluator.value(_mapped(call, frame), frame), sources=sources)


def _zipped(call: Call, values: list[TensorValue], sources: frozenset[Source]) -> TensorValue:
    """zip(a, b) gives rows; zip(*rows) of rows of known length gives their columns."""
    if len(call.arguments) == 1 and isinstance(call.arguments[0], Starred):
        row = values[0].items if values[0].kind is Kind.CONTAINER else None
        if row is None:
            return TensorValue(Kind.CONTAINER, element=TensorValue(Kind.CONTAINER, element=UNKNOWN), sources=sources)
        columns = tuple(TensorValue(Kind.CONTAINER, made_by="tuple", element=one, sources=sources) for one in row)
        return TensorValue(Kind.CONTAINER, items=columns, element=join_all(columns), sources=sources)
    if values and all(value.items is not None and is_sequence(value) for value in values):
        known = (value.items or () for value in values)
        rows = [container("tuple", row, join_all(row)) for row in zip(*known, strict=False)]
        return container("tuple", tuple(rows), join_all(rows)).but(sources=sources)
    return pairs(tuple(map(element_of, values)), sources)


def _mapped(call: Call, frame: Frame) -> Call:
    """The call that map(..) makes for each element."""
    rows = (Element(call.place, term) for term in call.arguments[1:])
    return _instead(call, frame, lambda: Call(call.place, call.arguments[0], tuple(rows), ()))


def as_method(call: Call, name: str, frame: Frame) -> Call:
    """torch.Tensor.to(x, ..) as x.to(..), nn.Module.train(self, ..) as self.train(..)."""
    callee = Attribute(call.place, call.arguments[0], name)
    return _instead(call, frame, lambda: Call(call.place, callee, call.arguments[1:], call.keywords))


def _instead(call: Call, frame: Frame, make: Callable[[], Call]) -> Call:
    """The call that stands for another; asked twice in one function, it is one object."""
    known: dict[int, tuple[Call, Call]] = frame.function.derived.setdefault("calls instead", {})
    if id(call) not in known:
        known[id(call)] = (call, make())
    return known[id(call)][1]


def of_math(name: str, values: list[TensorValue], place: Span) -> TensorValue:
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


def dict_of(evaluator: Evaluator, call: Call, first: TensorValue, frame: Frame) -> TensorValue:
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


def chained(values: list[TensorValue]) -> TensorValue:
    """One iterable after the other: what is said of the elements of one holds of some of the whole."""
    elements = [element_of(value) for value in values]
    state = next((element for element in elements if element.made_by in STATE_VALUES), None)
    return TensorValue(Kind.CONTAINER, element=state or join_all(elements))


def _folded(name: str, values: list[TensorValue], sources: frozenset[Source]) -> TensorValue:
    operands = values if len(values) > 1 or name == "abs" else [element_of(value) for value in values]
    found = join_all(operands).but(sources=sources, constant=None)
    return found.but(dtype="int64") if name == "sum" and found.dtype == "bool" else found
