"""Functions that something else calls for each tensor of a batch: `tree_map(lambda t: t.half(), batch)`."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated, Event
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.terms import Argument, Attribute, Call, Captured, Closure, Global, Imported, Term
from torchlint.model.weights.selections import is_selected
from torchlint.model.weights.whole_batches import goes_through, holds_many

_MAPPERS = frozenset(
    "tree_map tree_map_ tree_map_only map_structure map_tensors apply_to_collection apply_to_tensors recursive_apply"
    " recursive_map recursively_apply map".split()
)
_METHODS = frozenset("apply apply_ map".split())


def visitors_of(call: Call, frame: Frame) -> Iterator[Term]:
    """The functions that a call hands, together with a batch or the arguments of a call, to something that calls them
    for each of the tensors."""
    if isinstance(call.callee, Attribute) and call.callee.name in _METHODS and len(call.arguments) == 1:
        # Of PyTorch Geometric and TensorDict.
        yield from call.arguments if holds_many(call.callee.base, frame) else ()
    elif len(call.inputs) > 1 and any(holds_many(term, frame) for term in call.inputs):
        handed = (t for t in call.inputs if isinstance(t, (Closure, Global, Attribute, Captured, Imported, Call)))
        yield from (term for term in handed if _visits(call, term, frame))


def _visits(call: Call, visitor: Term, frame: Frame) -> bool:
    """True where what is called calls the visitor for each tensor, of whatever dtype."""
    if holds_many(visitor, frame):
        return False
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
    called = [event for event in walker.function.events if _calls_at(event, visitor)]
    gets = [(event, term) for event in called for term in _inputs(event) if any(_is_at(term, one) for one in own)]
    return bool(gets) and not any(is_selected(event, term) for event, term in gets)


def _calls_at(event: Event, visitor: int) -> bool:
    return isinstance(event, Evaluated) and isinstance(event.term, Call) and _is_at(event.term.callee, visitor)


def _inputs(event: Event) -> tuple[Term, ...]:
    return event.term.inputs if isinstance(event, Evaluated) and isinstance(event.term, Call) else ()


def _is_at(term: Term, index: int) -> bool:
    return isinstance(term, Argument) and term.index == index
