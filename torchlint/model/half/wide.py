"""Tensors that stay in float32 whatever the network is: cast where they are written, made so, or given so."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.knowledge.factories import FACTORIES
from torchlint.knowledge.lookup import is_view, returned
from torchlint.model.devices.placements import is_device
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.passed import arguments_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Comprehension,
    Constant,
    Display,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.weights.enumerated import within

_WIDE_NAMES = ("torch.float32", "torch.float", "torch.float64", "torch.double")
_WIDE = frozenset(("float32", "float64", "bfloat16"))
# Of these the elements decide on the dtype.
_OF_DATA = frozenset("tensor as_tensor from_numpy arange range full".split())
_PASSED_ON = frozenset("T mT H data values".split())
# The rules of results that have the dtype of their tensors, and with those that may have a greater one; the operators
# that give the greater one.
KEEPS_DTYPE = ("same", "real", "float", "sum")
STAYS_WIDE = (*KEEPS_DTYPE, "promote", "promote_float", "promote_tensors", "real_float")
PROMOTES = frozenset("+ - * / ** @ += -= *= /= **=".split())


def stays_wide(term: Term, frame: Frame, depth: int = 8) -> bool:
    """True for what is computed from a tensor that is cast to float32 where it is written or by every caller, also
    where nobody knows that it is a tensor, and for what a tensor of several numbers went into that is float32 from the
    start: that is the greater dtype."""
    if not depth:
        return False
    if _is_wide(term) or _is_made_wide(term, frame):
        return True
    if isinstance(term, Argument):
        return _is_widened_by_callers(term, frame)
    if isinstance(term, Choice):
        return all(stays_wide(option, frame, depth - 1) for option in term.options)
    if isinstance(term, Operation) and term.operator in PROMOTES:
        # In place the dtype is that of the left side.
        parts = term.parts[:1] if term.operator.endswith("=") else term.parts
        return any(stays_wide(part, frame, depth - 1) for part in parts)
    if isinstance(term, Item) and isinstance(term.base, Display):
        # What a helper returned that is written out.
        return term.index < len(term.base.parts) and stays_wide(term.base.parts[term.index], frame, depth - 1)
    if isinstance(term, (Subscript, Item)) or (isinstance(term, Attribute) and term.name in _PASSED_ON):
        return stays_wide(term.base, frame, depth - 1)
    if not isinstance(term, Call):
        return False
    if isinstance(term.callee, Attribute):
        keeps = is_view(term.callee.name) or keeps_dtype(f"Tensor.{term.callee.name}") or _only_moves(term)
        return keeps and stays_wide(term.callee.base, frame, depth - 1)
    keeps = isinstance(term.callee, Imported) and keeps_dtype(term.callee.name)
    return keeps and any(stays_wide(given, frame, depth - 1) for given in term.arguments)


def is_of_wide_range(term: Term, frame: Frame) -> bool:
    """True where branches leave a tensor, or the one whose dtype it takes, in dtypes that are known and not float16."""
    given = term.keyword("dtype") if isinstance(term, Call) else None
    root = given.base if isinstance(given, Attribute) and given.name == "dtype" else term
    dtypes = {frame.value(option).dtype for option in root.options} if isinstance(root, Choice) else set()
    return bool(dtypes) and dtypes <= _WIDE


def _is_widened_by_callers(term: Argument, frame: Frame) -> bool:
    """True for a parameter for which every caller passes what has a float32 tensor in it: that is the greater dtype. Of
    forward() nobody sees all callers."""
    if frame.function.name == "forward" or frame.outer is not None:
        return False
    calls = [dict(arguments_of(moment, frame)) for moment in callers_of(frame)]
    given = [call.get(term.index) for call in calls]
    return bool(given) and all(one is not None and any(map(_is_wide, _parts_of(one))) for one in given)


def _parts_of(term: Term) -> Iterator[Term]:
    """What a value is made of, first what went into the function that it is a result of: a loop hands its state on."""
    if isinstance(term, Item) and isinstance(term.base, Call):
        yield from term.base.inputs
    yield from within(term, 60)


def _is_wide(term: Term) -> bool:
    if not isinstance(term, Call):
        return False
    is_cast = isinstance(term.callee, Attribute) and not term.inputs and term.callee.name in ("float", "double")
    return is_cast or any(isinstance(given, Imported) and given.name in _WIDE_NAMES for given in term.inputs)


def _is_made_wide(term: Term, frame: Frame) -> bool:
    """True for a tensor with dimensions that a function of torch makes in the default dtype, from nothing that has a
    dtype of its own: torch.linspace(0, 1, n), torch.tensor([1.0, scale])."""
    if not isinstance(term, Call) or not isinstance(term.callee, Imported) or term.keyword("dtype") is not None:
        return False
    name = term.callee.name.rpartition("torch.")[2]
    value = frame.value(term)
    if name not in FACTORIES or value.is_integral or value.ndim == 0:
        return False
    if name not in _OF_DATA or value.dtype in ("float32", "float64"):
        return True
    return name == "tensor" and bool(term.arguments) and _is_listed(term.arguments[0])


def _is_listed(term: Term) -> bool:
    """True for a list, or one computed element by element, that surely holds a floating number, and for the sum of it
    and another one."""
    if isinstance(term, Operation) and term.operator == "+":
        return any(map(_is_listed, term.parts))
    return isinstance(term, (Display, Comprehension)) and any(map(_is_float, term.parts))


def _is_float(term: Term) -> bool:
    if isinstance(term, (Display, Comprehension)):
        return any(map(_is_float, term.parts))
    if isinstance(term, Operation):
        return term.operator == "/" or any(map(_is_float, term.parts))
    is_cast = isinstance(term, Call) and isinstance(term.callee, Global) and term.callee.name == "float"
    return is_cast or (isinstance(term, Constant) and isinstance(term.value, float))


def _only_moves(call: Call) -> bool:
    """True for x.cuda() and x.to(y.device)."""
    name = last_name(call)
    return name == "cuda" or (name == "to" and len(call.inputs) == 1 and is_device(call.inputs[0]))


def keeps_dtype(name: str) -> bool:
    """True for what returns the dtype of its tensors or a greater one, maybe as the first of several results."""
    found = returned(name)
    return (found[0] if isinstance(found, tuple) and found else found) in STAYS_WIDE
