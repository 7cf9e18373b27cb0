"""Sums that become a loss: what a term stands beside, and whether its gradient would have counted there."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.knowledge import graphs
from torchlint.model.flow.networks import is_coefficient, is_loss, written_name
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
    children,
)
from torchlint.model.weights.enumerated import within

_MAX_TERMS = 200
_MAX_STEPS = 12


def cancels(other: Term, lost: Term, base: Term, frame: Frame) -> bool:
    """True where the value itself stands in the other part of a sum: x - x.long(), x + (q - x).detach(). Two losses
    that share a value are two terms."""
    if any(part is lost for part in _outside_losses(other, frame)):
        return True
    own = {id(part) for part in within(base) if not isinstance(part, (Constant, Imported, Global))}
    return bool(own & {id(part) for part in _summands(other)})


def _outside_losses(term: Term, frame: Frame) -> Iterator[Term]:
    """A term and what it is made of, except for what a loss has reduced to its value."""
    waiting, seen = [term], {id(term)}
    while waiting and len(seen) < _MAX_TERMS:
        one = waiting.pop()
        yield one
        if isinstance(one, Call) and is_loss(one.callee, frame):
            continue
        fresh = [part for part in children(one) if id(part) not in seen]
        seen.update(map(id, fresh))
        waiting += fresh


def _summands(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, Operation) and graphs.plain(term.operator) in ("+", "-"):
        for part in term.parts:
            yield from _summands(part)


def runs_on(left: Term, operation: Operation) -> bool:
    """True for total in `total = total - step`: the sum itself, as the round before has left it."""
    return any(part is operation for part in within(left, _MAX_TERMS))


def is_weight(term: Term, frame: Frame, depth: int = 6) -> bool:
    """True for what only weighs a term of a loss: a setting of the program, a reward or an advantage by its name, and
    what is computed from such."""
    if not depth or isinstance(term, Constant):
        return bool(depth)
    if isinstance(term, (Choice, Operation)):
        parts = term.options if isinstance(term, Choice) else term.parts
        is_arithmetic = isinstance(term, Choice) or graphs.plain(term.operator) in graphs.ARITHMETIC
        return is_arithmetic and all(part is term or is_weight(part, frame, depth - 1) for part in parts)
    return is_coefficient(term, frame) or graphs.WEIGHT.fullmatch(written_name(term)) is not None


def is_given(term: Term) -> bool:
    """True for what the function is given, or takes out of it: a target of the batch."""
    while isinstance(term, (Item, Element, Subscript)):
        term = term.iterable if isinstance(term, Element) else term.base
    if isinstance(term, Call) and last_name(term) in ("to", "cuda", "float", "long", "enumerate", "tqdm"):
        taken = term.callee.base if isinstance(term.callee, Attribute) else term.argument(0, "iterable")
        return taken is not None and is_given(taken)
    return isinstance(term, (Argument, Constant))


def is_only_use(term: Term, frame: Frame) -> bool:
    """True for what a layer or a helper has computed and nothing else of the function ever reads, step by step."""
    parents = parents_in(frame.function)
    for _ in range(_MAX_STEPS):
        if len(parents.get(id(term), ())) != 1:
            return False
        callee = term.callee if isinstance(term, Call) else None
        if isinstance(callee, Attribute) and frame.value(callee.base).is_tensor and len(parents[id(callee)]) == 1:
            term = callee.base
        elif isinstance(term, Operation):
            parts = [part for part in term.parts if not isinstance(part, Constant)]
            if len(parts) != 1:
                return False
            term = parts[0]
        else:
            return callee is not None and not isinstance(callee, (Imported, Global))
    return False
