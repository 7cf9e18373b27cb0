"""Networks that freeze all that they hold while they are built: autograd records nothing of what they compute."""

from __future__ import annotations

from torchlint.model.classes import ModuleClass
from torchlint.model.events import Evaluated, Write
from torchlint.model.flow.callers import callers_of
from torchlint.model.frames import Frame, Moment, has_self
from torchlint.model.terms import Argument, Attribute, Call, Constant, Term
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import enumeration, module_of

_DEPTH = 4


def is_given_frozen(term: Term, frame: Frame, depth: int = _DEPTH) -> bool:
    """True for a network that freezes itself; for a parameter, where that is so of what callers give, and none is known
    to give another network."""
    value = frame.value(term)
    if isinstance(value.of, ModuleClass):
        return freezes_itself(value.of)
    if not isinstance(term, Argument) or frame.is_self(term) or depth == 0:
        return False
    given = [(found, moment.frame) for moment in callers_of(frame) for found in _given(moment, term, frame)]
    others = [one for one in given if not is_given_frozen(*one, depth - 1)]
    return len(others) < len(given) and not any(caller.value(found).kind is Kind.MODULE for found, caller in others)


def _given(moment: Moment, argument: Argument, frame: Frame) -> list[Term]:
    """What a call gives for a parameter of the function that it runs."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    if not isinstance(call, Call):
        return []
    offset = 1 if has_self(frame.function) and isinstance(call.callee, Attribute) else 0
    found = call.argument(argument.index - offset, argument.name)
    return [] if found is None else [found]


def freezes_itself(module: ModuleClass) -> bool:
    """True where building an object switches off the gradients of all its parameters, and adds no layer after that."""
    building = module.construction
    layers = [index for index, moment in enumerate(building) if _adds_layer(moment)]
    always = {id(region) for index in layers for region, _ in building[index].guards()}
    frozen = [index for index, moment in enumerate(building) if _freezes(moment, always)]
    return bool(frozen) and not any(index > frozen[0] for index in layers)


def _freezes(moment: Moment, always: set[int]) -> bool:
    """True for `requires_grad = False` on each of self.parameters(), and for self.requires_grad_(False), under no
    conditions but those under which the layers are made: an assert leaves one around all that follows."""
    event, frame = moment.event, moment.frame
    if any(id(region) not in always for region, _ in moment.guards()):
        return False
    if isinstance(event, Write):
        return event.attribute == "requires_grad" and _is_own(event.base, frame) and _is_off(event.value, frame)
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call) or not isinstance(call.callee, Attribute) or call.callee.name != "requires_grad_":
        return False
    given, base = call.argument(0, "requires_grad"), call.callee.base
    return given is not None and (frame.is_self(base) or _is_own(base, frame)) and _is_off(given, frame)


def _is_own(term: Term, frame: Frame) -> bool:
    """True for one of self.parameters()."""
    source = enumeration(term)
    module = module_of(source) if source is not None else None
    return module is not None and frame.is_self(module)


def _is_off(term: Term, frame: Frame) -> bool:
    """True for False, and for an option that is False where nobody gives it."""
    if isinstance(term, Argument):
        parameters = frame.function.parameters
        default = parameters[term.index].default if term.index < len(parameters) else None
        return isinstance(default, Constant) and default.value is False
    return isinstance(term, Constant) and term.value is False


def _adds_layer(moment: Moment) -> bool:
    event = moment.event
    if not isinstance(event, Write) or not moment.frame.is_self(event.base):
        return False
    return moment.frame.value(event.value).kind in (Kind.MODULE, Kind.PARAMETER)
