"""Functions that cast what they get and do not ask for its dtype: lambdas, helpers, partials, methods of Tensor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.dtypes.cast_targets import cast_target, lowered_to
from torchlint.model.evaluation.bound import BoundClosure, BoundPartial
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.terms import Argument, Attribute, Call, Constant, Imported, Term, children
from torchlint.model.weights.enumerated import same_memory
from torchlint.model.weights.selections import is_selected
from torchlint.source import Span

_METHODS = "torch.Tensor."


@dataclass(frozen=True, slots=True)
class TensorCast:
    """A cast of what a function gets. dtype: the target. span, symbol: where it is written; None for a method of
    torch.Tensor, which stands where it is handed on."""

    dtype: str
    span: Span | None = None
    symbol: str = ""


def casts_of(function: Term, frame: Frame) -> Iterator[TensorCast]:
    """The casts that a callable makes of its tensor, whatever that is."""
    if isinstance(function, Imported) and function.name.startswith(_METHODS):
        yield from _by_method(Call(function.place, function, (), ()), frame)
        return
    if isinstance(function, Call) and last_name(function) == "methodcaller" and function.arguments:
        yield from _by_caller(function, frame)
        return
    target = frame.value(function).of
    if isinstance(target, BoundPartial):
        yield from _by_partial(target, frame)
    elif isinstance(target, BoundClosure):
        yield from casts_in(frame.evaluator.nested_frame(target.function, target.frame), 0)
    elif isinstance(target, Function):
        is_own = target.owner is not None and frame.view is not None
        inner = frame.evaluator.frame(target, frame.view if is_own else None)
        yield from casts_in(inner, int(has_self(target)))


def _by_method(call: Call, frame: Frame) -> Iterator[TensorCast]:
    """torch.Tensor.half, torch.Tensor.to with the arguments that a partial holds."""
    if not isinstance(call.callee, Imported):
        return
    method = Attribute(call.place, call.callee, last_name(call))
    made = Call(call.place, method, call.arguments, call.keywords)
    dtype = cast_target(made, frame) or lowered_to(made, frame)
    if dtype is not None:
        yield TensorCast(dtype)


def _by_caller(call: Call, frame: Frame) -> Iterator[TensorCast]:
    """operator.methodcaller("half")."""
    name, *others = call.arguments
    if isinstance(name, Constant) and isinstance(name.value, str):
        method = Imported(call.place, _METHODS + name.value)
        yield from _by_method(Call(call.place, method, tuple(others), call.keywords), frame)


def _by_partial(partial: BoundPartial, frame: Frame) -> Iterator[TensorCast]:
    function, *given = partial.call.arguments
    if isinstance(function, Imported) and function.name.startswith(_METHODS):
        yield from _by_method(Call(function.place, function, (), partial.call.keywords), partial.frame)
        return
    target = frame.value(function).of
    if isinstance(target, Function):
        inner = frame.evaluator.entered(target, partial.applied(Call(function.place, function, (), ())), partial.frame)
        yield from casts_in(inner, len(given))


def casts_in(frame: Frame, tensor: int) -> Iterator[TensorCast]:
    """The casts of the parameter at `tensor` that no test of it decides on."""
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        callee = call.callee if isinstance(call, Call) else None
        if not isinstance(call, Call) or not isinstance(callee, Attribute):
            continue
        base = same_memory(callee.base)
        if not isinstance(base, Argument) or base.index != tensor or is_selected(event, base):
            continue
        dtype = cast_target(call, frame) or lowered_to(call, frame)
        if dtype is not None and not any(asks_dtype(term, base) for term in call.inputs):
            yield TensorCast(dtype, frame.span(call.place), frame.symbol)


def asks_dtype(term: Term, tensor: Term) -> bool:
    """True for what the tensor's own dtype decides: narrower[x.dtype], narrower.get(x.dtype, x.dtype)."""
    if isinstance(term, Attribute) and term.name == "dtype":
        base, own = same_memory(term.base), same_memory(tensor)
        is_same = isinstance(base, Argument) and isinstance(own, Argument) and base.index == own.index
        return base is own or is_same
    return any(asks_dtype(part, tensor) for part in children(term))
