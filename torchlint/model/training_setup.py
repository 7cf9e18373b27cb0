"""How a program sets training up: which modules get an optimizer, are frozen or converted, and what takes care of
mixed precision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.aliases import function_called
from torchlint.model.branches import Facts, condition
from torchlint.model.enumerated import enumeration, module_of
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.forwards import is_model
from torchlint.model.frames import Frame, Moment, has_self, last_name
from torchlint.model.half_types import cast_to, casts_up, halves_of
from torchlint.model.helper_results import seen_inside
from torchlint.model.levels import Level
from torchlint.model.same_object import RETURNS_SELF, Key
from torchlint.model.selections import is_filtered
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Element,
    Item,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.weight_writes import enumerated_in

_DEPTH = 2
_PARTS = frozenset(("modules", "children"))
_NAMED_PARTS = frozenset(("named_modules", "named_children"))
_OPTIMIZERS = re.compile(
    r".*(adam|sgd|optim|lamb$|lion|rmsprop|adagrad|adafactor|adadelta|lbfgs|shampoo|prodigy|muon).*", re.IGNORECASE
)
_NO_CONSTRUCTION = re.compile(
    r".*(sched|load|save|state|zero|step|move|to_device|broadcast|clip|params?|groups?)", re.IGNORECASE
)
# Those who keep float32 copies of half weights themselves.
_OWN_MASTERS = re.compile(
    r"FP16_?Optimizer\w*|network_to_half|prep_param_lists|master_params\w*|convert_network|initialize"
)
_UPCASTS = re.compile(r"cast_training_params|(up)?cast_(trainable_)?param\w*|.*to_(fp32|float32|full)")


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A statement of the setup. kind: "half" (a conversion), "wide" (the way back), "optimizer", "prepare", "train"
    (requires_grad_ with a test), "frozen", "scaler", "accelerate", "autocast", "own" (master weights), "backward".

    keys: the modules, by the names of the function that was looked at. halves: the types of a conversion. written: the
    receiver, as it is written. filtered: only the parameters that require a gradient are meant."""

    kind: str
    moment: Moment
    call: Call
    keys: frozenset[Key]
    facts: Facts
    halves: frozenset[str] = frozenset()
    condition: Facts | None = None
    filtered: bool = False


def settings_of(frame: Frame, depth: int = _DEPTH) -> list[Setting]:
    """What a function sets up, with the helpers that it calls, in order."""
    return list(_settings(Level(frame), depth))


def _settings(level: Level, depth: int) -> Iterator[Setting]:
    for event in level.frame.function.events:
        moment = Moment(event, level.frame, level.caller)
        if isinstance(event, Write) and event.attribute in ("requires_grad", "data"):
            yield from _by_write(event, moment, level)
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            found = list(_by_call(event.term, moment, level))
            yield from found
            if not found and depth:
                yield from _by_helper(event.term, moment, level, depth)


def _setting(kind: str, moment: Moment, call: Call, level: Level, *terms: Term, **more: object) -> Setting:
    keys = frozenset[Key]().union(*(names_of(term, level) for term in terms))
    return Setting(kind, moment, call, keys, level.facts(moment), **more)  # type: ignore[arg-type]


def names_of(term: Term, level: Level) -> frozenset[Key]:
    """The names of a module, also those under which the function stores it on an object."""
    keys = level.names(term)
    stored = {
        ("attribute", base, event.attribute)
        for event in level.frame.function.events
        if isinstance(event, Write) and isinstance(event.attribute, str) and level.names(event.value) & keys
        for base in level.names(event.base)
    }
    return keys | stored


def _by_write(event: Write, moment: Moment, level: Level) -> Iterator[Setting]:
    """`p.requires_grad = False` and `p.data = p.data.float()` for the parameters of a module."""
    source = enumeration(event.base)
    module = module_of(source) if source is not None else None
    if module is None or source is None:
        return
    if event.attribute == "requires_grad" and isinstance(event.value, Constant) and event.value.value is False:
        yield _setting("frozen", moment, source, level, module)
    elif event.attribute == "data" and isinstance(event.value, Call):
        if casts_up(event.value, level.frame):
            yield _setting("wide", moment, source, level, module)
        elif cast_to(event.value, level.frame):
            halves = cast_to(event.value, level.frame)
            yield _setting("half", moment, event.value, level, module, halves=halves)


