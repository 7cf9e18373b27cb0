"""Levels: functions entered from one another, each with the names that the first of them has for its objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from torchlint.model.events import Region, RegionKind
from torchlint.model.facts import Function
from torchlint.model.flow.branches import Facts, Names, facts_of
from torchlint.model.flow.kept_arguments import kept_by
from torchlint.model.flow.same_object import Key, keys_of
from torchlint.model.frames import Frame, Moment, has_self, last_name
from torchlint.model.terms import Attribute, Call, Super, Term


@dataclass(slots=True, eq=False)
class Level:
    """A function in a walk. caller: the call that led into it, which stands in the function of `outer`.

    given: the names of what its parameters are, as the function that the walk began with knows them.
    """

    frame: Frame
    caller: Moment | None = None
    outer: Level | None = None
    given: dict[Key, frozenset[Key]] = field(default_factory=dict)
    known: dict[int, frozenset[Key]] = field(default_factory=dict)

    def names(self, term: Term) -> frozenset[Key]:
        """The names of the objects that a term may be."""
        if id(term) not in self.known:
            keys = keys_of(term, self.frame)
            self.known[id(term)] = frozenset[Key]().union(*(_seen_outside(key, self.given) for key in keys))
        return self.known[id(term)]

    def regions(self, moment: Moment) -> Iterator[tuple[Region, Names]]:
        """The regions around an event here, and around the calls that led here, innermost first."""
        yield from ((region, self.names) for region in moment.event.regions)
        if self.outer is not None and self.caller is not None:
            yield from self.outer.regions(self.caller)

    def facts(self, moment: Moment) -> Facts:
        """What the conditions around an event, and around the calls that led to it, say."""
        guards = ((region, names) for region, names in self.regions(moment) if region.kind is RegionKind.GUARD)
        return facts_of(tuple(guards))

    def loops(self, moment: Moment) -> tuple[Region, ...]:
        """The loops around an event and around the calls that led to it, innermost first."""
        return tuple(region for region, _ in self.regions(moment) if region.kind is RegionKind.LOOP)

    def entered(self, target: Frame, call: Call, moment: Moment) -> Level | None:
        """The function that a call of this one enters; None where it is being run already."""
        if any(one.function is target.function for one in moment.functions()):
            return None
        return Level(target, moment, self, _given(call, target, self))


def _given(call: Call, target: Frame, level: Level) -> dict[Key, frozenset[Key]]:
    """What the parameters of a function are, by the names of the function that the walk began with."""
    function = target.function
    is_made = _is_construction(call, function)
    is_method = has_self(function) and (is_made or isinstance(call.callee, Attribute))
    given = [(position + is_method, term) for position, term in enumerate(call.arguments)]
    positions = {parameter.name: index for index, parameter in enumerate(function.parameters)}
    given += [(positions[name], term) for name, term in call.keywords if name in positions]
    found: dict[Key, frozenset[Key]] = {("argument", id(function), index): level.names(term) for index, term in given}
    if is_made:
        found[("self", id(target.view))] = level.names(call)
    elif is_method and isinstance(call.callee, Attribute) and not isinstance(call.callee.base, Super):
        found.update(_of_receiver(call.callee.base, target, level))
    elif target.outer is not None:
        found.update(level.given)
    return found


def _is_construction(call: Call, function: Function) -> bool:
    """True where the call of a class enters its __init__."""
    return function.name == "__init__" and last_name(call) != "__init__"


def _of_receiver(receiver: Term, target: Frame, level: Level) -> dict[Key, frozenset[Key]]:
    """What the object of a method is, and what it was given when it was made and keeps on its attributes."""
    own: Key = ("self", id(target.view))
    names = level.names(receiver)
    found: dict[Key, frozenset[Key]] = {own: names}
    if target.view is None or level.frame.is_self(receiver):
        return found
    for attribute, keys in kept_by(receiver, target.view, level.frame).items():
        outside = frozenset[Key]().union(*(_seen_outside(key, level.given) for key in keys))
        found[("attribute", own, attribute)] = outside | {("attribute", name, attribute) for name in names}
    return found


def _seen_outside(key: Key, given: dict[Key, frozenset[Key]]) -> frozenset[Key]:
    """A name inside a function that was entered, as the first function says it."""
    if key in given:
        return given[key]
    if key[0] in ("attribute", "item", "element") and isinstance(key[1], tuple):
        return frozenset((key[0], base, *key[2:]) for base in _seen_outside(key[1], given))
    return frozenset({key})
