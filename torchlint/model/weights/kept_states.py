"""States that are kept to be compared with later ones, or beside them: who goes through what was kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Event
from torchlint.model.flow.uses import Use, parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Element, Operation, Term
from torchlint.model.weights.aliases import Birth, Taken, carriers, takers, words_of
from torchlint.model.weights.enumerated import taken_from, within
from torchlint.model.weights.steps import same_module

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_ARITHMETIC = frozenset("+ - * / ** @ += -= *= /= == !=".split())
_ASKS = frozenset("state_dict named_parameters parameters".split())
_LOOKS = frozenset(
    "len print isinstance type sorted set keys copy dict list tuple items values zip enumerate str".split()
)
_CHANGES = frozenset("append appendleft extend insert clear pop popleft update".split())
# Words for one of many models: what is kept are the states of different ones.
_ONE_OF_MANY = re.compile(
    r"(?<![a-z])(client|worker|peer|user|node|member|agent|party|learner|site|local(?!_rank)|shard|replica|expert|teacher)"
    r"s?(?![a-z])"
)
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def loads_of_itself(birth: Birth, frame: Frame) -> set[int]:
    """The events that take the state, and those that take a deep copy of it."""
    taken = takers(birth.term, frame)
    copies = {id(one.term) for one in taken if one.kind == "copy"}
    events = (event for event in frame.function.events if isinstance(event, Evaluated))
    loads = (e for e in events if isinstance(e.term, Call) and any(id(given) in copies for given in e.term.inputs))
    return {id(one.event) for one in taken} | {id(event) for event in loads}


def met_again(birth: Birth, frame: Frame, kept: Term, fields: Iterable[str] = ()) -> Iterator[Taken]:
    """Who computes with the values of a state, or is given all of it. kept: what holds it in this function, which asks
    the module for its weights once more: what was kept is to be an older state."""
    asked = [event for event in frame.function.events if _asks(event, birth, kept)]
    if not asked:
        return
    carried = carriers(kept, frame, fields).terms
    order = {id(event): number for number, event in enumerate(frame.function.events)}
    for event in frame.function.events:
        term = event.term if isinstance(event, Evaluated) else None
        is_met = any(_is_value(one, carried) for one in _operands(term)) or _is_given_all(term, carried)
        if term is not None and is_met and any(order[id(one)] <= order[id(event)] for one in asked):
            yield Taken("met", event, term)


def _asks(event: Event, birth: Birth, kept: Term) -> bool:
    """True for model.state_dict() or model.parameters() of the module whose state was kept."""
    call = event.term if isinstance(event, Evaluated) else None
    callee = call.callee if isinstance(call, Call) and call is not birth.term and call is not kept else None
    return isinstance(callee, Attribute) and callee.name in _ASKS and same_module(callee.base, birth.module)


def _operands(term: Term | None) -> tuple[Term, ...]:
    """What an operation or a call computes with; a read of the shape is none."""
    if isinstance(term, Operation):
        return term.parts if term.operator in _ARITHMETIC else ()
    if not isinstance(term, Call) or last_name(term) in _LOOKS:
        return ()
    return term.inputs


def _is_value(term: Term, carried: dict[int, Term]) -> bool:
    found = taken_from(term)
    return found is not None and id(found) in carried


def _is_given_all(term: Term | None, carried: dict[int, Term]) -> bool:
    """True for a function that is given the whole state, to compare it with something."""
    if not isinstance(term, Call) or last_name(term) in _LOOKS or len(term.inputs) < 2:
        return False
    return not isinstance(term.callee, Attribute) and any(id(one) in carried for one in term.inputs)


def collected(birth: Birth, frame: Frame) -> Iterator[Taken]:
    """Who computes with the states that a function collects, those of one model by its name."""
    carried = carriers(birth.term, frame)
    if not carried.is_collected or _is_one_of_many(birth.module, frame):
        return
    for event in frame.function.events:
        term = event.term if isinstance(event, Evaluated) else None
        if term is not None and any(_is_of_collection(one, carried.terms) for one in _operands(term)):
            yield Taken("collected", event, term)


def _is_of_collection(term: Term, carried: dict[int, Term]) -> bool:
    return any(id(part) in carried for part in within(term, 40))


def gone_through(name: str, method_frame: Frame) -> Event | None:
    """The read by which a method goes through a collection of states on its object: not one that only adds to it."""
    function = method_frame.function
    for event in function.events:
        term = event.term if isinstance(event, Evaluated) else None
        if not isinstance(term, Attribute) or term.name != name or not method_frame.is_self(term.base):
            continue
        parents = parents_in(function).get(id(term), ())
        if parents and all(isinstance(one, Attribute) and one.name in _CHANGES for one in parents):
            continue
        if Use.COMPUTES in method_frame.evaluator.project.uses.of(term, function):
            return event
    return None


def is_of_many(birth: Birth, frame: Frame, view: ModuleClass) -> bool:
    """True where each state that is kept on an object may be that of another model."""
    return _is_one_of_many(birth.module, frame) or bool(_ONE_OF_MANY.search(_CAPITAL.sub("_", view.facts.name).lower()))


def _is_one_of_many(module: Term | None, frame: Frame) -> bool:
    """True for a module of a loop, and for one of many by the names around it."""
    if module is None or any(isinstance(part, Element) for part in within(module)):
        return True
    given = " ".join(one.name for one in frame.function.parameters)
    text = f"{words_of(module)} {frame.function.name} {given}".lower()
    return bool(_ONE_OF_MANY.search(text))