def _by_call(call: Call, moment: Moment, level: Level) -> Iterator[Setting]:
    frame, name, callee = level.frame, last_name(call), call.callee
    base = callee.base if isinstance(callee, Attribute) else None
    if base is not None and name in ("half", "bfloat16", "to", "type", "float", "double", "requires_grad_"):
        yield from _by_method(call, base, moment, level)
    elif "backward" in name or name in ("training_step", "fit"):
        yield _setting("backward", moment, call, level)
    elif name in ("GradScaler", "ShardedGradScaler"):
        enabled = call.keyword("enabled")
        if enabled is None or frame.value(enabled).constant is not False:
            yield _setting("scaler", moment, call, level)
    elif name == "apply" and base is not None and call.arguments:
        yield from _by_visitor(call, base, moment, level)
    elif name == "Accelerator":
        yield _setting("accelerate", moment, call, level)
    elif "autocast" in name:
        yield _setting("autocast", moment, call, level)
    elif _OWN_MASTERS.fullmatch(name) and (name != "initialize" or len(call.inputs) > 1):
        yield _setting("own", moment, call, level)
    elif _UPCASTS.fullmatch(name):
        yield _setting("wide", moment, call, level, *_modules_in(call.inputs, frame))
    elif name == "prepare" and len(call.arguments) > 1:
        yield _setting("prepare", moment, call, level, *(one for one in call.arguments if is_model(one, frame)))
    elif _OPTIMIZERS.fullmatch(name) and not _NO_CONSTRUCTION.fullmatch(name) and call.inputs:
        yield from _by_optimizer(call, moment, level)
    elif name.startswith(("freeze", "disable_grad")):
        yield _setting("frozen", moment, call, level, *(call.inputs or ((base,) if base is not None else ())))


def _modules_in(terms: tuple[Term, ...], frame: Frame) -> list[Term]:
    """The modules that are passed, alone or in a list."""
    parts = [part for term in terms for part in (getattr(term, "parts", ()) or (term,))]
    return [part for part in parts if is_model(part, frame)]


def _by_method(call: Call, base: Term, moment: Moment, level: Level) -> Iterator[Setting]:
    frame, name = level.frame, last_name(call)
    source = enumeration(base)
    module = module_of(source) if source is not None else whole_of(base)
    if module is None:
        return
    if name == "requires_grad_":
        given = call.argument(0, "requires_grad")
        if isinstance(given, Constant) and given.value is False:
            yield _setting("frozen", moment, call, level, module)
        elif given is not None and not isinstance(given, Constant):
            yield _setting("train", moment, call, level, module, condition=condition(given, level.names))
        elif source is None:
            yield _setting("train", moment, call, level, module, condition={})
    elif casts_up(call, frame):
        yield _setting("wide", moment, call, level, module)
    elif source is None and (is_whole(module, frame) or is_given_whole(base, level)):
        halves = cast_to(call, frame)
        if halves:
            yield _setting("half", moment, call, level, module, halves=halves)
        else:
            yield from _by_wish(call, moment, level, module)


def _by_wish(call: Call, moment: Moment, level: Level, module: Term) -> Iterator[Setting]:
    """A conversion to the dtype that a caller names: told where it is named."""
    keys, facts = names_of(module, level), level.facts(moment)
    for wish in call.inputs:
        term: Term | None = wish
        at, told = level, moment
        halves: frozenset[str] = frozenset()
        while isinstance(term, Argument) and at.outer is not None and at.caller is not None:
            term = given_for(term, at)
            told, at = at.caller, at.outer
            halves = halves_of(term, at.frame) if term is not None else halves
        if halves and isinstance(told.event, Evaluated) and isinstance(told.event.term, Call):
            yield Setting("half", told, told.event.term, keys, facts, halves)


def whole_of(term: Term) -> Term:
    """The module that a part is taken out of by a loop over modules(), children() or their named forms; any other term
    itself."""
    element = term.base if isinstance(term, Item) and term.index == 1 else term
    listed = element.iterable if isinstance(element, Element) else None
    callee = listed.callee if isinstance(listed, Call) else None
    is_walk = isinstance(callee, Attribute) and callee.name in (_NAMED_PARTS if element is not term else _PARTS)
    return callee.base if is_walk and isinstance(callee, Attribute) else term


