"""Forms in which a value or a network stands: as a pair of a loop, below methods that return it, as a loss."""

from __future__ import annotations

from torchlint.model.flow.same_object import behind
from torchlint.model.flow.uses import Parent
from torchlint.model.frames import last_name
from torchlint.model.terms import Attribute, Call, Closure, Element, Global, Item, Operation, Term

_STEPS = frozenset("backward manual_backward train_step scale".split())


def itself(network: Term) -> Term:
    """The network of network.to(device) and network.eval(), which return it."""
    return behind(network)


def paired(term: Item | Element) -> Term | None:
    """What zip() and enumerate() take the values of a loop variable from; None for any other, and for the number."""
    if not isinstance(term, Item):
        return None
    call = term.base.iterable if isinstance(term.base, Element) else None
    if not isinstance(call, Call) or not isinstance(call.callee, Global):
        return None
    if call.callee.name == "enumerate":
        return call.arguments[0] if term.index == 1 and call.arguments else None
    return call.arguments[term.index] if call.callee.name == "zip" and term.index < len(call.arguments) else None


def is_filled(term: Term) -> bool:
    """True for a list that append() or extend() fills."""
    return isinstance(term, Operation) and term.operator in ("grown", "extended")


def keeps_place(parent: Parent, network: Term) -> bool:
    """True for the call of a network itself, for its attributes, for what prints it and for a function that uses it."""
    if isinstance(parent, Call):
        return parent.callee is network or (isinstance(parent.callee, Global) and parent.callee.name == "print")
    return isinstance(parent, (Attribute, Closure))


def differentiates(loss: Term, parent: Parent) -> bool:
    """True for loss.backward() and scaler.scale(loss): the loss of a training step."""
    if isinstance(parent, Attribute):
        return parent.name == "backward"
    return isinstance(parent, Call) and last_name(parent) in _STEPS and any(term is loss for term in parent.inputs)
