"""Optimizers over parameters in float16 whose eps rounds to zero there: the first zero gradient divides by zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.ranges import DEFAULT_EPS, LOST_IN_HALF
from torchlint.model.blanket import cast_target
from torchlint.model.enumerated import within
from torchlint.model.events import Evaluated
from torchlint.model.frames import Frame, last_name
from torchlint.model.half_elsewhere import halved_elsewhere, keeps_copies
from torchlint.model.half_literals import number
from torchlint.model.kept_arguments import known_as
from torchlint.model.same_object import Key, is_exclusive, keys_of
from torchlint.model.terms import Attribute, Call, Imported, Term
from torchlint.source import Span

_COPIES = frozenset("float clone detach deepcopy double".split())
_EPS_AT = 3


@dataclass(frozen=True, slots=True)
class HalfOptimizer:
    """An optimizer with an eps that is zero in float16. converted: where its parameters become half."""

    span: Span
    name: str
    eps: float
    converted: Span


def half_optimizers(frame: Frame) -> Iterator[HalfOptimizer]:
    """The optimizers of a function over the parameters of a model that is half."""
    made = [event for event in _calls(frame) if _is_optimizer(event.term)]
    if not made or keeps_copies(frame):
        return
    for event in made:
        call = event.term
        assert isinstance(call, Call)
        eps = _eps(call, frame)
        if eps is None or eps > LOST_IN_HALF:
            continue
        converted = _converted(event, _keys_of_parameters(call, frame), frame)
        if converted is not None:
            yield HalfOptimizer(frame.span(call.place), last_name(call), eps, converted)


def _converted(event: Evaluated, keys: frozenset[Key], frame: Frame) -> Span | None:
    """Where the parameters of some objects become half that an optimizer gets; None where they stay, or are float32
    again."""
    if not keys:
        return None
    halved = [one for one in _conversions(frame, narrow=True) if one[1] & keys]
    found = next((one for one in halved if not is_exclusive(one[0], event)), None)
    widened = [one for one in _conversions(frame, narrow=False) if one[1] & keys]
    if found is None:
        return None if halved or widened else halved_elsewhere(frame, keys)
    return None if any(_comes_after(one[0], found[0], frame) for one in widened) else found[2]


def _calls(frame: Frame) -> list[Evaluated]:
    events = frame.function.events
    return [event for event in events if isinstance(event, Evaluated) and isinstance(event.term, Call)]


def _is_optimizer(term: Term) -> bool:
    """torch.optim.Adam(..), under whatever alias it is imported."""
    if not isinstance(term, Call) or not term.inputs or not isinstance(term.callee, Imported):
        return False
    return term.callee.name.startswith("torch.optim") and last_name(term) in DEFAULT_EPS


def _eps(call: Call, frame: Frame) -> float | None:
    given = call.argument(_EPS_AT, "eps")
    if given is not None:
        return number(given, frame)
    return None if any(key is None for key, _ in call.keywords) else DEFAULT_EPS[last_name(call)]


def _conversions(frame: Frame, *, narrow: bool) -> Iterator[tuple[Evaluated, frozenset[Key], Span]]:
    """The conversions to float16 (or, not narrow, to float32) of objects, here and in the other methods."""
    for one in _related(frame):
        for event in _calls(one):
            call = event.term
            assert isinstance(call, Call)
            dtype = cast_target(call, one) if isinstance(call.callee, Attribute) else None
            if dtype == ("float16" if narrow else "float32") and isinstance(call.callee, Attribute):
                yield event, known_as(call.callee.base, one), one.span(call.place)


def _related(frame: Frame) -> Iterator[Frame]:
    yield frame
    for method in frame.view.methods if frame.view is not None and frame.outer is None else ():
        if method is not frame.function:
            yield frame.view.frame(method)  # type: ignore[union-attr]


def _keys_of_parameters(call: Call, frame: Frame) -> frozenset[Key]:
    """The objects whose parameters() an optimizer gets; none where it gets copies of them."""
    found = frozenset[Key]()
    terms = list(within(call.inputs[0], 60))
    if any(isinstance(term, Call) and last_name(term) in _COPIES for term in terms):
        return found
    for term in terms:
        is_call = isinstance(term, Call) and isinstance(term.callee, Attribute)
        if is_call and term.callee.name in ("parameters", "named_parameters"):  # type: ignore[attr-defined]
            found |= keys_of(term.callee.base, frame)  # type: ignore[attr-defined]
    return found


def _comes_after(event: Evaluated, other: Evaluated, frame: Frame) -> bool:
    order = {id(one): at for at, one in enumerate(frame.function.events)}
    return order.get(id(event), -1) > order.get(id(other), -1)
