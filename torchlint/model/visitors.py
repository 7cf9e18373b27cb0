"""Functions that something else calls for each tensor of a batch: `tree_map(lambda t: t.half(), batch)`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.bound import BoundClosure
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.selections import is_selected
from torchlint.model.terms import Argument, Attribute, Call, Captured, Closure, Global, Imported, Term
from torchlint.model.whole_batches import goes_through, is_whole_batch

_MAPPERS = frozenset(
    "tree_map tree_map_ map_structure map_tensors apply_to_collection apply_to_tensors recursive_apply recursive_map"
    " recursively_apply map".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """A function that gets every tensor of a batch. tensor: its parameter for them, by position."""

    frame: Frame
    tensor: int


def visits(frame: Frame) -> Iterator[Visit]:
    """The functions that a function of the project hands, together with a batch, to something that calls them for each
    of its tensors."""
    for call in frame.function.calls:
        handed = [term for term in call.inputs if isinstance(term, (Closure, Global, Attribute, Captured, Imported))]
        if len(call.inputs) < 2 or not handed or not any(map(is_whole_batch, call.inputs)):
            continue
        for term in handed:
            visitor = _function(term, frame)
            if visitor is not None and _visits(call, term, frame):
                yield Visit(visitor, int(has_self(visitor.function)))


def _function(term: Term, frame: Frame) -> Frame | None:
    target = frame.value(term).of
    if isinstance(target, BoundClosure):
        return frame.evaluator.nested_frame(target.function, target.frame)
    return frame.evaluator.frame(target, None) if isinstance(target, Function) and target.owner is None else None


def _visits(call: Call, visitor: Term, frame: Frame) -> bool:
    """True where what is called calls the visitor for each tensor, of whatever dtype."""
    target = frame.value(call.callee).of
    if not isinstance(target, Function):
        return last_name(call) in _MAPPERS
    walker = frame.evaluator.frame(target, None)
    bound = int(has_self(target) and isinstance(call.callee, Attribute))
    at = [place + bound for place, term in enumerate(call.arguments) if term is visitor]
    at += [place for place, one in enumerate(target.parameters) if call.keyword(one.name) is visitor]
    return bool(at) and _is_walker(walker, at[0])


def _is_walker(walker: Frame, visitor: int) -> bool:
    """True for a function that calls itself for the parts of what it gets, and its visitor for the rest of them."""
    own = [index for index in range(len(walker.function.parameters)) if goes_through(index, walker)]
    called = [
        event
        for event in walker.function.events
        if isinstance(event, Evaluated) and isinstance(event.term, Call) and _is_at(event.term.callee, visitor)
    ]
    gets = [event for event in called if any(_is_at(term, index) for term in event.term.inputs for index in own)]  # type: ignore[attr-defined]
    return bool(gets) and not any(map(is_selected, gets))


def _is_at(term: Term, index: int) -> bool:
    return isinstance(term, Argument) and term.index == index
