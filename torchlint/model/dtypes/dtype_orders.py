"""Places that ask which of two torch dtypes is the greater: Python has no answer, and raises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.dtypes import GIVE_DTYPE, named
from torchlint.model.dtypes.dtype_sources import (
    is_declared_dtype,
    is_dict,
    keys_of_dict,
    keys_of_kept_dict,
    may_lead_to_dtypes,
    viewed_dict,
)
from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.evaluation.operators import element_of
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.callers import imports_torch
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Closure,
    Comprehension,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Operation,
    Starred,
    Term,
    children,
)
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

_ORDERINGS = frozenset(("<", "<=", ">", ">=", "ordering"))
_PICKS = frozenset(("min", "max", "sorted", "sort", "reduce"))
_ORDER_FUNCTIONS = frozenset(f"operator.{name}" for name in ("lt", "le", "gt", "ge"))
_MOST_TERMS = 60
_LISTINGS = frozenset("list tuple set frozenset sorted reversed iter".split())
_OTHER_ARRAYS = ("numpy", "pandas", "jax", "tensorflow", "cupy", "polars", "pyarrow", "xarray", "dask", "mxnet")
# A `dtype` on these is a setting or a column's type, of which nothing is known.
_OTHER_OWNERS = re.compile(
    r"(?:^|_)(?:cfg|config|conf|args|opts?|options|settings|params|hparams|df|frame|arr|array|np|col|column|series|ds|"
    r"field|schema)\d*(?:$|_)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DtypeOrder:
    """Dtypes that are ordered. by: the operator or function that orders them. is_certain: False where the dtypes may
    belong to another library's arrays."""

    span: Span
    by: str
    is_certain: bool


def dtype_orders(frame: Frame) -> Iterator[DtypeOrder]:
    """The comparisons, minima, maxima and sorts of a function whose operands are torch dtypes."""
    for event in frame.function.events:
        term = event.term if isinstance(event, Evaluated) else None
        if not isinstance(term, (Operation, Call)) or not _may_order_dtypes(term, frame):
            continue
        found = _compared(term, frame) if isinstance(term, Operation) else _picked(term, frame)
        if found is not None and (found[1] or _is_about_tensors(frame)):
            yield DtypeOrder(frame.span(term.place), *found)


def _may_order_dtypes(term: Operation | Call, frame: Frame) -> bool:
    """False where the words alone rule it out, so that nothing needs to be evaluated."""
    if isinstance(term, Operation):
        is_order = term.operator in _ORDERINGS
        return is_order and any(_speaks_of_dtypes(part) or is_declared_dtype(part, frame) for part in term.parts)
    if last_name(term) not in _PICKS and not (
        isinstance(term.callee, Imported) and term.callee.name in _ORDER_FUNCTIONS
    ):
        return False
    base = (term.callee.base,) if isinstance(term.callee, Attribute) else ()
    given = (*base, *term.inputs)
    return any(map(_speaks_of_dtypes, given)) or any(may_lead_to_dtypes(one, frame) for one in given)


def _speaks_of_dtypes(term: Term) -> bool:
    """True where a name with "dtype" in it, a dtype of torch or a lambda is written somewhere in a term."""
    waiting, count = [term], 0
    while waiting and count < _MOST_TERMS:
        one, count = waiting.pop(), count + 1
        if isinstance(one, Closure):
            return True
        if isinstance(one, (Attribute, Argument, Global, Imported)):
            name = one.name
            if "dtype" in name or (isinstance(one, Imported) and (named(name) or name in GIVE_DTYPE)):
                return True
        if isinstance(one, Constant):
            if one.value == "dtype":
                return True
            continue
        waiting += children(one)
    return False


def _compared(term: Operation, frame: Frame) -> tuple[str, bool] | None:
    by = term.operator if term.operator != "ordering" else "<"
    certain = _all_dtypes(term.parts, frame)
    return (by, certain) if certain is not None else None


