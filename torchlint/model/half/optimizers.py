"""Optimizers over parameters in float16 whose eps rounds to zero there: the first zero gradient divides by zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.ranges import DEFAULT_EPS, EPS_AT, LOST_IN_HALF
from torchlint.model.events import Evaluated
from torchlint.model.flow.networks import written_name
from torchlint.model.flow.origins import origins, returning
from torchlint.model.flow.same_object import Key, is_exclusive, is_of_self, keys_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.half.conversions import as_given, calls_of, conversions, related
from torchlint.model.half.elsewhere import halved_elsewhere, keeps_copies
from torchlint.model.half.literals import number
from torchlint.model.terms import Attribute, Call, Imported, Term
from torchlint.model.weights.enumerated import within
from torchlint.source import Span

_COPIES = frozenset("float clone detach deepcopy double".split())


@dataclass(frozen=True, slots=True)
class HalfOptimizer:
    """An optimizer with an eps that is zero in float16. converted: where its parameters become half."""

    span: Span
    name: str
    eps: float
    converted: Span


def half_optimizers(frame: Frame) -> Iterator[HalfOptimizer]:
    """The optimizers of a function over the parameters of a model that is half."""
    made = [(event, name) for event in calls_of(frame) if (name := _optimizer(event.term, frame))]
    if not made or keeps_copies(frame):
        return
    for event, name in made:
        call = event.term
        assert isinstance(call, Call)
        eps = _eps(call, name, frame)
        if eps is None or eps > LOST_IN_HALF:
            continue
        converted = _converted(event, _keys_of_parameters(call, frame), frame)
        if converted is not None:
            yield HalfOptimizer(frame.span(call.place), name, eps, converted)


def _converted(event: Evaluated, keys: frozenset[Key], frame: Frame) -> Span | None:
    """Where the parameters of some objects become half that an optimizer gets; None where they stay, or are float32
    again."""
    if not keys:
        return None
    halved = [one for one in conversions(related(frame), narrow=True) if one[1] & keys]
    found = next((one for one in halved if not is_exclusive(one[0], event)), None)
    widened = [one for one in conversions(related(frame), narrow=False) if one[1] & keys]
    if found is None:
        return None if halved or widened else halved_elsewhere(frame, keys)
    return None if any(_comes_after(one[0], found[0], frame) for one in widened) else found[2]


def _optimizer(term: Term, frame: Frame) -> str:
    """The name of the optimizer that a call makes, under whatever alias, or where a class or a parameter names it; ""
    for any other call."""
    if not isinstance(term, Call) or not term.inputs:
        return ""
    callees = [term.callee]
    if not isinstance(term.callee, Imported) and "optim" in written_name(term.callee).lower():
        callees = [one for one, _ in origins(term.callee, frame)]
    names = {one.name for one in callees if isinstance(one, Imported) and one.name.startswith("torch.optim")}
    found = {name.rpartition(".")[2] for name in names}
    return found.pop() if len(found) == len(callees) == 1 and found <= DEFAULT_EPS.keys() else ""


def _eps(call: Call, name: str, frame: Frame) -> float | None:
    given = call.argument(EPS_AT[name], "eps")
    if given is not None:
        return number(given, frame)
    return None if any(key is None for key, _ in call.keywords) else DEFAULT_EPS[name]


def _keys_of_parameters(call: Call, frame: Frame) -> frozenset[Key]:
    """The objects whose parameters() an optimizer gets, also through a helper that makes groups of them; none where it
    gets copies."""
    return _keys_in(call.argument(0, "params") or call.inputs[0], frame, 1)


def _keys_in(given: Term, frame: Frame, depth: int) -> frozenset[Key]:
    found = frozenset[Key]()
    calls = [term for term in within(given, 60) if isinstance(term, Call)]
    if any(last_name(term) in _COPIES for term in calls):
        return found
    for term in calls:
        if isinstance(term.callee, Attribute) and term.callee.name in ("parameters", "named_parameters"):
            found |= keys_of(term.callee.base, frame)
        elif depth and (inner := returning(term, frame)) is not None:
            # What a helper gathers in lists is not followed: it is asked for the parameters of what it is given.
            keys = frozenset[Key]().union(*(_keys_in(one, inner, depth - 1) for one in inner.function.calls))
            own = frozenset(key for key in keys if inner.view is frame.view and is_of_self(key))
            found |= own | as_given(keys, term, inner, frame)
    return found


def _comes_after(event: Evaluated, other: Evaluated, frame: Frame) -> bool:
    order = {id(one): at for at, one in enumerate(frame.function.events)}
    return order.get(id(event), -1) > order.get(id(other), -1)
