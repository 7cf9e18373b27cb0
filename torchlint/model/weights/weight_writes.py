"""What writes into the weights of a module: an optimizer's step, averaged weights that come in, copies, states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.evaluation.helper_results import seen_inside
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.flow.kept_arguments import known_as
from torchlint.model.flow.levels import Level
from torchlint.model.flow.makers import makers
from torchlint.model.flow.origins import returning
from torchlint.model.flow.same_object import Key
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Comprehension, Constant, Display, Place, Term, children
from torchlint.model.training.acts import is_optimizer, is_scaler
from torchlint.model.weights.aliases import function_called, words_of
from torchlint.model.weights.enumerated import Written, enumeration, module_of, taken_from, writes_into

_DEPTH = 3
_PARAMETERS = frozenset("parameters named_parameters state_dict get_parameters trainable_parameters".split())
_STEPS = frozenset("step first_step second_step ascent_step descent_step optimizer_step".split())
_SWAPS = re.compile(r"(ema_)?(apply_shadow|apply_ema|copy_to|restore|swap\w*|average_\w+|ema_scope)")
_OF_AVERAGES = ("ema", "averag", "shadow", "swa", "polyak")
_INITIALISES = re.compile(r"reset_parameters|init_weights?|_?init_parameters")


@dataclass(frozen=True, slots=True)
class WeightWrite:
    """A call or assignment that writes. place: what is written there; name: the same in words.

    modules: the names of the modules whose weights it may be, for one who knows them; None where any module may be
    meant. is_step: gradients must have been computed before.
    """

    event: Event
    place: Place
    modules: frozenset[Key] | None
    is_step: bool
    name: str


def weight_writes(event: Event, level: Level) -> Iterator[WeightWrite]:
    """What an event writes, itself or in a helper that it calls."""
    if isinstance(event, Evaluated) and isinstance(event.term, Call):
        found = _by_call(event, event.term, level)
        if found is not None:
            yield found


def direct_writes(level: Level) -> dict[int, WeightWrite]:
    """The in-place operations of a function on parameters, and the assignments to `.data`, by the event."""
    found: dict[int, WeightWrite] = {}
    for written in writes_into(level.frame):
        modules = _modules_of(written.target, level) or _inside_helper(written, level)
        place = written.event.place if isinstance(written.event, Write) else (written.term or written.target).place
        name = ".data =" if written.operation == "data" else written.operation
        shown = f"{name}()" if name.endswith("_") else name
        if modules:
            found.setdefault(id(written.event), WeightWrite(written.event, place, modules, False, shown))
    return found


def _modules_of(target: Term, level: Level) -> frozenset[Key]:
    """The module whose parameter a tensor is: model for one of model.parameters(), and for model.head.weight.data."""
    source = enumeration(target)
    if source is not None:
        module = module_of(source)
        return level.names(module) if module is not None and last_name(source) in _PARAMETERS else frozenset()
    while isinstance(target, Attribute) and target.name == "data":
        target = target.base
    if isinstance(target, Attribute) and target.name in ("weight", "bias"):
        return level.names(target.base)
    return frozenset()


def _inside_helper(written: Written, level: Level) -> frozenset[Key]:
    """The same for a tensor that a helper of the project gives: `for p, g in gradients(model)`."""
    found = seen_inside(written.outside or written.target, written.event, level)
    return frozenset[Key]().union(*(_modules_of(target, inner) for target, inner in found))


def _by_call(event: Event, call: Call, level: Level) -> WeightWrite | None:
    frame, name, callee = level.frame, last_name(call), call.callee
    base = callee.base if isinstance(callee, Attribute) else None
    if base is not None and name in _STEPS:
        optimizer = call.arguments[0] if call.arguments and is_scaler(base, frame) else base
        if optimizer is not base or is_optimizer(base, frame):
            return WeightWrite(event, call.place, trained_by(optimizer, level), True, f"{name}()")
    if base is not None and name == "load_state_dict" and not _assigns(call):
        return WeightWrite(event, call.place, level.names(base), False, f"{name}()")
    if base is not None and _INITIALISES.fullmatch(name):
        return WeightWrite(event, call.place, level.names(base), False, f"{name}()")
    if name == "vector_to_parameters" and len(call.arguments) > 1:
        modules = _enumerated(call.arguments[1], level)
        return WeightWrite(event, call.place, modules, False, f"{name}()") if modules else None
    return _swap(event, call, level)


def _assigns(call: Call) -> bool:
    given = call.keyword("assign")
    return isinstance(given, Constant) and given.value is True


def _swap(event: Event, call: Call, level: Level) -> WeightWrite | None:
    """Averaged weights that come in, or the raw ones that come back."""
    name = last_name(call)
    if not _SWAPS.fullmatch(name):
        return None
    target = function_called(call, level.frame)
    if target is not None and not _overwrites(target, _DEPTH):
        return None
    if target is None and not any(word in words_of(call.callee) for word in _OF_AVERAGES):
        return None
    given = [_enumerated(term, level) or level.names(term) for term in call.inputs]
    modules = frozenset[Key]().union(*given) if given else None
    return WeightWrite(event, call.place, modules, False, f"{name}()")


def _overwrites(frame: Frame, depth: int) -> bool:
    """True for a function that writes into parameters, also through `.data`, itself or in what it calls."""
    for written in writes_into(frame):
        source = enumeration(written.target)
        if source is not None and last_name(source) in _PARAMETERS:
            return True
    calls = frame.function.calls
    if any(last_name(call) == "load_state_dict" and not _assigns(call) for call in calls):
        return True
    targets = (function_called(call, frame) for call in calls) if depth else ()
    return any(target is not None and _overwrites(target, depth - 1) for target in targets)


def _enumerated(term: Term, level: Level) -> frozenset[Key]:
    """The modules whose parameters an argument enumerates."""
    return frozenset[Key]().union(*(level.names(module) for module, _ in enumerated_in(term, level.frame)))


# Optimizers


def trained_by(optimizer: Term, level: Level) -> frozenset[Key] | None:
    """The modules whose parameters an optimizer was given, by every name that the function has for them; None where
    nobody knows what it was given, and nothing where it was given other tensors."""
    found: set[Key] = set()
    made = list(makers(optimizer, level.frame))
    known = False
    for call, where in made:
        if not call.inputs:
            continue
        given = call.argument(0, "params")
        modules = [] if given is None else list(enumerated_in(given, where))
        known = known or bool(modules) or _is_of_torch(call, where)
        for module, frame in modules:
            found |= level.names(module) if frame is level.frame else known_as(module, frame)
    return frozenset(found) if known else None


def _is_of_torch(call: Call, frame: Frame) -> bool:
    return (frame.value(call.callee).made_by or "").startswith("torch.optim.")


def enumerated_in(term: Term, frame: Frame, depth: int = 8) -> Iterator[tuple[Term, Frame]]:
    """The modules whose parameters() stand anywhere in a term: in lists, groups, filters, comprehensions. Copies of
    parameters are none."""
    if isinstance(term, Call) and last_name(term) in _PARAMETERS:
        module = module_of(term)
        if module is not None:
            yield module, frame
            return
    if isinstance(term, Call) and depth and (inner := returning(term, frame)) is not None:
        for event in inner.function.returned:
            yield from enumerated_in(event.value, inner, depth // 2)
        return
    if isinstance(term, Comprehension) and not any(isinstance(part, Display) for part in term.parts):
        source = enumeration(term.parts[-1])
        module = module_of(source) if source is not None else None
        if module is not None:
            yield module, frame
        elif depth:
            # [p for p in chain(..)], and chain.from_iterable(net.parameters() for net in nets).
            behind = term.parts[-1] if isinstance(term.parts[-1], Call) else taken_from(term.parts[-1])
            yield from enumerated_in(behind, frame, depth - 1) if isinstance(behind, Call) else ()
    elif depth:
        for part in children(term):
            yield from enumerated_in(part, frame, depth - 1)
