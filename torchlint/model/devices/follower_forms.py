"""Forms in which a value or a network stands: as a pair of a loop, below methods that return it, as a loss."""

from __future__ import annotations

from torchlint.knowledge.lookup import is_metadata
from torchlint.knowledge.numbers import NUMBERS_OF_LAYERS, SETTINGS
from torchlint.model.devices.placements import is_device
from torchlint.model.facts import Function
from torchlint.model.flow.same_object import behind
from torchlint.model.flow.uses import Parent, parents_in
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Closure,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Super,
    Term,
)

_LEAVES_TORCH = frozenset("numpy tolist item cpu".split())
_STAYS = frozenset(
    """
    unsqueeze squeeze view reshape expand flatten unflatten transpose permute repeat contiguous clone detach
    float double half long int bool
    """.split()
)
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


def behind_views(term: Term) -> Term:
    """What lies where a term does: mask behind mask.unsqueeze(-1) and mask[:, None].float()."""
    while True:
        if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _STAYS:
            term = term.callee.base
        elif isinstance(term, Subscript) and isinstance(term.index, (Display, Operation)):
            term = term.base
        else:
            return term


def goes_to_cpu(term: Term) -> bool:
    """True for x.cpu(), x.numpy() and x.item(), and for x.type(torch.LongTensor): a type of tensors without `cuda` in
    its name is one of the CPU."""
    if not isinstance(term, Call):
        return False
    if last_name(term) != "type":
        return last_name(term) in _LEAVES_TORCH
    target = term.arguments[0] if term.arguments else None
    is_type = isinstance(target, Imported) and target.name.startswith("torch.") and target.name.endswith("Tensor")
    return is_type and ".cuda." not in target.name  # type: ignore[union-attr]


def is_called_dtype(term: Term) -> bool:
    """True for a parameter or an attribute of that name: self.dtype, weight_dtype."""
    while isinstance(term, Captured):
        term = term.value
    return isinstance(term, (Argument, Attribute)) and term.name.endswith("dtype")


def is_only_tested(term: Term, function: Function) -> bool:
    """True for the condition of an `if` or `while` that nothing else is made of: as a truth it has one element."""
    parents = parents_in(function).get(id(term), ())
    joined = all(isinstance(one, Operation) and one.operator in ("not", "and", "or") for one in parents)
    return joined and (bool(parents) or id(term) in _conditions(function))


def _conditions(function: Function) -> frozenset[int]:
    """The conditions of a function, by identity; worked out once."""
    known: frozenset[int] | None = function.derived.get("conditions")
    if known is None:
        guards = (id(guard.subject) for event in function.events for guard in event.guards())
        known = function.derived["conditions"] = frozenset(guards)
    return known


def before_a_loop(term: Term) -> Display | None:
    """The list as it is written out, where a loop appends to it and a part of it may be taken; None for any other."""
    if isinstance(term, Subscript) and isinstance(term.index, Operation) and term.index.operator == "slice":
        return before_a_loop(term.base) or (term.base if isinstance(term.base, Display) else None)
    if not isinstance(term, Choice):
        return None
    written = [option for option in term.options if isinstance(option, Display)]
    is_grown = sum(map(is_filled, term.options)) == len(term.options) - 1
    return written[0] if len(written) == 1 and is_grown else None


def layer_called(callee: Term, frame: Frame) -> Term:
    """The layer of layer.forward(x): that runs it like a call of the layer."""
    if not isinstance(callee, Attribute) or callee.name != "forward" or isinstance(callee.base, Super):
        return callee
    return callee if frame.is_self(callee.base) or is_object(callee.base, frame) else callee.base


def taken_apart(function: Function) -> frozenset[int]:
    """The parameters of which a function moves single items, batch["image"].cuda(): nobody has moved the whole before;
    worked out once."""
    known: frozenset[int] | None = function.derived.get("taken apart")
    if known is None:
        callees = (call.callee for call in function.calls if _moves(call))
        whole = (_whole(callee.base) for callee in callees if isinstance(callee, Attribute))
        known = frozenset(term.index for term in whole if isinstance(term, Argument))
        function.derived["taken apart"] = known
    return known


def _moves(call: Call) -> bool:
    if not isinstance(call.callee, Attribute) or call.callee.name not in ("cuda", "to"):
        return False
    given = call.keyword("device") or (call.arguments[0] if call.arguments else None)
    return call.callee.name == "cuda" or (given is not None and is_device(given))


def _whole(item: Term) -> Term | None:
    """The dict of batch["image"] and of batch["image"][:, 0]; None for anything else."""
    while isinstance(item, Subscript):
        if isinstance(item.index, Constant) and isinstance(item.index.value, str):
            return item.base
        item = item.base
    return None


def is_number(attribute: str) -> bool:
    """True for the sizes of a tensor and of a layer, and for the configuration of a network."""
    return attribute in NUMBERS_OF_LAYERS or attribute in SETTINGS or is_metadata(attribute)


def is_object(term: Term, frame: Frame) -> bool:
    """True for the first parameter of a method: the object, whoever is thought to have called it."""
    return isinstance(term, Argument) and term.index == 0 and has_self(frame.function)


def may_be_number(index: Term) -> bool:
    """True for x[0] and x[i], which may be one number of a vector: torch takes it as an index on any device."""
    return isinstance(index, Subscript) and isinstance(index.index, (Constant, Element))