def _picked(call: Call, frame: Frame) -> tuple[str, bool] | None:
    callee = call.callee
    if isinstance(callee, Imported) and callee.name in _ORDER_FUNCTIONS:
        certain = _all_dtypes(call.arguments, frame)
        return (f"{last_name(call)}()", certain) if certain is not None else None
    name = last_name(call)
    if name not in _PICKS or not _is_of_python(call, name, frame):
        return None
    certain = _elements_of_pick(call, name, frame)
    return (f"{name}()", certain) if certain is not None else None


def _is_of_python(call: Call, name: str, frame: Frame) -> bool:
    """True for the builtins, for functools.reduce(max, ..) or one that compares, and for a list's own sort()."""
    callee = call.callee
    if name == "reduce":
        first = call.arguments[0] if len(call.arguments) == 2 else None
        return (isinstance(first, Global) and first.name in ("min", "max")) or _compares_its_two(first, frame)
    return isinstance(callee, Attribute) if name == "sort" else isinstance(callee, Global)


def _compares_its_two(term: Term | None, frame: Frame) -> bool:
    """True for lambda a, b: a if a >= b else b, and for a function that does the same."""
    target = frame.value(term).of if term is not None else None
    function = target.function if isinstance(target, BoundClosure) else target
    terms = [event.term for event in getattr(function, "events", ()) if isinstance(event, Evaluated)]
    orders = [term for term in terms if isinstance(term, Operation) and term.operator in _ORDERINGS]
    return any(all(isinstance(part, Argument) for part in order.parts) for order in orders)


def _elements_of_pick(call: Call, name: str, frame: Frame) -> bool | None:
    """Whether the values that a pick orders are dtypes for certain; None where they are none."""
    operands = call.arguments[1:] if name == "reduce" else call.arguments
    if isinstance(call.callee, Attribute):
        operands = (call.callee.base,)
    if not operands or any(isinstance(term, Starred) for term in operands[1:]):
        return None
    first = operands[0].value if isinstance(operands[0], Starred) else operands[0]
    one_by_one = len(operands) > 1 and name in ("min", "max")
    key = call.keyword("key")
    if key is not None and not (isinstance(key, Constant) and key.value is None):
        element = frame.value(first) if one_by_one else element_of(frame.value(first))
        return _key_gives_dtype(key, element, frame)
    return _all_dtypes(operands, frame) if one_by_one else _holds_dtypes(first, frame)


def _key_gives_dtype(key: Term, element: TensorValue, frame: Frame) -> bool | None:
    """For key=lambda t: t.dtype, a function that returns one, and attrgetter("dtype")."""
    if isinstance(key, Call) and last_name(key) == "attrgetter":
        named = key.arguments[0] if key.arguments else None
        is_dtype = isinstance(named, Constant) and str(named.value).endswith("dtype")
        return element.is_tensor if is_dtype and element.kind is not Kind.ARRAY else None
    function = frame.value(key).of
    if isinstance(function, BoundClosure):
        inner = frame.evaluator.nested_frame(function.function, function.frame, {0: element})
        return _returned_dtype(inner)
    return _returned_dtype(frame.evaluator.frame(function, None)) if isinstance(function, Function) else None


def _returned_dtype(inner: Frame) -> bool | None:
    returned = inner.function.returned
    return _is_dtype(_leading(returned[0].value), inner) if len(returned) == 1 else None


