"""Attributes that one branch of construction registers and another leaves plain: what holds where they stay plain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.evaluation.conditions import is_ruled_out
from torchlint.model.events import Write
from torchlint.model.flow.branches import Facts, exclude, extra, facts_of, implies
from torchlint.model.frames import Moment
from torchlint.model.terms import Argument, Attribute, Captured, Choice, Global, Imported, Term, children
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


def may_stay_plain(module: ModuleClass, name: str, moment: Moment) -> bool:
    """True for a plain assignment that construction may end with, although another branch registers the attribute."""
    registering = _registering(module, name)
    facts = [_facts(one) for one in registering]
    if not facts or not all(facts) or is_ruled_out(moment) or _may_register(moment):
        return False
    if any(id(one.frame.function) not in module.construction_functions for one in registering):
        return False
    # Torch refuses a plain tensor in the place of a Parameter: only what registers afterwards may take its place.
    order = {id(one): position for position, one in enumerate(module.construction)}
    here, position = _facts(moment), order.get(id(moment), 0)
    after = [fact for one, fact in zip(registering, facts, strict=True) if order.get(id(one), position) >= position]
    return not any(implies(here, fact) for fact in after) and not _share_all(after, here)


def _may_register(moment: Moment) -> bool:
    """True where what is assigned is a Parameter on one of the ways here."""
    value = moment.event.value if isinstance(moment.event, Write) else None
    options = value.options if isinstance(value, Choice) else ()
    return any(moment.frame.value(option).kind is Kind.PARAMETER for option in options)


def _registering(module: ModuleClass, name: str) -> tuple[Moment, ...]:
    """The calls that register an attribute, or the assignments that do."""
    calls = [call.moment for call in module.state.registrations.get(name, ())]
    known = tuple(moment for moment in calls if moment is not None)
    return (known if len(known) == len(calls) else ()) or module.state.registering_writes(name)


def reads_plain(module: ModuleClass, name: str, read: Moment) -> bool:
    """True where a read can meet the plain tensor: under no test of the object, or under one that rules out what
    registers."""
    registering = _registering(module, name)
    if not registering or not any(_asks_object(region.subject) for region, _ in read.guards()):
        return True
    return all(exclude(_facts(read), _facts(one)) for one in registering)


def _share_all(facts: list[Facts], here: Facts) -> bool:
    """True where two of the branches are the two sides of one test: one of them is always taken."""
    sides = [{key: fact[key] for key in extra(fact, here)} for fact in facts]
    single = [side for side in sides if len(side) == 1]
    return any(exclude(one, other) for one in single for other in single)


def _facts(moment: Moment) -> Facts:
    return facts_of(tuple((region, _named) for region, _ in moment.guards()))


def _named(term: Term) -> object:
    """What a value is called: an attribute is mostly called like the parameter that it was made of."""
    while isinstance(term, Captured):
        term = term.value
    return term.name if isinstance(term, (Argument, Attribute, Global, Imported)) else id(term)


def _asks_object(term: Term, depth: int = 8) -> bool:
    if isinstance(term, Attribute):
        return True
    return depth > 0 and any(_asks_object(part, depth - 1) for part in children(term))
