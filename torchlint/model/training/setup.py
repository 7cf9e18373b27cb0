"""How a program sets training up: which modules get an optimizer, are frozen or converted, and what takes care of
mixed precision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.evaluation.helper_results import seen_inside
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.branches import Facts, condition
from torchlint.model.flow.forwards import is_model
from torchlint.model.flow.levels import Level
from torchlint.model.flow.same_object import Key, behind
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.half.types import cast_to, casts_up, halves_of
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Comprehension,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.training.acts import is_scaler
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import enumeration, module_of
from torchlint.model.weights.selections import is_filtered
from torchlint.model.weights.weight_writes import enumerated_in
from torchlint.model.weights.whole_modules import given_for, is_given_whole, is_layer, is_own_method, is_whole, whole_of

_DEPTH = 2
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
    keys = level.names(term) | _names_of_elements(term, level)
    stored = {
        ("attribute", base, event.attribute)
        for event in level.frame.function.events
        if isinstance(event, Write) and isinstance(event.attribute, str) and level.names(event.value) & keys
        for base in level.names(event.base)
    }
    return keys | stored


def _names_of_elements(term: Term, level: Level) -> frozenset[Key]:
    """More names of what is taken out of a container: nets[name] is an element of nets, and one of a list that a
    comprehension makes is what each of its rounds gives."""
    term = behind(term)
    if isinstance(term, Subscript) and not isinstance(term.index, Constant):
        return frozenset(("element", key) for key in level.names(term.base))
    made = term.iterable if isinstance(term, Element) else None
    if isinstance(made, Comprehension) and len(made.parts) == 1:
        return names_of(made.parts[0], level)
    return frozenset()


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
    elif "backward" in name or (name in ("training_step", "fit") and function_called(call, frame) is None):
        yield _setting("backward", moment, call, level)
    elif name in ("GradScaler", "ShardedGradScaler"):
        enabled = call.keyword("enabled")
        if enabled is None or frame.value(enabled).constant is not False:
            yield _setting("scaler", moment, call, level)
    elif name in ("scale", "unscale_") and base is not None and is_scaler(base, frame):
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
    elif name == "add_param_group" or (_OPTIMIZERS.fullmatch(name) and not _NO_CONSTRUCTION.fullmatch(name)):
        yield from _by_optimizer(call, moment, level)
    elif name.startswith(("freeze", "disable_grad")):
        yield _setting("frozen", moment, call, level, *(call.inputs or ((base,) if base is not None else ())))
    elif name == "from_pretrained" or call.keyword("dtype") is not None:
        yield from _by_birth(call, moment, level)


def _by_birth(call: Call, moment: Moment, level: Level) -> Iterator[Setting]:
    """A module that is made, or loaded, in half."""
    dtype = call.keyword("torch_dtype") or call.keyword("dtype")
    is_made = last_name(call) == "from_pretrained" or is_layer(call, level.frame)
    halves = halves_of(dtype, level.frame) if dtype is not None and is_made else frozenset()
    if halves:
        yield _setting("half", moment, call, level, call, halves=halves)


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
    elif source is None:
        halves, is_given = cast_to(call, frame), is_given_whole(base, level)
        for one in (part for part in _each_in_turn(module) if is_given or is_whole(part, frame)):
            if halves:
                yield _setting("half", moment, call, level, one, halves=halves)
            else:
                yield from _by_wish(call, moment, level, one)


def _each_in_turn(module: Term) -> tuple[Term, ...]:
    """The modules of `for net in (first, second)`: what is done to one says nothing of the other."""
    if isinstance(module, Element) and isinstance(module.iterable, Display):
        return module.iterable.parts
    return (module,)


def _by_wish(call: Call, moment: Moment, level: Level, module: Term) -> Iterator[Setting]:
    """A conversion to the dtype that a caller names: told where it is named, in a method of the object itself where it
    is done."""
    keys, facts = names_of(module, level), level.facts(moment)
    for wish in call.inputs:
        term: Term | None = wish
        at, told = level, moment
        halves: frozenset[str] = frozenset()
        while isinstance(term, Argument) and at.outer is not None and at.caller is not None:
            term = given_for(term, at)
            told, at = at.caller, at.outer
            halves = halves_of(term, at.frame) if term is not None else halves
        if halves and is_own_method(moment):
            yield Setting("half", moment, call, keys, facts, halves)
        elif halves and isinstance(told.event, Evaluated) and isinstance(told.event.term, Call):
            yield Setting("half", told, told.event.term, keys, facts, halves)


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
    target = function_called(call, level.frame) or _construction(call, level.frame)
    inner = level.entered(target, call, moment) if target is not None else None
    if inner is None:
        return
    returned = [inner.names(event.value) for event in inner.frame.function.returned]
    for one in _settings(inner, depth - 1):
        keys = one.keys
        if any(keys & names for names in returned):
            keys |= names_of(call, level)
        yield Setting(one.kind, one.moment, one.call, keys, one.facts, one.halves, one.condition, one.filtered)


def _construction(call: Call, frame: Frame) -> Frame | None:
    """The __init__ of a class of the project that is no module: of a trainer."""
    made = frame.value(call).of if isinstance(call.callee, (Global, Imported)) and call.inputs else None
    if made is None or not hasattr(made, "method") or made.is_module:
        return None
    init = made.method("__init__")
    return frame.evaluator.frame(init, made) if init is not None else None


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
