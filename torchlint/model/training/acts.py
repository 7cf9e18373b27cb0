"""A training function step by step: scaled and plain backward passes, unscale_(), clipping, steps and updates, in the
order in which they run, those of its helpers in their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from torchlint.model.events import Evaluated, Region, Write
from torchlint.model.facts import Function
from torchlint.model.flow.branches import Facts, exclude
from torchlint.model.flow.levels import Level
from torchlint.model.flow.makers import makers
from torchlint.model.flow.same_object import Key
from torchlint.model.frames import Frame, Moment, called_names, last_name
from torchlint.model.gradients.clips import clip_written, clips, is_gradient
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Closure,
    Constant,
    Element,
    Global,
    Imported,
    Item,
    Subscript,
    Super,
    Term,
)
from torchlint.model.values import Kind
from torchlint.model.weights.aliases import function_called, words_of
from torchlint.model.weights.enumerated import within
from torchlint.source import Span

_DEPTH = 3
_BACKWARD = frozenset("backward manual_backward _backward".split())
_SCALERS = re.compile(r"(Sharded)?GradScaler|ShardedScaler")
# A file that takes part in the protocol calls one of these.
_SPEAKS = frozenset("unscale_ GradScaler ShardedGradScaler scale".split())
# The calls by which a scaler is known whatever its name, with the number of their arguments.
_PROTOCOL = {"scale": 1, "step": 1, "update": 0}
_ENTERED = re.compile(r".*(backward|unscale|step|update|clip|optimi[sz]e|scale).*|zero_grad", re.IGNORECASE)
_NO_OPTIMIZER = ("sched", "scaler", "accelerat", "engine", "fabric", "profil")


class ActKind(Enum):
    """What an act does. PLAIN: a backward pass of an unscaled loss, or of one that something else scales. RESCALE: what
    may undo the scale by hand."""

    SCALED = "scaled backward"
    PLAIN = "backward"
    UNSCALE = "unscale_"
    CLIP = "clip"
    STEP = "scaler.step"
    UPDATE = "update"
    RAW_STEP = "optimizer.step"
    RESCALE = "division by the scale"


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """One step of the protocol. place: the call itself, in whatever function it stands. scaler, optimizer: the names of
    the objects that take part, as the function looked at knows them; empty where they are not known."""

    kind: ActKind
    call: Call
    moment: Moment
    scaler: frozenset[Key]
    optimizer: frozenset[Key]
    facts: Facts
    loops: tuple[Region, ...]

    @property
    def span(self) -> Span:
        """Where the call is written."""
        return self.moment.frame.span(self.call.place)

    @property
    def symbol(self) -> str:
        """The function that it is written in."""
        return self.moment.frame.symbol

    def may_meet(self, *others: Act) -> bool:
        """True where one pass may run this act and all the others."""
        return not any(exclude(self.facts, other.facts) for other in others)


def training_acts(frame: Frame, clipping: Term | None = None) -> tuple[Act, ...]:
    """The acts of a function and of the helpers that it calls; none in a file that has nothing to do with a scaler.
    clipping: a call that is known to clip, although what it enters is not to be seen here."""
    if not speaks_of_scalers(frame) or not _may_act(frame.function, frame):
        return ()
    return tuple(_acts(Level(frame), _DEPTH, clipping))


def _acts(level: Level, depth: int, clipping: Term | None = None) -> Iterator[Act]:
    frame = level.frame
    for event in frame.function.events:
        moment = Moment(event, frame, level.caller)
        if isinstance(event, Write):
            clip = clip_written(event)
            if clip is not None:
                yield _act(ActKind.CLIP, clip, moment, level)
        if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
            continue
        if event.term is clipping:
            yield _act(ActKind.CLIP, event.term, moment, level)
            continue
        inner = _entered(event.term, level, moment) if depth else None
        if inner is not None:
            yield from _acts(inner, depth - 1)
            continue
        found = _act_of(event.term, frame)
        if found is not None:
            kind, scaler, optimizer = found
            yield _act(kind, event.term, moment, level, scaler, optimizer)


def _act(
    kind: ActKind, call: Call, moment: Moment, level: Level, scaler: Term | None = None, optimizer: Term | None = None
) -> Act:
    scalers = level.names(scaler) if scaler is not None else frozenset[Key]()
    optimizers = level.names(optimizer) if optimizer is not None else frozenset[Key]()
    return Act(kind, call, moment, scalers, optimizers, level.facts(moment), level.loops(moment))


# Helpers


def _entered(call: Call, level: Level, moment: Moment) -> Level | None:
    """The helper that a call enters, where it may take part in the protocol."""
    name = last_name(call)
    is_named = _ENTERED.fullmatch(name) or name in acting_names(level.frame)
    if not is_named and not _hands_on(call) and not _is_of_a_part(call, level.frame):
        return None
    target = function_called(call, level.frame)
    if target is None or not _may_act(target.function, level.frame):
        return None
    return level.entered(target, call, moment)


def _hands_on(call: Call) -> bool:
    """True for a method of the object itself, for a function that is given anything (a scaler, the parameters), and for
    one that is defined on the spot."""
    callee = call.callee
    if isinstance(callee, Attribute) and isinstance(callee.base, (Argument, Captured, Super)):
        return True
    return isinstance(callee, Closure) or (isinstance(callee, (Global, Imported)) and bool(call.inputs))


def _is_of_a_part(call: Call, frame: Frame) -> bool:
    """True for a method of an object of the project, such as a player that holds a network and its optimizer."""
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    if not isinstance(base, (Attribute, Element, Item, Subscript)):
        return False
    value = frame.value(base)
    return value.kind is Kind.OBJECT and value.of is not None


def _may_act(function: Function, here: Frame) -> bool:
    """True where a function calls anything that may be a step of the protocol, itself or in a helper of the file that
    is looked at."""
    known: bool | None = function.derived.get("may act")
    if known is None:
        known = function.derived["may act"] = any(map(_ENTERED.fullmatch, called_names(function)))
    return known or ((function.path or here.path) == here.path and bool(called_names(function) & acting_names(here)))


def acting_names(frame: Frame) -> frozenset[str]:
    """The names of the functions of the same file that may act, themselves or through one another."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    known: frozenset[str] | None = top.derived.get("acting names")
    if known is None:
        calls = [(one.function.name, called_names(one.function)) for one in project.functions_in(frame.path)]
        found = {name for name, called in calls if any(map(_ENTERED.fullmatch, called))}
        while fresh := {name for name, called in calls if name not in found and called & found}:
            found |= fresh
        known = top.derived["acting names"] = frozenset(found) - {"__init__", "<module>", "forward"}
    return known


