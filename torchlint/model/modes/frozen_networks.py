"""Networks whose parameters are all frozen, while they are built or by a statement after that: autograd records nothing
of what they compute."""

from __future__ import annotations

from torchlint.knowledge.lookup import is_stateless_layer
from torchlint.model.classes import ModuleClass
from torchlint.model.evaluation.truths import truth
from torchlint.model.events import Evaluated, Event, Region, Write
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.signatures import receiver_of
from torchlint.model.frames import Frame, Moment
from torchlint.model.modes.frozen_by_statements import is_frozen_before
from torchlint.model.modules.layers import Built, built
from torchlint.model.terms import NOWHERE, Argument, Attribute, Call, Constant, Term
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import enumeration, module_of

_DEPTH = 4


def is_given_frozen(term: Term, frame: Frame, until: Event, depth: int = _DEPTH) -> bool:
    """True for a network that is frozen before an event of the function, or while it is built; for a parameter, where
    that is so of what callers give, and none is known to give another network."""
    if is_frozen_before(term, frame, until):
        return True
    value = frame.value(term)
    if isinstance(value.of, ModuleClass):
        return _is_built_frozen(term, frame, value.of, depth)
    if not isinstance(term, Argument) or frame.is_self(term) or depth == 0:
        return False
    given = [(found, moment) for moment in callers_of(frame) for found in _given(moment, term, frame)]
    others = [one for one in given if not is_given_frozen(one[0], one[1].frame, one[1].event, depth - 1)]
    return len(others) < len(given) and not any(
        moment.frame.value(found).kind is Kind.MODULE for found, moment in others
    )


def _given(moment: Moment, argument: Argument, frame: Frame) -> list[Term]:
    """What a call gives for a parameter of the function that it runs."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    if not isinstance(call, Call):
        return []
    offset = int(receiver_of(call, frame.function) is not None)
    found = call.argument(argument.index - offset, argument.name)
    return [] if found is None else [found]


def _is_built_frozen(term: Term, frame: Frame, module: ModuleClass, depth: int) -> bool:
    """True where the calls that build a network, if they are in sight, build a frozen one."""
    made = [one for one in built(term, frame) if one[1].value(one[0]).of is module]
    return all(freezes_itself(module, one, depth) for one in made) if made else freezes_itself(module, None, depth)


def freezes_itself(module: ModuleClass, made: Built | None = None, depth: int = _DEPTH) -> bool:
    """True where building an object switches off the gradients of all its parameters, and adds no layer after that; or
    where all its layers are such objects. made: the call that builds it."""
    building, entered = module.construction, _entered(module, made)
    layers = [index for index, moment in enumerate(building) if _adds_layer(moment)]
    always = {id(region) for index in layers for region, _ in building[index].guards()}
    frozen = [index for index, moment in enumerate(building) if _freezes(moment, always, entered)]
    if frozen:
        return not any(index > frozen[0] for index in layers)
    return depth > 0 and _is_of_frozen([building[index] for index in layers], depth - 1)


def _entered(module: ModuleClass, made: Built | None) -> Frame | None:
    """The constructor as a call enters it; with its defaults, where the call is not known."""
    init = module.method("__init__")
    if init is None:
        return None
    call, caller = made or (Call(NOWHERE, Constant(NOWHERE, None), (), ()), module.frame(init))
    return module.project.evaluator.bound_frame(init, module, call, caller, receiver=call.callee)


def _is_of_frozen(layers: list[Moment], depth: int) -> bool:
    """True where every attribute that gets a layer gets one that freezes itself, if only in one of several branches."""
    found: dict[object, bool] = {}
    for moment in layers:
        event = moment.event
        value = moment.frame.value(event.value) if isinstance(event, Write) else None
        if value is None or not isinstance(event, Write) or is_stateless_layer(value.made_by or ""):
            continue
        is_frozen = isinstance(value.of, ModuleClass) and _is_built_frozen(event.value, moment.frame, value.of, depth)
        found[event.attribute] = found.get(event.attribute, False) or is_frozen
    return bool(found) and all(found.values())


def _freezes(moment: Moment, always: set[int], entered: Frame | None) -> bool:
    """True for `requires_grad = False` on each of self.parameters(), and for self.requires_grad_(False), under no
    conditions but those under which the layers are made (an assert leaves one around all that follows), and those that
    hold for what the constructor is given."""
    event, frame = moment.event, moment.frame
    if any(id(region) not in always and not _is_met(region, where, entered) for region, where in moment.guards()):
        return False
    if isinstance(event, Write):
        is_own = event.attribute == "requires_grad" and _is_own(event.base, frame)
        return is_own and _is_off(event.value, frame, entered)
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call) or not isinstance(call.callee, Attribute) or call.callee.name != "requires_grad_":
        return False
    given, base = call.argument(0, "requires_grad"), call.callee.base
    is_own = frame.is_self(base) or _is_own(base, frame)
    return given is not None and is_own and _is_off(given, frame, entered)


def _is_met(region: Region, frame: Frame, entered: Frame | None) -> bool:
    is_known = entered is not None and entered.function is frame.function
    return is_known and entered is not None and truth(region.subject, entered) is region.holds


def _is_own(term: Term, frame: Frame) -> bool:
    """True for one of self.parameters()."""
    source = enumeration(term)
    module = module_of(source) if source is not None else None
    return module is not None and frame.is_self(module)


def _is_off(term: Term, frame: Frame, entered: Frame | None) -> bool:
    """True for False, and for an option that is False as the constructor is called, or by default."""
    if isinstance(term, Argument) and entered is not None and entered.function is frame.function:
        return truth(term, entered) is False
    return isinstance(term, Constant) and term.value is False


def _adds_layer(moment: Moment) -> bool:
    event = moment.event
    if not isinstance(event, Write) or not moment.frame.is_self(event.base):
        return False
    return moment.frame.value(event.value).kind in (Kind.MODULE, Kind.PARAMETER)
