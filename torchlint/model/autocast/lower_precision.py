"""What autocast runs in lower precision: operations, layers, and whether a value flows into one unchanged."""

from __future__ import annotations

import re

from torchlint.knowledge.autocast import LOWER_PRECISION, LOWER_PRECISION_LAYERS, LOWER_PRECISION_ON
from torchlint.knowledge.lookup import is_view, returned
from torchlint.model.devices.placements import is_device
from torchlint.model.flow.forwards import is_model
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Display,
    Global,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
)
from torchlint.model.values import Kind, TensorValue

# A callable that cannot be seen, called by such a name, is a layer with a matrix product.
_LAYER_NAME = re.compile(
    r"(?:^|_)(?:head|proj|projection|linear|fc|dense|conv|to_(?:q|k|v|qkv|out|kv)|qkv|lin)\d*(?:$|_)"
)
# Layers that hand the values on as they are.
_PASSING_LAYERS = frozenset("Flatten Unflatten Identity".split())
_ARITHMETIC = frozenset("+ - * / ** % += -= *= /=".split())
# The codes of what returns the dtype that it is given, or the widest of several.
_KEEP_DTYPE = frozenset(("same", "real", "float", "sum"))
_CASTS = frozenset(("to", "type", "type_as"))
_REACH = 6


def fed_operation(
    term: Term, frame: Frame, device: str | None = None, kept: str | None = None, reach: int = _REACH
) -> tuple[Term, str] | None:
    """The operation of autocast's lower-precision list that a value flows into, and its name: through views only, or,
    where `kept` is given, through whatever has that dtype as well. Nothing but a cast makes float64 narrower."""
    for parent in parents_in(frame.function).get(id(term), ()):
        if not isinstance(parent, Term):
            continue
        name = _run_on(parent, term, frame, device) or (_model_run_on(parent, term, frame) if kept else None)
        if name is not None:
            return parent, name
        if isinstance(parent, Attribute) and (call := _as_receiver(parent, frame, device)) is not None:
            return call, parent.name
        if reach and (_passes_on(parent, term) or _keeps(parent, kept, frame)):
            found = fed_operation(parent, frame, device, kept, reach - 1)
            if found is not None:
                return found
    return None


def _keeps(parent: Term, kept: str | None, frame: Frame) -> bool:
    """True where arithmetic, a function or a method makes a tensor of the dtype out of a value that has it."""
    if kept is None:
        return False
    if isinstance(parent, Operation):
        return parent.operator in _ARITHMETIC
    if isinstance(parent, Attribute):
        return parent.name not in _CASTS and returned(f"Tensor.{parent.name}") in _KEEP_DTYPE
    if not isinstance(parent, Call):
        return False
    is_kept = isinstance(parent.callee, Imported) and returned(parent.callee.name) in _KEEP_DTYPE
    return frame.value(parent).dtype == kept or (is_kept and parent.keyword("dtype") is None)


def lower_operation(term: Term, frame: Frame, device: str | None = None) -> str | None:
    """The name of the operation that a term evaluates, where autocast runs it in lower precision; None for others."""
    if isinstance(term, Operation):
        return "@" if term.operator == "@" else None
    if not isinstance(term, Call):
        return None
    name = _function(term, device)
    if name is not None or isinstance(term.callee, Imported):
        return name
    is_method = isinstance(term.callee, Attribute) and not frame.is_self(term.callee.base)
    if is_method and isinstance(term.callee, Attribute) and term.callee.name in _lowered_on(device):
        return term.callee.name
    return layer_called(term, frame)


def layer_called(call: Call, frame: Frame, *, by_name: bool = True) -> str | None:
    """The name of the layer that a call runs, where that is a matrix product or convolution. by_name: a callable out of
    sight counts by its name."""
    value = frame.value(call.callee)
    if value.kind is Kind.MODULE and value.of is None and value.made_by is not None:
        last = value.made_by.rpartition(".")[2]
        return last if last in LOWER_PRECISION_LAYERS else None
    if not by_name or value.kind not in (Kind.UNKNOWN, Kind.MODULE) or value.of is not None:
        return None
    name = _written_name(call.callee)
    return name if _LAYER_NAME.search(name) else None