def speaks_of_scalers(frame: Frame) -> bool:
    """True where some function of the same file calls a scaler."""
    project, path = frame.evaluator.project, frame.path
    top = project.top_of(frame.method)
    known: bool | None = top.derived.get("speaks of scalers")
    if known is None:
        functions = [one.function for one in project.functions_in(path)] or [frame.method]
        known = top.derived["speaks of scalers"] = any(
            isinstance(event, Evaluated)
            and isinstance(event.term, Call)
            and (last_name(event.term) in _SPEAKS or "scaler" in words_of(event.term.callee))
            for function in functions
            for event in function.events
        )
    return known


# Acts


def _act_of(call: Call, frame: Frame) -> tuple[ActKind, Term | None, Term | None] | None:
    """What a call does, with its scaler and its optimizer."""
    name, callee = last_name(call), call.callee
    base = callee.base if isinstance(callee, Attribute) else None
    if name in _BACKWARD:
        scaler = _scaled_by(call, frame)
        return (ActKind.PLAIN if scaler is None else ActKind.SCALED), scaler, None
    if "unscale" in name:
        return ActKind.UNSCALE, base, call.arguments[0] if call.arguments else None
    if clips(call, frame):
        return ActKind.CLIP, None, None
    if name == "get_scale" or (name in ("mul_", "div_") and base is not None and is_gradient(base)):
        return ActKind.RESCALE, None, None
    if base is None:
        return (ActKind.PLAIN, None, None) if is_whole_protocol(call) else None
    if name in ("step", "update") and is_scaler(base, frame):
        if name == "update":
            return ActKind.UPDATE, base, None
        return (ActKind.STEP, base, call.arguments[0]) if call.arguments else None
    if name == "step" and _gives_at_most_a_closure(call, frame) and is_optimizer(base, frame):
        return ActKind.RAW_STEP, None, base
    return (ActKind.PLAIN, None, None) if is_whole_protocol(call) else None


def is_whole_protocol(call: Call) -> bool:
    """True for loss_scaler(loss, optimizer, ..): an object that holds the whole protocol."""
    name = last_name(call)
    return len(call.inputs) > 1 and name.lower().endswith("scaler") and not _SCALERS.fullmatch(name)


def _gives_at_most_a_closure(call: Call, frame: Frame) -> bool:
    """True for a step as torch's optimizers take it. What is given more than a closure (the scaler, the name of one of
    several optimizers) is a wrapper, which may step through the scaler."""
    given = (*(("closure", term) for term in call.arguments), *call.keywords)
    return len(given) < 2 and all(name == "closure" and _may_be_closure(term, frame) for name, term in given)


