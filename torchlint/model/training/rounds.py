"""Tests whose outcome changes from round to round of a training loop: a count, a loss, a norm, also where a helper or a
property of the project gives them a name."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Write
from torchlint.model.frames import Frame, is_decorated, last_name
from torchlint.model.terms import Attribute, Call, Choice, Constant, Global, Operation, Term
from torchlint.model.values import Kind
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import within

# What is known of a round only in that round.
_OF_A_ROUND = frozenset(
    "isfinite isnan isinf any all item is_nan check_nan has_inf_or_nan norm clip_grad_norm_".split()
)
_DEPTH = 2


def is_of_a_round(test: Term, frame: Frame, depth: int = _DEPTH) -> bool:
    """True for a test whose outcome changes from round to round: a count, a loss, a norm, a flag that a loop sets."""
    return counts(test, frame, depth) or any(_is_new(part, frame, depth) for part in within(test, 60))


def counts(test: Term, frame: Frame, depth: int = _DEPTH) -> bool:
    """True for a test of how many rounds have passed."""
    return any(_is_count(part, frame, depth) for part in within(test, 60))


def _is_count(part: Term, frame: Frame, depth: int) -> bool:
    if isinstance(part, Operation):
        return part.operator == "%"
    if isinstance(part, Attribute) and _is_counter(part, frame):
        return True
    return depth > 0 and any(counts(term, helper, depth - 1) for term, helper in _decided_by(part, frame))


def _is_new(part: Term, frame: Frame, depth: int) -> bool:
    if isinstance(part, Call) and last_name(part) in _OF_A_ROUND:
        # Of any(..) and all(..) without a tensor the parts say it.
        return not (isinstance(part.callee, Global) and depth < _DEPTH)
    if isinstance(part, Choice) and depth == _DEPTH:
        return any(isinstance(option, Constant) for option in part.options)
    return depth > 0 and any(is_of_a_round(term, helper, depth - 1) for term, helper in _decided_by(part, frame))


def _is_counter(attribute: Attribute, frame: Frame) -> bool:
    """True for an attribute that the same function raises by a number."""
    return any(
        isinstance(event, Write)
        and event.attribute == attribute.name
        and event.operator == "+="
        and isinstance(event.value, Operation)
        and isinstance(event.value.parts[-1], Constant)
        for event in frame.function.events
    )


def _decided_by(part: Term, frame: Frame) -> Iterator[tuple[Term, Frame]]:
    """What a helper that a test calls, or a property that it reads, returns, and the conditions under which it does."""
    helper = function_called(part, frame) if isinstance(part, Call) else _property(part, frame)
    if helper is None or helper.function is frame.function.definition:
        return
    for event in helper.function.returned:
        yield event.value, helper
        for region in event.guards():
            yield region.subject, helper


def _property(part: Term, frame: Frame) -> Frame | None:
    if not isinstance(part, Attribute):
        return None
    base = frame.value(part.base)
    if base.kind not in (Kind.OBJECT, Kind.MODULE) or base.of is None:
        return None
    method = base.of.method(part.name)
    return frame.evaluator.frame(method, base.of) if method is not None and is_decorated(method, "property") else None
