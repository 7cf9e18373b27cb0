"""Parameters that construction makes and loses: what is computed from one is an ordinary tensor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.devices.placements import is_device
from torchlint.model.events import Write
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.members import Known, Member, all_moments, entered, known_to_torch, members
from torchlint.model.modules.numbered import shown
from torchlint.model.modules.registration import Registration
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Imported,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import path_of
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_DEPTH = 8
# Conversions that return the Parameter itself where there is nothing to convert.
_CONVERSIONS = frozenset("to cuda cpu xpu type type_as float half double bfloat16".split())
_UNCHANGED = frozenset(("contiguous", "cpu"))
_TENSOR_ATTRIBUTES = frozenset("data T mT H mH real imag".split())


@dataclass(frozen=True, slots=True)
class LostParameter:
    """An attribute that gets what was computed from a new Parameter, which nothing holds.

    made: where the Parameter is made. step: what is done to it, as one says it: ".to()", "*", "an index".
    is_conversion: it does nothing where device and dtype are right already, so that the fault is not seen there.
    """

    attribute: str
    symbol: str
    span: Span
    made: Span
    step: str
    is_conversion: bool


@dataclass(frozen=True, slots=True)
class _Loss:
    parameter: Member
    step: str
    is_conversion: bool


def lost_parameters(module: ModuleClass) -> Iterator[LostParameter]:
    """The plain attributes that hold what a conversion or computation made of a new Parameter."""
    state = module.state
    if state.registers_itself:
        return
    known: Known | None = None
    for name, moment in _writes(module):
        losses = _losses_of(moment)
        if losses:
            known = known or known_to_torch(list(all_moments(module)))
        loss = next((one for one in losses if known is not None and not known.has(one.parameter)), None)
        if loss is not None:
            yield _described(module, name, moment, loss)


def _writes(module: ModuleClass) -> Iterator[tuple[str, Moment]]:
    """The assignments to plain attributes, also to those that a number names."""
    state = module.state
    for name in state.names:
        if not module.has_setter(name) and state.registration(name) in (None, Registration.PARAMETER):
            yield from ((name, moment) for moment in state.writes(name))
    yield from ((shown(pattern), moment) for pattern, moment in state.numbered_writes)


def _losses_of(moment: Moment) -> list[_Loss]:
    event = moment.event
    if not isinstance(event, Write) or event.operator != "=":
        return []
    return list(_losses(event.value, moment.frame, _DEPTH))


def _losses(term: Term, frame: Frame, depth: int) -> Iterator[_Loss]:
    """The new Parameters that the tensor `term` is computed from, each with the step that is nearest to it."""
    if depth == 0 or frame.value(term).kind is not Kind.TENSOR:
        return
    if isinstance(term, Choice):
        for option in term.options:
            yield from _losses(option, frame, depth - 1)
        return
    if isinstance(term, Captured) and frame.outer is not None:
        yield from _losses(term.value, frame.outer, depth - 1)
        return
    for operand, step in _operands(term, frame):
        part = _unconverted(operand, frame)
        made = _new_parameter(part, frame)
        if made is not None:
            yield _Loss(made, f".{step}()" if step in _CONVERSIONS else step, step in _CONVERSIONS)
        else:
            yield from _losses(part, frame, depth - 1)
    if isinstance(term, Call):
        for inner in entered(term, frame):
            for returned in inner.function.returned:
                yield from _losses(returned.value, inner, depth - 1)


def _operands(term: Term, frame: Frame) -> Iterator[tuple[Term, str]]:
    """The tensors that a term is computed from, and the step that does it."""
    if isinstance(term, Operation):
        yield from ((part, term.operator) for part in term.parts)
    elif isinstance(term, Subscript):
        yield term.base, "an index"
    elif isinstance(term, Attribute) and term.name in _TENSOR_ATTRIBUTES:
        yield term.base, f".{term.name}"
    elif isinstance(term, Call) and isinstance(term.callee, Attribute):
        name = term.callee.name
        if name.endswith("_"):
            yield from _operands(term.callee.base, frame)
        elif not _does_nothing(term, term.callee, frame):
            yield term.callee.base, name if name in _CONVERSIONS else f".{name}()"
    elif isinstance(term, Call) and (frame.value(term.callee).made_by or "").startswith("torch."):
        name = last_name(term.callee)
        if name.endswith("_") and term.inputs:
            # nn.init.xavier_uniform_(..) returns what it fills.
            yield from _operands(term.inputs[0], frame)
        elif not name.endswith(("_", "_like")):
            yield from ((part, f"{name}()") for part in term.inputs)


def _unconverted(term: Term, frame: Frame) -> Term:
    """What a term is, without the conversions around it that do nothing."""
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and _does_nothing(term, term.callee, frame):
        term = term.callee.base
    return term


def _does_nothing(call: Call, callee: Attribute, frame: Frame) -> bool:
    """True for a conversion to what the Parameter is already: .float() of a float32 one, .cpu(), and .to(device) of
    what lay on the same device before it became a Parameter."""
    if callee.name in _UNCHANGED or _is_where_it_was_made(call, callee):
        return True
    base, result = frame.value(callee.base), frame.value(call)
    moves = callee.name in ("cuda", "xpu") or any(is_device(term) or _is_of_cuda(term) for term in call.inputs)
    moves = moves or any(key is None for key, _ in call.keywords)
    is_same = base.dtype is not None and base.dtype == result.dtype and not base.dtype.startswith("floating")
    return callee.name in _CONVERSIONS and not moves and is_same


def _is_where_it_was_made(call: Call, callee: Attribute) -> bool:
    """True where the tensor inside Parameter(..) was made for the place, or converted to what, the call names."""
    made = callee.base.argument(0, "data") if isinstance(callee.base, Call) else None
    target = _target(call)
    return bool(target) and isinstance(made, Call) and target in (_target(made), _named(made.keyword("device")))


def _target(call: Call) -> str:
    """The one thing that a conversion converts to, as it is written: "device" of x.to(device), "cuda" of x.cuda()."""
    name = call.callee.name if isinstance(call.callee, Attribute) else ""
    if name == "cuda" and not call.inputs:
        return "cuda"
    return _named(call.inputs[0]) if name == "to" and len(call.inputs) == 1 else ""


def _named(term: Term | None) -> str:
    return term.value if isinstance(term, Constant) and isinstance(term.value, str) else path_of(term)


def _is_of_cuda(term: Term) -> bool:
    """True for torch.cuda.FloatTensor, and for its name as a text: a type that is a place as well."""
    name = term.name if isinstance(term, Imported) else getattr(term, "value", None)
    return isinstance(name, str) and name.startswith("torch.cuda.")


def _new_parameter(term: Term, frame: Frame) -> Member | None:
    """The Parameter that a term makes, or that the caller of the helper made."""
    if frame.value(term).kind is not Kind.PARAMETER or not isinstance(term, (Call, Argument)):
        return None
    made = next(members(term, frame), None)
    return made if made is not None and made.is_made_here and not made.is_given else None


def _described(module: ModuleClass, name: str, moment: Moment, loss: _Loss) -> LostParameter:
    event, frame = moment.event, moment.frame
    assert isinstance(event, Write)
    made = loss.parameter
    return LostParameter(
        attribute=name,
        symbol=f"{frame.method.owner or module.facts.qualname}.{name}",
        span=frame.span(event.place),
        made=made.value.origin or made.frame.span(made.term.place),
        step=loss.step,
        is_conversion=loss.is_conversion,
    )