def is_given_whole(term: Term, level: Level) -> bool:
    """True for a parameter for which the call that led here passes a module, or each part of one: model.apply(..); and
    for an object of the class that it passes."""
    if isinstance(term, Call) and isinstance(term.callee, Argument) and level.outer is not None:
        made = given_for(term.callee, level)
        found = level.outer.frame.value(made) if made is not None else None
        return found is not None and found.made_by == "class" and found.of is not None and bool(found.of.is_module)
    if not isinstance(term, Argument) or level.outer is None or level.caller is None:
        return False
    call = level.caller.event.term if isinstance(level.caller.event, Evaluated) else None
    if isinstance(call, Call) and last_name(call) == "apply" and not level.frame.is_self(term):
        return True
    given = given_for(term, level)
    return given is not None and (is_whole(given, level.outer.frame) or is_given_whole(given, level.outer))


def given_for(argument: Argument, level: Level) -> Term | None:
    """What the call that led here passes for a parameter."""
    call = level.caller.event.term if level.caller is not None and isinstance(level.caller.event, Evaluated) else None
    if not isinstance(call, Call) or level.frame.is_self(argument):
        return None
    bound = has_self(level.frame.function) and isinstance(call.callee, Attribute)
    return call.argument(argument.index - int(bound), argument.name)


def is_whole(term: Term, frame: Frame) -> bool:
    """True for a module, or for a part of one that is looked up: model[1], model.layers["head"]."""
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in RETURNS_SELF:
        term = term.callee.base
    if isinstance(term, Choice):
        return all(is_whole(option, frame) for option in term.options)
    base = term.base if isinstance(term, Subscript) else None
    return is_model(term, frame) or (base is not None and is_model(base, frame))


def _by_optimizer(call: Call, moment: Moment, level: Level) -> Iterator[Setting]:
    keys: set[Key] = set()
    filtered = False
    for term in call.inputs:
        for given, where in ((term, level), *seen_inside(term, moment.event, level)):
            modules = [module for module, _ in enumerated_in(given, where.frame)]
            modules += [given] if is_model(given, where.frame) else []
            keys |= {key for module in modules for key in names_of(module, where)}
            filtered = filtered or _filters(given, where.frame.function)
    if keys:
        yield Setting("optimizer", moment, call, frozenset(keys), level.facts(moment), filtered=filtered)


def _filters(term: Term, function: Function, depth: int = 6) -> bool:
    """True where only those parameters are taken that pass a test."""
    if isinstance(term, Comprehension) and is_filtered(term, function):
        return True
    if isinstance(term, Call) and last_name(term) == "filter":
        return True
    if isinstance(term, Operation) and term.operator == "if":
        return True
    parts = getattr(term, "parts", ()) or getattr(term, "arguments", ()) or getattr(term, "options", ())
    return depth > 0 and any(_filters(part, function, depth - 1) for part in parts)


def _by_visitor(call: Call, base: Term, moment: Moment, level: Level) -> Iterator[Setting]:
    """What model.apply(visitor) does to the model and to all parts of it."""
    run = Call(call.place, call.arguments[0], (base,), ())
    target = function_called(run, level.frame)
    if target is None or not holds_conversion(target.function.events):
        return
    inner = level.entered(target, run, moment)
    yield from _settings(inner, 0) if inner is not None else ()


def _by_helper(call: Call, moment: Moment, level: Level, depth: int) -> Iterator[Setting]:
    """What a helper sets up, for the modules that it is given and for the one that it returns."""
    if not _may_set_up(call):
        return
    target = function_called(call, level.frame)
    inner = level.entered(target, call, moment) if target is not None else None
    if inner is None:
        return
    returned = [inner.names(event.value) for event in inner.frame.function.returned]
    for one in _settings(inner, depth - 1):
        keys = one.keys
        if any(keys & names for names in returned):
            keys |= names_of(call, level)
        yield Setting(one.kind, one.moment, one.call, keys, one.facts, one.halves, one.condition, one.filtered)


def _may_set_up(call: Call) -> bool:
    """False for the calls of tensors and of numbers, which are most."""
    callee = call.callee
    return not isinstance(callee, Attribute) or bool(call.inputs) or isinstance(callee.base, (Argument, Captured))


def holds_conversion(function_events: tuple[Event, ...]) -> bool:
    """True where anything is called by the name of a conversion to another dtype."""
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and last_name(event.term) in ("half", "bfloat16", "to", "type")
        for event in function_events
    )
