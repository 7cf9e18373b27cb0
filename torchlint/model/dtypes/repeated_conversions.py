"""Conversions that are made again and again: a loop repeats them, or the function is one step of a training loop."""

from __future__ import annotations

import re
from collections.abc import Callable

from torchlint.knowledge.graphs import COMPARES
from torchlint.model.events import Evaluated, Event, ItemWrite, Region, RegionKind
from torchlint.model.flow.networks import network_run
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.gradients.lineage import event_of
from torchlint.model.gradients.lineages import Lineages
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.training.rounds import is_of_a_round
from torchlint.model.values import Kind
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import path_of, same_memory, within, writes_into

_CASTS = frozenset("float double half bfloat16 long int short bool".split())
_WAITS = frozenset(("item", "cpu", "tolist"))
_TAKEN = frozenset("item tolist detach data".split())
# Settings that are on for a look at the program, not for each run of it.
_SETTINGS = re.compile(r"verbose|debug|log|print|plot|show|vis|wandb|report|rank|master|main|tensorboard|writer")
_DEPTH = 2
_PARTS = 40


def may_repeat(call: Call) -> bool:
    """True for the names of conversions that cost something in each round: a cheap question, asked first."""
    name = last_name(call)
    if isinstance(call.callee, Attribute):
        return name in _WAITS or name in _CASTS or name in ("to", "cuda", "type")
    return name == "float" and isinstance(call.callee, Global) and len(call.arguments) == 1


