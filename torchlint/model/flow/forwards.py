"""Forward passes: calls that run a module, known to be one or so called, and modules that are frozen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchlint.model.events import Evaluated, Write
from torchlint.model.facts import Function
from torchlint.model.flow.kept_arguments import known_as
from torchlint.model.flow.levels import Level
from torchlint.model.flow.origins import returning
from torchlint.model.flow.same_object import Key, behind, keys_of
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Argument, Attribute, Call, Choice, Constant, Global, Imported, Super, Term
from torchlint.model.values import Kind
from torchlint.model.weights.aliases import words_of
from torchlint.model.weights.enumerated import enumeration, module_of

_MODELS = re.compile(
    r".*(model|net\b|network|unet|encoder|decoder|policy|actor|critic|generator|discriminator|backbone|student|teacher"
    r"|transformer|vae|denoiser|classifier|learner|module|ddp).*"
)
_NO_MODELS = re.compile(
    r".*(loss|criterion|metric|optim|sched|scaler|loader|data|tokeni[sz]er|logger|ema_helper|config|args|image_process"
    r"|trainer|accelerator|engine|writer|saver|checkpoint).*"
)
_PARAMETERS = frozenset(("parameters", "named_parameters"))
_OF_MODULES = _PARAMETERS | frozenset("load_state_dict eval requires_grad_ modules named_modules buffers".split())
# Methods of a module that run nothing of it.
_ASKS = re.compile(
    r"(named_)?(parameters|buffers|modules|children)|(load_)?state_dict|train|eval|to|cuda|cpu|half|float|bfloat16|apply"
    r"|zero_grad|requires_grad_|register_.*|get_parameter|save\w*|from_pretrained|push_to_hub|no_sync|update\w*|copy_\w*"
    r"|set_\w+|init\w*|reset\w*|load\w*|add_\w+|enable_\w+|disable_\w+|log\w*|append|extend|get|items|keys|values|clip\w*"
    r"|freeze\w*|unfreeze\w*|.*hook.*|configure_\w+|print\w*|compile|backward|step|store|restore|swap\w*|apply_\w+"
)
# A freeze of batch norm statistics is none of the weights.
_FREEZES = re.compile(
    r"_?freeze(_(all|the))?(_?(model|module|param(eter)?s?|weights?|net(work)?|encoder|backbone))?|disable_grads?"
)


def run_by(call: Call, level: Level) -> frozenset[Key]:
    """The names of the module that a call runs; empty where it runs none that we know of."""
    callee, frame = call.callee, level.frame
    if not call.inputs or isinstance(callee, Super):
        return frozenset()
    if isinstance(callee, Attribute):
        if callee.name in ("forward", "__call__"):
            return level.names(callee.base)
        is_method = frame.value(callee).kind is not Kind.MODULE and not _ASKS.fullmatch(callee.name)
        if is_method and is_model(callee.base, frame):
            is_own = frame.is_self(callee.base)
            return frozenset() if is_own and not _is_attribute(callee, frame) else level.names(_run(callee, frame))
    is_run = (is_model(callee, frame) or _is_module_by_use(callee, frame)) and _may_run(callee, frame)
    return level.names(callee) if is_run else frozenset()


def _run(callee: Attribute, frame: Frame) -> Term:
    """The module that self.model(x) and model.loss(x) run: the attribute of the object, else what the method is of."""
    return callee if frame.is_self(callee.base) else callee.base


def _is_attribute(callee: Attribute, frame: Frame) -> bool:
    """True for self.model(x): no method of the object."""
    return (frame.view is None or frame.view.method(callee.name) is None) and is_model(callee, frame)


def _may_run(callee: Term, frame: Frame) -> bool:
    """False for a class, and for a function of the project or of a package."""
    value = frame.value(callee)
    if value.kind is Kind.CALLABLE:
        return False
    return not (isinstance(callee, Attribute) and _ASKS.fullmatch(callee.name)) or value.kind is Kind.MODULE


def is_model(term: Term, frame: Frame) -> bool:
    """True for a module; where nobody knows what it is, by the words that it is reached by, or its parameters()."""
    value = frame.value(term)
    if value.kind is Kind.MODULE:
        return True
    if value.kind not in (Kind.UNKNOWN, Kind.NONE) or isinstance(term, Constant):
        return False
    if isinstance(term, (Global, Imported)) and value.kind is not Kind.UNKNOWN:
        return False
    if isinstance(term, Attribute):
        # self.trainer.model is a model, model.config is none.
        return bool(_MODELS.fullmatch(term.name.lower())) and not _NO_MODELS.fullmatch(term.name.lower())
    text = words_of(term)
    return not _NO_MODELS.fullmatch(text) and (bool(_MODELS.fullmatch(text)) or _has_parameters(term, frame))


def _has_parameters(term: Term, frame: Frame) -> bool:
    """True where the function asks a value for its parameters(): only modules have such a method."""
    known: frozenset[object] | None = frame.function.derived.get("have parameters")
    if known is None:
        callees = (call.callee for call in frame.function.calls if last_name(call) in _PARAMETERS)
        bases = (one for callee in callees if isinstance(callee, Attribute) for one in _options(callee.base))
        known = frame.function.derived["have parameters"] = frozenset(map(_identity, bases))
    return _identity(term) in known


def _options(term: Term, depth: int = 6) -> Iterator[Term]:
    """A value, what each branch may have made it, and the object below the methods that return it again."""
    yield term
    if isinstance(term, Choice) and depth:
        for option in term.options:
            yield from _options(option, depth - 1)
    elif behind(term) is not term:
        yield from _options(behind(term), depth)


def _is_module_by_use(callee: Term, frame: Frame) -> bool:
    """True for an attribute of the object that is called, and that some method of the object asks for what modules
    have, whatever its name."""
    if not isinstance(callee, Attribute) or frame.view is None or not frame.is_self(callee.base):
        return False
    is_open = frame.value(callee).kind is Kind.UNKNOWN and frame.view.method(callee.name) is None
    return is_open and any(callee.name in _used_as_modules(method) for method in frame.view.methods)


def _used_as_modules(function: Function) -> frozenset[str]:
    """The attributes of the object that a method calls load_state_dict(), parameters(), eval() of."""
    known: frozenset[str] | None = function.derived.get("used as modules")
    if known is None:
        callees = (call.callee for call in function.calls if last_name(call) in _OF_MODULES)
        bases = (callee.base for callee in callees if isinstance(callee, Attribute))
        own = (base for base in bases if isinstance(base, Attribute) and getattr(base.base, "index", None) == 0)
        known = function.derived["used as modules"] = frozenset(base.name for base in own)
    return known


def _identity(term: Term) -> object:
    return ("argument", term.index) if isinstance(term, Argument) else id(term)


def in_inference_mode(moment: Moment) -> bool:
    """True where inference_mode() is on: what is computed there, autocast does not keep."""
    managers = [region.subject for region, _ in moment.managers()]
    decorators = [decorator for frame in moment.functions() for decorator in frame.method.decorators]
    return any(last_name(term) == "inference_mode" for term in (*managers, *decorators))


def frozen_in(frame: Frame) -> frozenset[Key]:
    """The modules that a function, or another method of its object, freezes."""
    frames = [frame]
    if frame.view is not None:
        frames += [frame.view.frame(method) for method in frame.view.methods]
    return frozenset(key for one in frames for key in _frozen(one))


def _frozen(frame: Frame) -> Iterator[Key]:
    for event in frame.function.events:
        if isinstance(event, Write) and event.attribute == "requires_grad":
            source = enumeration(event.base)
            module = module_of(source) if source is not None else None
            if module is not None and isinstance(event.value, Constant) and event.value.value is False:
                yield from keys_of(module, frame)
        elif isinstance(event, Write) and isinstance(event.value, Call) and _is_made_frozen(event.value, frame):
            yield from (("attribute", key, event.attribute) for key in keys_of(event.base, frame))
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from _frozen_by(event.term, frame)


def _is_made_frozen(call: Call, frame: Frame) -> bool:
    """True for what a function of the project makes and returns with requires_grad_(False)."""
    inner = returning(call, frame)
    returned = [event.value for event in inner.function.returned] if inner is not None else []
    return bool(returned) and all(isinstance(one, Call) and _asks_no_gradient(one) for one in returned)


def _asks_no_gradient(call: Call) -> bool:
    given = call.argument(0, "requires_grad") if last_name(call) == "requires_grad_" else None
    return isinstance(given, Constant) and given.value is False


def _frozen_by(call: Call, frame: Frame) -> Iterator[Key]:
    callee = call.callee
    if isinstance(callee, Attribute) and _asks_no_gradient(call):
        source = enumeration(callee.base)
        module = module_of(source) if source is not None else callee.base
        if module is not None:
            yield from known_as(module, frame)
    elif _FREEZES.fullmatch(last_name(call)):
        terms = call.inputs or ((callee.base,) if isinstance(callee, Attribute) else ())
        for term in terms:
            yield from keys_of(term, frame)
