"""Functions that train and evaluate: what the conditions around an eval() say of the rest of the function.

`run(loader, is_train)` calls backward() under `if is_train:`, so nothing differentiates what it computes after the
eval() of the other branch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from torchlint.model.evaluation.truths import truth
from torchlint.model.events import Event, Region, RegionKind
from torchlint.model.flow.branches import Facts, exclude, facts_of, implies
from torchlint.model.flow.same_object import Step, keys_of
from torchlint.model.flow.signatures import receiver_of
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import (
    Argument,
    Call,
    Captured,
    Constant,
    Element,
    Global,
    Imported,
    Term,
    children,
)

_COUNTS = frozenset("range count trange".split())
_DEPTH = 8


@dataclass(frozen=True)
class Phase:
    """The evaluation that a step begins. facts: what holds in it."""

    step: Step
    frame: Frame
    facts: Facts
    read: dict[int, Facts] = field(default_factory=dict)

    def holds(self, event: Event) -> bool:
        """True for an event that may happen in this phase."""
        return not exclude(self._facts_at(event), self.facts)

    def is_certain(self, event: Event) -> bool:
        """True for an event that no other condition keeps from happening."""
        return implies(self.facts, self._facts_at(event))

    def lasting(self, loop: Region) -> Phase:
        """The phase by those conditions alone that are the same in each round of a loop."""
        regions = [one for one in _guards(self.step) if one.kind is RegionKind.GUARD and _is_steady(one.subject, loop)]
        return replace(self, facts=facts_of(tuple((one, self._names) for one in regions)), read=self.read)

    def _facts_at(self, event: Event) -> Facts:
        region = event.region
        if region is None:
            return {}
        if id(region) not in self.read:
            self.read[id(region)] = facts_of(tuple((one, self._names) for one in event.guards()))
        return self.read[id(region)]

    def _names(self, term: Term) -> object:
        return keys_of(term, self.frame)


def phase_of(step: Step, frame: Frame) -> Phase:
    """The phase that begins with an eval(), or with a train(mode) where the mode is false."""
    phase = Phase(step, frame, {})
    found = dict(facts_of(tuple((one, phase._names) for one in _guards(step))))
    switch = ("name", frozenset(("attribute", key, "training") for key in step.keys))
    found.setdefault(switch, False)
    return replace(phase, facts=found)


def open_mode(step: Step) -> Term | None:
    """The mode of a call train(mode), where it is no constant: the call is an eval() as well."""
    mode = step.call.argument(0, "mode") if step.kind == "train" and not step.within else None
    return None if isinstance(mode, Constant) else mode


def _guards(step: Step) -> tuple[Region, ...]:
    mode = open_mode(step)
    own = step.event.guards()
    return own if mode is None else (*own, Region(RegionKind.GUARD, mode, False, mode.place, None))


def is_entered_by(moment: Moment, phase: Phase) -> bool:
    """False for a call whose arguments rule the phase out."""
    call, frame = getattr(moment.event, "term", None), phase.frame
    if not isinstance(call, Call):
        return True
    receiver = receiver_of(call, frame.function)
    bound = frame.evaluator.bound_frame(frame.function, frame.view, call, moment.frame, receiver=receiver)
    return all(truth(one.subject, bound) in (None, one.holds) for one in _guards(phase.step))


def repeats(loop: Region, phase: Phase, steps: list[Step], differentiating: list[Event]) -> bool:
    """True for a loop around an eval() that evaluates in every round: nothing in it trains the object or
    differentiates."""
    lasting = phase.lasting(loop)
    trains = [
        one.event for one in steps if one is not phase.step and one.kind == "train" and one.keys & phase.step.keys
    ]
    live = [event for event in (*trains, *differentiating) if loop in event.regions and lasting.holds(event)]
    return not live and not any(_is_of_loop(key, loop, phase.frame) for key in phase.step.keys)


def is_counted(loop: Region) -> bool:
    """True for a loop over numbers: its rounds may be epochs, and what trains in them need not be in sight."""
    return isinstance(loop.subject, Call) and last_name(loop.subject) in _COUNTS


def _is_of_loop(key: object, loop: Region, frame: Frame) -> bool:
    """True for an object that each round makes or takes anew."""
    if not isinstance(key, tuple):
        return False
    if key[0] == "term":
        made = (event for event in frame.function.events if loop in event.regions)
        return any(id(getattr(event, "term", None)) == key[1] for event in made)
    if key[0] == "element" and key[1] in keys_of(loop.subject, frame):
        return True
    return any(_is_of_loop(part, loop, frame) for part in key[1:])


def _is_steady(term: Term, loop: Region, depth: int = _DEPTH) -> bool:
    """True for what no round of a loop changes: made of parameters, names of the file and constants."""
    if isinstance(term, (Argument, Captured, Constant, Global, Imported)):
        return True
    if isinstance(term, Element):
        return term.iterable is not loop.subject and _is_steady(term.iterable, loop, depth - 1)
    if depth == 0 or isinstance(term, Call):
        return False
    parts = tuple(children(term))
    return bool(parts) and all(_is_steady(part, loop, depth - 1) for part in parts)
