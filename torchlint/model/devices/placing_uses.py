"""What a device or dtype is used for: the tensors that it places, here or in what it is handed to."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Write
from torchlint.model.facts import Function
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import has_self, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Display,
    Imported,
    Operation,
    Starred,
    Term,
    children,
)

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_HELPERS = 3


class Facet(Enum):
    """What is remembered."""

    DEVICE = "device"
    DTYPE = "dtype"


def facet_of_use(module: ModuleClass, term: Term, function: Function, kind: Facet | None) -> Facet | None:
    """As what `term` places a tensor in a function of the class, or in a helper; None where it does not. kind: what it
    is by its own value."""
    return _facet(module, term, function, kind, _MAX_HELPERS)


def _facet(module: ModuleClass, term: Term, function: Function, kind: Facet | None, depth: int) -> Facet | None:
    """As what `term` places a tensor in `function`; None where it does not."""
    for parent in parents_in(function).get(id(term), ()):
        found: Facet | None = None
        if isinstance(parent, Call):
            found = _facet_in_call(module, term, parent, function, kind, depth)
        elif isinstance(parent, Display):
            keys = [
                key.value
                for key, part in zip(parent.keys, parent.parts, strict=False)
                if part is term and isinstance(key, Constant)
            ]
            found = next((facet for facet in Facet if facet.value in keys), None)
        elif isinstance(parent, Choice) or (isinstance(parent, Operation) and parent.operator == "or"):
            found = _facet(module, parent, function, kind, depth)
        if found is not None:
            return found
    return None


def _facet_in_call(
    module: ModuleClass, term: Term, call: Call, function: Function, kind: Facet | None, depth: int
) -> Facet | None:
    callee, name = call.callee, last_name(call.callee)
    if callee is term:
        return None
    target = _entered(module, callee, function) if depth else None
    if target is not None:
        return _facet_in_helper(module, term, call, target, kind, depth)
    if name == "device" and term in call.arguments:
        return _facet(module, call, function, Facet.DEVICE, depth)
    if any(key is None and value is term for key, value in call.keywords):
        return kind if _places(callee) else None
    keyword = next((facet for facet in Facet if call.keyword(facet.value) is term), None)
    if keyword is not None:
        return keyword if _places(callee) else None
    if isinstance(callee, Attribute) and term in call.arguments:
        return {"to": kind, "type": Facet.DTYPE, "cuda": Facet.DEVICE}.get(name)
    return None


def _places(callee: Term) -> bool:
    """True for what makes or moves a tensor: a function of torch, or a method of a tensor or module."""
    if isinstance(callee, Imported):
        return callee.name.startswith("torch.") and not callee.name.startswith(
            ("torch.autocast", "torch.amp", "torch.cuda")
        )
    return isinstance(callee, Attribute) and (callee.name in ("to", "type") or callee.name.startswith("new_"))


def _facet_in_helper(
    module: ModuleClass, term: Term, call: Call, target: Function, kind: Facet | None, depth: int
) -> Facet | None:
    """As what a function of the project uses the parameter that `term` is passed for."""
    names = [key for key, value in call.keywords if value is term and key]
    bound = int(isinstance(call.callee, Attribute) and has_self(target))
    positions = [position + bound for position, value in enumerate(call.arguments) if value is term]
    own = {parameter.name for parameter in target.parameters}
    collected = next((facet for facet in Facet if facet.value in names and facet.value not in own), None)
    for index, parameter in enumerate(target.parameters):
        is_collecting = parameter.kind == "**" and collected is not None
        if is_collecting or parameter.name in names or (index in positions and not parameter.kind):
            for leaf in _arguments(target, index):
                found = _facet(module, leaf, target, collected if is_collecting else kind, depth - 1)
                if found is not None:
                    return found
    return None


def _entered(module: ModuleClass, callee: Term, function: Function) -> Function | None:
    """The function of the project, or the method of the object, that is called."""
    if isinstance(callee, Attribute):
        is_own = isinstance(callee.base, Argument) and callee.base.index == 0 and has_self(function)
        return module.method(callee.name) if is_own else None
    found = module.project.names.of_term(callee, function.path)
    return found if isinstance(found, Function) else None


def _arguments(function: Function, index: int) -> list[Argument]:
    """The terms that stand for a parameter."""
    found: dict[int, Argument] = {}
    for event in function.events:
        parts = children(event.term) if isinstance(event, Evaluated) else ()
        waiting = [*parts, event.value] if isinstance(event, Write) else list(parts)
        while waiting:
            part = waiting.pop()
            if isinstance(part, Argument) and part.index == index:
                found[id(part)] = part
            elif isinstance(part, (Choice, Display, Starred)):
                waiting += children(part)
    return list(found.values())