def _may_be_closure(term: Term, frame: Frame) -> bool:
    if isinstance(term, Constant):
        return term.value is None
    return frame.value(term).kind is Kind.CALLABLE or "closure" in words_of(term)


def _scaled_by(call: Call, frame: Frame) -> Term | None:
    """The scaler of scaler.scale(loss).backward(), also where the scaled loss has a name."""
    for part in within(call, 60):
        callee = part.callee if isinstance(part, Call) and part.inputs else None
        if isinstance(callee, Attribute) and callee.name == "scale" and is_scaler(callee.base, frame):
            return callee.base
    return None


def is_scaler(term: Term, frame: Frame) -> bool:
    """True for a GradScaler that is not switched off: made by one, or so called where nobody knows what made it."""
    made = [(call, where, _imported_as(call.callee, where)) for call, where in _made(term, frame)]
    named = [(call, where, names) for call, where, names in made if _is_scalers_name(last_name(call), *names)]
    if named:
        return any(_is_on(call, where) and _is_of_torch(call, where, names) for call, where, names in named)
    if frame.value(term).kind is Kind.OBJECT or any(not isinstance(call.callee, Attribute) for call, _, _ in made):
        return False
    text = words_of(term)
    if "scaler" not in text:
        return not frame.is_self(term) and _name_of(term) in _scaling_names(frame)
    return not any(word in text for word in ("standard", "minmax", "robust", "target", "input"))


def _scaling_names(frame: Frame) -> frozenset[str]:
    """The names by which a file calls a scaler, whatever they are: amp of amp.scale(loss), amp.step(opt),
    amp.update()."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    known: frozenset[str] | None = top.derived.get("names of scalers")
    if known is None:
        called: dict[str, set[str]] = {}
        for one in project.functions_in(frame.path):
            for call in one.function.calls:
                if isinstance(call.callee, Attribute) and len(call.inputs) == _PROTOCOL.get(call.callee.name, -1):
                    called.setdefault(call.callee.name, set()).add(_name_of(call.callee.base))
        found = frozenset.intersection(*(frozenset(called.get(name, ())) for name in _PROTOCOL)) - {""}
        known = top.derived["names of scalers"] = found
    return known


def _name_of(term: Term) -> str:
    return term.name if isinstance(term, (Argument, Attribute, Global)) else ""


def _made(term: Term, frame: Frame, depth: int = 2) -> Iterator[tuple[Call, Frame]]:
    """What made an object, in place of a function of the project what made the results of that."""
    for call, where in makers(term, frame):
        target = function_called(call, where) if depth else None
        if target is None:
            yield call, where
        else:
            for event in target.function.returned:
                yield from _made(event.value, target, depth - 1)


def _is_scalers_name(*names: str) -> bool:
    return any(_SCALERS.fullmatch(name.rpartition(".")[2]) for name in names)


def _imported_as(callee: Term, frame: Frame) -> tuple[str, ...]:
    """What a name is imported as; of one with a stand-in for where the import fails, the import."""
    outline = frame.evaluator.project.outline(frame.path) if isinstance(callee, Global) else None
    bound = outline.names.get(callee.name) if outline is not None and isinstance(callee, Global) else callee
    options = bound.options if isinstance(bound, Choice) else (bound,)
    return tuple(option.name for option in options if isinstance(option, Imported))


def _is_of_torch(call: Call, frame: Frame, names: tuple[str, ...]) -> bool:
    """False for a class of that name that the project writes itself."""
    value = frame.value(call.callee)
    if any(name.startswith("torch.") for name in names) or not hasattr(value.of, "foreign_bases"):
        return True
    return any("Scaler" in base for base in value.of.foreign_bases)


def _is_on(call: Call, frame: Frame) -> bool:
    enabled = call.keyword("enabled")
    return enabled is None or frame.value(enabled).constant is not False


def is_optimizer(term: Term, frame: Frame) -> bool:
    """True for an optimizer of torch: made by one, or so called where nobody knows what made it."""
    value = frame.value(term)
    if value.kind is Kind.OBJECT and value.of is not None:
        return "step" not in {method.name for method in value.of.methods}
    made = [call for call, _ in makers(term, frame)]
    text = words_of(term)
    if any("prepare" in last_name(call) or "initialize" in last_name(call) for call in made):
        return False
    if any((frame.value(call.callee).made_by or "").startswith("torch.optim.") for call in made):
        return not any("lr_scheduler" in (frame.value(call.callee).made_by or "") for call in made)
    return "opt" in text and not any(word in text for word in _NO_OPTIMIZER)
