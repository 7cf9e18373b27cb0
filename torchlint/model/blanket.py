"""Conversions over all of a module's state at once, integer and complex state included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.dtypes import LOW_PRECISION, category, legacy_tensor
from torchlint.model.bound import BoundClosure
from torchlint.model.enumerated import within, writes_into
from torchlint.model.events import Evaluated, Event, RegionKind
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, last_name
from torchlint.model.networks import written_name
from torchlint.model.origins import origins
from torchlint.model.selections import is_filtered, is_selected
from torchlint.model.state import Registration
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Comprehension,
    Display,
    Element,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
    mentions,
)
from torchlint.model.torch_calls import STATE_VALUES
from torchlint.model.uses import parents_in
from torchlint.model.values import Kind, TensorValue
from torchlint.model.visitors import Visit, visits
from torchlint.model.whole_batches import batch_of, is_of_state
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_CASTS = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64"}
_SHARES = re.compile(r"weight|share|coef|ratio|frac|alpha|beta|decay|momentum|factor|scale|prob|lam")
_ARITHMETIC = frozenset("mul_ div_ add_ sub_ lerp_ addcmul_".split())


@dataclass(frozen=True, slots=True)
class Blanket:
    """A conversion of everything. kind: which form (the variant of the message). dtype: the target, None for
    arithmetic."""

    kind: str
    span: Span
    dtype: str | None
    what: str


def blanket_conversions(frame: Frame) -> Iterator[Blanket]:
    """The casts and the arithmetic of a function that meet every state value with no test of its dtype."""
    loops: set[int] = set()
    for visit in visits(frame):
        yield from _casts_by_visitor(visit)
    for event in frame.function.events:
        if not isinstance(event, Evaluated):
            continue
        found = _cast(event.term, event, frame) if isinstance(event.term, Call) else None
        if found is not None:
            yield found
            continue
        found = _arithmetic(event.term, event, frame)
        loop = next((id(region) for region in event.regions if region.kind is RegionKind.LOOP), 0)
        if found is not None and loop not in loops:
            loops.add(loop)
            yield found


def _cast(call: Call, event: Event, frame: Frame) -> Blanket | None:
    return _module_cast(call, frame) or _cast_by_apply(call, frame) or _value_cast(call, event, frame)


def cast_target(call: Call, frame: Frame) -> str | None:
    """The dtype that a call casts to: .half(), .to(torch.float16), .to(device, dtype=..), .type(..); None for no
    known cast."""
    callee = call.callee
    if not isinstance(callee, Attribute):
        return None
    if callee.name in _CASTS and not call.inputs:
        return _CASTS[callee.name]
    if callee.name not in ("to", "type"):
        return None
    return next(filter(None, (_written_dtype(term, frame) for term in call.inputs)), None)


def _written_dtype(term: Term, frame: Frame) -> str | None:
    """The dtype that an argument of a cast is: torch.half, x.dtype, torch.cuda.HalfTensor or its name as a string."""
    value = frame.value(term)
    if value.made_by == "dtype":
        return value.dtype
    name = value.constant if isinstance(value.constant, str) else value.made_by
    return legacy_tensor(name) if name else None


def is_written_dtype(call: Call, frame: Frame) -> bool:
    """True where the target of the cast is written as such, not read from another tensor or a variable of the
    caller."""
    return not call.inputs or any(
        _written_dtype(term, frame) is not None and not mentions(term, frozenset({"dtype"})) for term in call.inputs
    )


def _value_cast(call: Call, event: Event, frame: Frame) -> Blanket | None:
    """value.half() for every value of a state_dict, every buffer or every attribute."""
    dtype = cast_target(call, frame)
    if dtype is None or category(dtype) != "floating" or not isinstance(call.callee, Attribute):
        return None
    what = _state_value(call.callee.base, frame)
    if what is None and dtype in LOW_PRECISION and batch_of(call.callee.base, frame):
        return None if is_selected(event) else Blanket("batch", frame.span(call.place), dtype, "")
    if what is None or is_selected(event):
        return None
    if dtype in LOW_PRECISION:
        return Blanket("default", frame.span(call.place), dtype, what)
    # Widened for a computation only, the state itself stays as it is.
    computes = any(isinstance(parent, Operation) for parent in parents_in(frame.function).get(id(call), ()))
    return None if computes else Blanket("widening", frame.span(call.place), dtype, what)


def _state_value(term: Term, frame: Frame) -> str | None:
    """What a term enumerates, where it is one of all the values of a state: "Module.state_dict"."""
    value = frame.value(term)
    if value.kind not in (Kind.TENSOR, Kind.BUFFER, Kind.UNKNOWN) or not _is_enumerated(term):
        return None
    if value.made_by in STATE_VALUES:
        return value.made_by
    if value.made_by is not None:
        return None
    # checkpoint["model"][key]: a part of what was loaded, by its own keys.
    if isinstance(term, Subscript) and frame.value(term.base).made_by == "torch.load":
        return "torch.load"
    return "Module.state_dict" if is_of_state(term, frame) else None


def _is_enumerated(term: Term) -> bool:
    """True for a loop variable, or an item looked up by one; state["name"] is a choice of the programmer."""
    if isinstance(term, Attribute) and term.name == "data":
        return _is_enumerated(term.base)
    if isinstance(term, Subscript):
        return _is_enumerated(term.index)
    if isinstance(term, Item):
        return _is_enumerated(term.base)
    return isinstance(term, Element) and not isinstance(term.iterable, Display)


def _module_cast(call: Call, frame: Frame) -> Blanket | None:
    """Module.type(dtype) converts every buffer; it and Module.to(real dtype) drop the imaginary part of complex
    ones."""
    callee = call.callee
    if not isinstance(callee, Attribute) or callee.name not in ("type", "to"):
        return None
    dtype = cast_target(call, frame)
    receiver = frame.value(callee.base)
    if dtype is None or category(dtype) != "floating" or receiver.kind is not Kind.MODULE:
        return None
    if callee.name == "type":
        return Blanket("module type", frame.span(call.place), dtype, "Module.type")
    name = complex_buffer(receiver)
    return Blanket("complex", frame.span(call.place), dtype, name) if name else None


def complex_buffer(value: TensorValue, depth: int = 4) -> str | None:
    """The dotted name of a buffer of a module, or of its children, that is complex for certain and that _apply does
    not spare."""
    view: ModuleClass | None = value.of
    if view is None or depth == 0 or view.method("_apply") is not None:
        return None
    for name in dict.fromkeys((*view.state.registrations, *view.state.names)):
        held = view.state.value(name)
        how = view.state.registration(name)
        if how is Registration.BUFFER and held.is_complex:
            return name
        if how is Registration.MODULE and held.kind is Kind.MODULE:
            inner = complex_buffer(held, depth - 1)
            if inner is not None:
                return f"{name}.{inner}"
    return None


def _cast_by_apply(call: Call, frame: Frame) -> Blanket | None:
    """module._apply(lambda t: t.half())."""
    callee = call.callee
    if not isinstance(callee, Attribute) or callee.name != "_apply" or not call.arguments:
        return None
    target = frame.value(call.arguments[0]).of
    if isinstance(target, BoundClosure):
        inner = frame.evaluator.nested_frame(target.function, target.frame)
    elif isinstance(target, Function):
        inner = frame.evaluator.frame(target, None)
    else:
        return None
    for event in inner.function.events:
        if isinstance(event, Evaluated) and isinstance(event.term, Call):
            dtype = cast_target(event.term, inner)
            if dtype is not None and category(dtype) == "floating" and not is_selected(event):
                return Blanket("apply", frame.span(call.place), dtype, "Module._apply")
    return None


def _casts_by_visitor(visit: Visit) -> Iterator[Blanket]:
    """tree_map(lambda t: t.half(), batch): the casts of what the function gets."""
    frame = visit.frame
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        callee = call.callee if isinstance(call, Call) else None
        if not isinstance(call, Call) or not isinstance(callee, Attribute) or is_selected(event):
            continue
        dtype = cast_target(call, frame)
        if dtype in LOW_PRECISION and isinstance(callee.base, Argument) and callee.base.index == visit.tensor:
            yield Blanket("batch", frame.span(call.place), dtype, "")


def _arithmetic(term: Term, event: Event, frame: Frame) -> Blanket | None:
    """value.mul_(decay) or value *= decay for every value of a state_dict: num_batches_tracked is an integer and cannot
    hold the product."""
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _ARITHMETIC:
        changed = term.callee.base
    elif isinstance(term, Operation) and (term.operator in ("*=", "/=") or _adds_a_share(term, frame)):
        changed = term.parts[0]
    elif isinstance(term, Call) and last_name(term).removeprefix("_foreach_") in _ARITHMETIC:
        return _arithmetic_of_lists(term, event, frame)
    else:
        return None
    what = _state_value(changed, frame) or _by_key_of_state(changed, frame)
    if what != "Module.state_dict" or is_selected(event):
        return None
    return Blanket("arithmetic", frame.span(term.place), None, what)


def _arithmetic_of_lists(call: Call, event: Event, frame: Frame) -> Blanket | None:
    """torch._foreach_mul_(values, decay), where the list is of all values of a state_dict."""
    written = next((one for one in writes_into(frame) if one.term is call), None)
    if written is None or not isinstance(call.callee, Imported) or not isinstance(written.target, Element):
        return None
    what = _state_value(written.target, frame)
    if what != "Module.state_dict" or is_selected(event):
        return None
    target = written.outside if isinstance(written.outside, Element) else written.target
    is_whole = all(_takes_all(term, where) for term, where in origins(target.iterable, frame))
    return Blanket("arithmetic", frame.span(call.place), None, what) if is_whole else None


def _takes_all(listed: Term, frame: Frame) -> bool:
    """True for a list of everything that it is made from: no test picks some."""
    if isinstance(listed, Comprehension):
        return not is_filtered(listed, frame.function)
    name = last_name(listed) if isinstance(listed, Call) else ""
    if isinstance(listed, Call) and name in ("list", "tuple") and len(listed.arguments) == 1:
        return _takes_all(listed.arguments[0], frame)
    return name == "values"


def _adds_a_share(term: Operation, frame: Frame) -> bool:
    """True for total[key] += share * value, where the total is made of the values of a state, integer ones included."""
    if term.operator not in ("+=", "-=") or not isinstance(term.parts[0], Subscript):
        return False
    added = term.parts[1]
    if not isinstance(added, Operation) or added.operator not in ("*", "/") or not _is_like_state(term.parts[0], frame):
        return False
    return added.operator == "/" or any(_is_fraction(part, frame) for part in added.parts)


def _is_like_state(held: Subscript, frame: Frame) -> bool:
    value = frame.value(held)
    return value.made_by == "Module.state_dict" or (value.kind is Kind.TENSOR and value.dtype is None)


def _is_fraction(factor: Term, frame: Frame) -> bool:
    """True for a number that is no integer, or that is called a share."""
    value = frame.value(factor)
    if value.kind not in (Kind.UNKNOWN, Kind.NUMBER):
        return False
    is_float = value.is_floating or isinstance(value.constant, float) or getattr(factor, "operator", "") == "/"
    return is_float or bool(_SHARES.search(_name_of_number(factor).lower()))


def _name_of_number(term: Term) -> str:
    """The name of a number, or of the numbers that it is one of: shares of `for share, m in zip(shares, models)`."""
    if isinstance(term, Item) and isinstance(term.base, Element):
        listed = term.base.iterable
        if isinstance(listed, Call) and last_name(listed) == "zip" and term.index < len(listed.arguments):
            return written_name(listed.arguments[term.index])
    return written_name(term)


def _by_key_of_state(term: Term, frame: Frame) -> str | None:
    """The same for shadow[key], where the key runs over a state_dict: nothing says that the shadow is of floats."""
    while isinstance(term, Call) and isinstance(term.callee, Attribute):
        term = term.callee.base
    if not isinstance(term, Subscript) or not _is_enumerated(term.index) or frame.value(term).is_floating:
        return None
    runs_over = any(last_name(part) == "state_dict" for part in within(term.index, 20) if isinstance(part, Call))
    return "Module.state_dict" if runs_over else None
