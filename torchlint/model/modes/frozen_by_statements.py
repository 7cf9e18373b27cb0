"""Networks that a statement freezes: model.requires_grad_(False), a loop over its parameters, a helper that does so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.flow.same_object import Key, bases_of, keys_of
from torchlint.model.frames import Frame, Moment, has_self
from torchlint.model.terms import Attribute, Call, Constant, Term
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import enumeration, module_of


def is_frozen_before(term: Term, frame: Frame, until: Event) -> bool:
    """True where all parameters of a network are frozen when an event of the function happens: by what stands before
    it, or for an attribute of the object by its construction, and nothing switches gradients on again."""
    around = {id(region) for region in until.guards()}
    keys, before = keys_of(term, frame), []
    for event in frame.function.events:
        if event is until:
            break
        before.append(Moment(event, frame))
    if _is_frozen_by(before, keys, around):
        return True
    view = frame.view
    if view is None or not isinstance(term, Attribute) or not frame.is_self(term.base):
        return False
    return _is_frozen_by((*view.construction, *before), keys, around)


def _is_frozen_by(moments: Iterable[Moment], keys: frozenset[Key], around: set[int]) -> bool:
    is_off = False
    for moment in moments:
        event, frame = moment.event, moment.frame
        for module, freezes in _switches(event, frame):
            named = keys_of(module, frame)
            if not freezes:
                is_off = is_off and not _is_of(named, keys)
            elif named & keys and all(id(region) in around for region, _ in moment.guards()):
                is_off = True
        if is_off and isinstance(event, (Write, ItemWrite)) and _is_of(keys_of(event.base, frame), keys):
            # A new layer, as the head on a frozen backbone, is not frozen.
            is_off = frame.value(event.value).kind not in (Kind.MODULE, Kind.PARAMETER)
    return is_off


def _is_of(named: frozenset[Key], keys: frozenset[Key]) -> bool:
    return bool(named & keys) or any(base in keys for key in named for base in bases_of(key))


def _switches(event: Event, frame: Frame) -> Iterator[tuple[Term, bool]]:
    """The modules whose gradients an event switches, each with whether it switches those of all parameters off."""
    if isinstance(event, Write) and event.attribute == "requires_grad":
        yield from ((module, _is_false(event.value)) for module in _enumerated(event.base))
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call):
        return
    if isinstance(call.callee, Attribute) and call.callee.name == "requires_grad_":
        given = call.argument(0, "requires_grad")
        modules = _enumerated(call.callee.base) or [call.callee.base]
        yield from ((module, given is not None and _is_false(given)) for module in modules)
        return
    helper = frame.value(call.callee).of
    if isinstance(helper, Function) and helper is not frame.function.definition:
        offset = 1 if has_self(helper) and isinstance(call.callee, Attribute) else 0
        inner = frame.evaluator.frame(helper, None)
        given_at = enumerate(call.arguments, offset)
        yield from ((term, True) for index, term in given_at if _freezes_parameter(index, inner))


def _freezes_parameter(index: int, frame: Frame) -> bool:
    """True for a function that freezes the network that it is given at a position."""
    key: Key = ("argument", id(frame.function), index)
    own = (event for event in frame.function.events if not isinstance(event, Evaluated) or _is_switch(event))
    return _is_frozen_by((Moment(event, frame) for event in own), frozenset({key}), set())


def _is_switch(event: Evaluated) -> bool:
    call = event.term
    return isinstance(call, Call) and isinstance(call.callee, Attribute) and call.callee.name == "requires_grad_"


def _enumerated(term: Term) -> list[Term]:
    """The module that a tensor is one of the parameters of."""
    source = enumeration(term)
    module = module_of(source) if source is not None else None
    return [] if module is None else [module]


def _is_false(term: Term) -> bool:
    return isinstance(term, Constant) and term.value is False