def _holds_dtypes(term: Term, frame: Frame, depth: int = 4) -> bool | None:
    """Whether the elements of an iterable are dtypes for certain; None where they are none."""
    if isinstance(term, Comprehension):
        return _is_dtype(_leading(term.parts[0]), frame)
    if isinstance(term, Display) and term.kind != "dict":
        return _all_dtypes(tuple(map(_leading, term.parts)), frame) if len(term.parts) > 1 else None
    if isinstance(term, Call) and isinstance(term.callee, Global) and term.callee.name in _LISTINGS and depth:
        return _holds_dtypes(term.arguments[0], frame, depth - 1) if len(term.arguments) == 1 else None
    if isinstance(term, Captured) and frame.outer is not None and depth:
        return _holds_dtypes(term.value, frame.outer, depth - 1)
    if isinstance(term, Choice) and depth:
        found = [_holds_dtypes(option, frame, depth - 1) for option in term.options]
        return None if None in found else all(found)
    if is_dict(viewed_dict(term)):
        keys = keys_of_dict(viewed_dict(term), frame.function)
        return _all_dtypes(tuple(keys), frame) if keys else None
    kept = keys_of_kept_dict(viewed_dict(term), frame)
    if kept:
        found = [_is_dtype(_leading(key), where) for key, where in kept]
        return None if None in found else True in found
    value = frame.value(term)
    held = element_of(value)
    return held.dtype is not None if value.kind is Kind.CONTAINER and _is_dtype_value(held) else None


def _leading(term: Term) -> Term:
    """What decides the order of tuples: their first element."""
    return term.parts[0] if isinstance(term, Display) and term.kind == "tuple" and term.parts else term


def _all_dtypes(terms: tuple[Term, ...], frame: Frame) -> bool | None:
    """True where one operand is a torch dtype for certain, so that any order raises; False where all may be; else
    None."""
    found = [_is_dtype(term, frame) for term in terms]
    if True in found:
        return None if any(frame.value(term).kind is Kind.OBJECT for term in terms) else True
    return False if found and None not in found else None


def _is_dtype(term: Term, frame: Frame) -> bool | None:
    """True for a torch dtype, False for what is one if its owner is a tensor, None for anything else."""
    if not _is_dtype_value(frame.value(term)):
        return None
    if isinstance(term, Captured) and frame.outer is not None:
        return _is_dtype(term.value, frame.outer)
    if isinstance(term, Choice):
        found = [_is_dtype(option, frame) for option in term.options]
        return None if None in found else all(found)
    if not isinstance(term, Attribute) or term.known is not None:
        return isinstance(term, (Imported, Argument)) or (isinstance(term, Call) and _is_of_torch(term))
    owner = frame.value(term.base)
    is_declared = owner.kind is Kind.OBJECT and owner.of is not None
    if owner.is_tensor or owner.kind is Kind.MODULE or is_declared or frame.value(term).dtype is not None:
        return True
    return False if owner.kind is Kind.UNKNOWN and not _is_other_owner(term.base, frame) else None


def _is_dtype_value(value: TensorValue) -> bool:
    return value.kind is Kind.OTHER and value.made_by == "dtype"


def _is_of_torch(call: Call) -> bool:
    return isinstance(call.callee, Imported) and call.callee.name.startswith("torch.")


def _is_other_owner(term: Term, frame: Frame) -> bool:
    """True for a setting, a column, or an argument that promises something which is no tensor."""
    parameters = frame.function.parameters
    if isinstance(term, Argument) and term.index < len(parameters) and parameters[term.index].annotation is not None:
        return True
    return bool(_OTHER_OWNERS.search(_written(term)))


def _written(term: Term) -> str:
    if isinstance(term, (Element, Captured)):
        return _written(term.iterable if isinstance(term, Element) else term.value)
    return term.name.rpartition(".")[2] if isinstance(term, (Argument, Attribute, Global, Imported)) else ""


def _is_about_tensors(frame: Frame) -> bool:
    """False where a function speaks of the arrays of another library, or its file never of torch."""
    known: bool | None = frame.function.derived.get("about tensors")
    if known is None:
        is_of_torch = imports_torch(frame.evaluator.project, frame.path)
        known = frame.function.derived["about tensors"] = is_of_torch and not _speaks_of_arrays(frame.function)
    return known


def _speaks_of_arrays(function: Function) -> bool:
    terms = (event.term for event in function.events if isinstance(event, Evaluated))
    leaves = (leaf for term in terms for leaf in (term, *children(term)))
    return any(isinstance(leaf, Imported) and leaf.name.startswith(_OTHER_ARRAYS) for leaf in leaves)
