"""What a method stores in one of its branches and a later call reads in another: a step for each of two optimizers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.branches import Facts, exclude, facts_of
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.flow.uses import Use, parents_in
from torchlint.model.frames import Frame, Moment, self_use
from torchlint.model.modules.refresh import runs_in_mode
from torchlint.model.terms import Argument, Attribute, Captured, Choice, Global, Imported, Term
from torchlint.model.unregistered.carried import (
    CUTS,
    Carried,
    Store,
    described,
    is_guarded,
    is_read,
    is_reset,
    keeps_graph,
    store_of,
)

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


def carried_between_branches(module: ModuleClass) -> Iterator[Carried]:
    """The tensors with a graph that one branch of a method stores for another, which only a later call can take."""
    state = module.state
    if state.registers_itself:
        return
    for function in _with_two_sides(module):
        frame = module.frame(function)
        for event in self_use(function).steps:
            store = store_of(Moment(event, frame)) if event.guards() else None
            if store is None or state.registration(store.name) is not None:
                continue
            read = _read_elsewhere(store, frame)
            if read is not None and keeps_graph(module, store) and not _is_put_back(module, store):
                yield described(module, store, frame.span(read.term.place), grows=False)


def _with_two_sides(module: ModuleClass) -> list[Function]:
    """The methods, but for forward, that store an attribute under a condition and read it under another."""
    building = module.only_building
    return [
        function
        for function in module.methods
        if function.name != "forward" and id(function) not in building and _may_hand_over(function)
    ]


def _may_hand_over(function: Function) -> bool:
    use = self_use(function)
    return any(
        name in use.reads and any(write.guards() for write in writes if isinstance(write, Write))
        for name, writes in use.writes.items()
    )


def _read_elsewhere(store: Store, frame: Frame) -> Evaluated | None:
    """A read of the attribute that computes with it in a branch which excludes that of the store."""
    here = _facts(store.moment.event)
    if is_guarded(store.moment) or runs_in_mode(store.moment) is not None:
        return None
    for event in self_use(frame.function).reads.get(store.name, ()):
        moment = Moment(event, frame)
        is_apart = is_read(event.term, store.name, frame) and exclude(here, _facts(event))
        if (
            is_apart
            and not is_guarded(moment)
            and _keeps_it_whole(event.term, frame)
            and not grad_is_off(moment, frame.evaluator)
        ):
            return event
    return None


def _keeps_it_whole(read: Term, frame: Frame) -> bool:
    """True where the value is computed with as it is, with its graph."""
    uses = frame.evaluator.project.uses.of(read, frame.function)
    return Use.COMPUTES in uses and not all(map(_cuts, _users(read, frame.function)))


def _cuts(user: Term | Event) -> bool:
    return isinstance(user, Attribute) and user.name in CUTS


def _users(term: Term, function: Function) -> Iterator[Term | Event]:
    for parent in parents_in(function).get(id(term), ()):
        if isinstance(parent, Choice):
            yield from _users(parent, function)
        else:
            yield parent


def _is_put_back(module: ModuleClass, store: Store) -> bool:
    """True where another method, or an owner, decides how long the value lives."""
    return is_reset(module, store.name, module.walk(store.moment.frame.function.name))


def _facts(event: Event) -> Facts:
    return facts_of(tuple((region, _named) for region in event.guards()))


def _named(term: Term) -> object:
    """What a value is called, where it may be written twice in one function."""
    while isinstance(term, Captured):
        term = term.value
    if isinstance(term, Attribute):
        return f"{_named(term.base)}.{term.name}"
    return term.name if isinstance(term, (Argument, Global, Imported)) else id(term)