class Repeated:
    """The conversions of one function that are made again and again for nothing."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._lineages: Lineages | None = None
        self._hot: set[int] = set()
        self._trains: dict[int, Event] = {}
        self._written = {getattr(e, "attribute", None) for e in frame.function.events if not isinstance(e, Evaluated)}
        for event in frame.function.events:
            if isinstance(event, Evaluated) and isinstance(event.term, Call):
                self._note(event, event.term)

    def _note(self, event: Evaluated, call: Call) -> None:
        loop = id(_loop_of(event))
        if loop not in self._hot and _runs_network(call, self._frame, _DEPTH):
            self._hot.add(loop)
        if loop not in self._trains and _trains(call, self._frame, _DEPTH):
            self._trains[loop] = event

    def judged(self, event: Evaluated, call: Call) -> tuple[str, Region | Term] | None:
        """The kind of a conversion that is made again and again for nothing, and what repeats it: the innermost loop,
        or the backward pass of a function that is one step of a loop."""
        loop = _loop_of(event)
        name = last_name(call)
        is_wait = name in _WAITS or isinstance(call.callee, Global)
        if loop is None:
            step = self._trains.get(id(None)) if is_wait else None
            is_step = isinstance(step, Evaluated) and not event.guards() and self._frame.function.name != "<module>"
            is_step = is_step and self._waits(event, call, name)
            return ("per step", step.term) if isinstance(step, Evaluated) and is_step else None
        if isinstance(loop.subject, Display) or _is_now_and_then(event, loop, self._frame):
            return None
        if is_wait:
            return ("step", loop) if self._waits(event, call, name) else None
        return ("invariant", loop) if not _is_guarded(event, loop) and self._is_invariant(call, loop) else None

    # Waiting

    def _waits(self, event: Evaluated, call: Call, name: str) -> bool:
        """True where the round runs a network, and the call waits for what it computes."""
        rounds = [id(one) for one in event.regions if one.kind is RegionKind.LOOP] or [id(None)]
        if (call.inputs and name != "float") or not any(one in self._hot for one in rounds):
            return False
        if name != "item" and not any(one in self._trains for one in rounds):
            return False
        if self._is_taken(call):
            return False
        base = call.callee.base if isinstance(call.callee, Attribute) else call.arguments[0]
        self._lineages = self._lineages or Lineages(self._frame)
        found = self._lineages.of(base)
        if found.is_python or found.away is False or not (name != "float" or found.recorded or found.is_sure):
            return False
        # Of what has no graph the lineage forgets the network; what it was computed from does not.
        return any(self._lineages.of(part).network is not None for part in within(base, _PARTS))

    def _is_taken(self, call: Call) -> bool:
        """True where the program needs the number at once, for a test, and for x.cpu() of x.cpu().item(): the outer
        call is the finding."""
        parents = parents_in(self._frame.function).get(id(call), ())
        if any(isinstance(one, Operation) and one.operator in COMPARES for one in parents):
            return True
        return any(isinstance(one, Attribute) and one.name in _TAKEN for one in parents)

    # The same again

    def _is_invariant(self, call: Call, loop: Region) -> bool:
        """True for a cast or a move of a tensor that the loop does not change."""
        if not isinstance(call.callee, Attribute) or not self._changes(call):
            return False
        base = call.callee.base
        stays = self._stays(base, loop) and not self._is_written_into(base, loop)
        return stays and all(self._is_fixed(one, loop) for one in call.inputs)

    def _is_written_into(self, base: Term, loop: Region) -> bool:
        """True for a tensor that the loop changes in place: trace.mul_(0.9), trace[step] = x."""
        targets = [one.target for one in writes_into(self._frame) if loop in one.event.regions]
        events = self._frame.function.events
        targets += [one.base for one in events if isinstance(one, ItemWrite) and loop in one.regions]
        name = path_of(base)
        return any(one is base or path_of(one) == name != "" for one in map(_memory_of, targets))

    def _changes(self, call: Call) -> bool:
        name = last_name(call)
        value = self._frame.value(call.callee.base) if isinstance(call.callee, Attribute) else self._frame.value(call)
        if not value.is_tensor:
            return False
        if name in _CASTS:
            return not call.inputs and self._frame.value(call).dtype != value.dtype
        return bool(call.inputs) or name == "cuda"

    def _stays(self, base: Term, loop: Region) -> bool:
        frame = self._frame
        if isinstance(base, Attribute):
            kind = frame.value(base).kind
            return (
                frame.is_self(base.base)
                and base.name not in self._written
                and kind in (Kind.BUFFER, Kind.PARAMETER, Kind.TENSOR)
            )
        if isinstance(base, Argument):
            return True
        event = event_of(base, frame.function) if isinstance(base, (Call, Subscript)) else None
        return event is not None and loop not in event.regions

    def _is_fixed(self, term: Term, loop: Region) -> bool:
        if isinstance(term, (Constant, Imported, Global, Argument)):
            return True
        if isinstance(term, Attribute):
            return self._is_fixed(term.base, loop) and not isinstance(term.base, Call)
        event = event_of(term, self._frame.function)
        return event is not None and loop not in event.regions


def _runs_network(call: Call, frame: Frame, depth: int) -> bool:
    """True for a call that runs a network, itself or in a function of the project."""
    if network_run(call, frame) is not None:
        return True
    target = function_called(call, frame) if depth else None
    return target is not None and _does("runs a network", target, depth, _runs_network)


def _trains(call: Call, frame: Frame, depth: int) -> bool:
    """True for a backward pass, also of a function of the project."""
    if last_name(call) in ("backward", "manual_backward"):
        return isinstance(call.callee, Attribute)
    target = function_called(call, frame) if depth else None
    return target is not None and _does("trains in a step", target, depth, _trains)


def _does(question: str, target: Frame, depth: int, asks: Callable[[Call, Frame, int], bool]) -> bool:
    """The answer of a function of the project: of what it calls once, in no loop of its own."""
    derived, key = target.function.derived, f"{question}, {depth}"
    if key not in derived:
        derived[key] = False
        once = (e.term for e in target.function.events if isinstance(e, Evaluated) and _loop_of(e) is None)
        derived[key] = any(isinstance(term, Call) and asks(term, target, depth - 1) for term in once)
    return bool(derived[key])


def _memory_of(target: Term) -> Term:
    """The tensor that a view, or a part by an index, shares its memory with."""
    while (inner := same_memory(target)) is not target or isinstance(target, Subscript):
        target = inner.base if isinstance(inner, Subscript) else inner
    return target


def _loop_of(event: object) -> Region | None:
    regions = getattr(event, "regions", ())
    return next((one for one in regions if one.kind is RegionKind.LOOP), None)


def _is_guarded(event: Evaluated, loop: Region) -> bool:
    """True where a condition inside the loop decides on the call."""
    inside = event.regions[: event.regions.index(loop)]
    return any(one.kind is RegionKind.GUARD for one in inside)


def _is_now_and_then(event: Evaluated, loop: Region, frame: Frame) -> bool:
    """True where a condition inside the loop may decide otherwise in another round: each hundredth step. A setting of
    the program holds in all of them."""
    inside = event.regions[: event.regions.index(loop)]
    return any(one.kind is RegionKind.GUARD and not _is_setting(one.subject, frame) for one in inside)


def _is_setting(test: Term, frame: Frame) -> bool:
    parts = list(within(test, 60))
    if any(isinstance(part, (Element, Choice, Call, Subscript)) for part in parts) or is_of_a_round(test, frame):
        return False
    names = (part.name for part in parts if isinstance(part, (Argument, Attribute, Global, Imported)))
    return not any(map(_SETTINGS.search, map(str.lower, names)))