def _lowered_on(device: str | None) -> frozenset[str]:
    return LOWER_PRECISION_ON.get(device or "", LOWER_PRECISION)


def _function(call: Call, device: str | None) -> str | None:
    if not isinstance(call.callee, Imported):
        return None
    package, _, last = call.callee.name.rpartition(".")
    runs_low = package.startswith("torch") and last in _lowered_on(device)
    runs_low = runs_low or (package == "einops" and last == "einsum")
    return last if runs_low and (last != "einsum" or _contracts(call)) else None


def _as_receiver(parent: Attribute, frame: Frame, device: str | None) -> Call | None:
    """The call x.bmm(y), seen from its attribute x.bmm."""
    if parent.name not in _lowered_on(device):
        return None
    calls = (call for call in parents_in(frame.function).get(id(parent), ()) if isinstance(call, Call))
    return next((call for call in calls if call.callee is parent), None)


def _run_on(parent: Term, term: Term, frame: Frame, device: str | None) -> str | None:
    """The name of the operation, where `parent` is one that autocast runs in lower precision on `term`."""
    if isinstance(parent, Call) and (parent.callee is term or not any(part is term for part in parent.inputs)):
        return None
    name = lower_operation(parent, frame, device)
    return _first_layer(frame.value(parent.callee)) if name is None and isinstance(parent, Call) else name


def _model_run_on(parent: Term, term: Term, frame: Frame) -> str | None:
    """The name of a model out of sight that a call runs on `term`: its layers begin with the dtype that they get."""
    if not isinstance(parent, Call) or not any(part is term for part in parent.inputs):
        return None
    name = _written_name(parent.callee)
    is_seen = frame.value(parent.callee).kind is not Kind.UNKNOWN
    return name if name and not is_seen and is_model(parent.callee, frame) else None


def _first_layer(value: TensorValue) -> str | None:
    """The layer of a Sequential that computes with its input first, where autocast runs it in lower precision."""
    if value.kind is not Kind.MODULE or value.of is not None or not (value.made_by or "").endswith(".Sequential"):
        return None
    for layer in value.items or ():
        last = (layer.made_by or "").rpartition(".")[2] if layer.of is None else ""
        if last == "Sequential":
            return _first_layer(layer)
        if last not in _PASSING_LAYERS:
            return last if last in LOWER_PRECISION_LAYERS else None
    return None


def _contracts(einsum: Call) -> bool:
    """True where the equation sums over an index: only then torch runs a matrix product."""
    texts = [term.value for term in einsum.arguments if isinstance(term, Constant) and isinstance(term.value, str)]
    if not texts:
        return True
    # einops writes axes as words with spaces between: "batch i, j i -> batch j".
    split = str.split if re.search(r"\w\s+\w", texts[0]) else list
    inputs, arrow, output = texts[0].replace(",", " , ").partition("->")
    return not arrow or bool(set(split(inputs)) - set(split(output)) - {",", ".", "...", " "})


def _written_name(term: Term) -> str:
    if isinstance(term, Captured):
        return _written_name(term.value)
    return term.name if isinstance(term, (Argument, Attribute, Global)) else ""


def _passes_on(parent: Term, term: Term) -> bool:
    """True where the values go through unchanged: a view, a subscript, a transpose, a branch, a list of operands, or
    the call of such a method."""
    if isinstance(parent, Subscript):
        return parent.base is term
    if isinstance(parent, Comprehension):
        return parent.parts[-1] is term
    if isinstance(parent, Attribute):
        return parent.name in ("T", "mT", "contiguous", "clone") or is_view(parent.name)
    if isinstance(parent, Call) and parent.callee is term:
        return last_name(parent) not in _CASTS or all(map(is_device, parent.arguments))
    return isinstance(parent, (Choice, Display, Item, Starred))
