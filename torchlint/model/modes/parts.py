"""The children of a module: which of them learn, and which compute otherwise in evaluation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import is_stateless_layer, is_torch_layer
from torchlint.knowledge.module_members import changes_with_mode
from torchlint.model.events import Evaluated, Write
from torchlint.model.facts import Function
from torchlint.model.flow.same_object import behind
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Attribute, Call, Comprehension, Super, Term
from torchlint.model.values import Kind, TensorValue, expressions_of

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

NESTED = 5
_ALL = frozenset("children modules named_children named_modules _modules apply parameters __dict__ __class__".split())


def is_given_module(module: ModuleClass, name: str) -> bool:
    """True for a child of which nothing is known: the caller gives it."""
    value = module.state.value(name)
    is_child = module.state.registration(name) is Registration.MODULE
    return is_child and value.of is None and value.made_by is None


def learns(module: ModuleClass, name: str, depth: int) -> bool:
    """True for a Parameter, and for a child that may have some. depth: how far down the children are looked at."""
    how = module.state.registration(name)
    if how is Registration.PARAMETER:
        return True
    return how is Registration.MODULE and _has_parameters(module.state.value(name), depth - 1)


def _has_parameters(value: TensorValue, depth: int) -> bool:
    """True for a layer of torch that may have some, and for a module of the project that is known to have some."""
    if value.of is None:
        layer = value.made_by or ""
        return is_torch_layer(layer) and not is_stateless_layer(layer)
    return any(learns(value.of, name, depth) for name in value.of.state.names) if depth else False


def is_registered(module: ModuleClass, name: str) -> bool:
    """True for a child; what is not known counts, as eval() was called on it."""
    if not name:
        return True
    kind = module.state.value(name).kind
    # object.__setattr__(self, "teacher", teacher) hides a module from train().
    is_hidden = kind is Kind.MODULE and module.state.registration(name) is None
    is_plain = kind not in (Kind.MODULE, Kind.UNKNOWN)
    return not is_plain and not is_hidden and bool(module.state.writes(name) or name in module.state.registrations)


def depends_on_mode(module: ModuleClass, name: str) -> bool | None:
    """Whether a child computes otherwise in evaluation; None where that is not known."""
    if not name:
        return None
    found = [
        _change_of(event.value, moment.frame)
        for moment in module.state.writes(name)
        if isinstance(event := moment.event, Write)
    ]
    return _any_of(found) if found else None


def _change_of(term: Term, frame: Frame, depth: int = NESTED) -> bool | None:
    term = behind(term)
    if isinstance(term, Comprehension):
        return _change_of(term.parts[-1], frame, depth - 1) if depth else None
    value = frame.value(term)
    layer = value.made_by or ""
    if isinstance(term, Call) and is_torch_layer(layer) and changes_with_mode(layer) is None and depth:
        made = frame.value(term.callee).of
        if isinstance(made, Function):
            inner = frame.evaluator.frame(made, None)
            return _any_of([_change_of(event.value, inner, depth - 1) for event in made.returned])
        return _any_of([_change_of(given, frame, depth - 1) for given in term.arguments]) if term.arguments else None
    return _change_in(value, depth)


def _change_in(value: TensorValue, depth: int) -> bool | None:
    if value.of is not None and value.made_by == "instance" and depth:
        state = value.of.state
        parts = [name for name in state.names if state.registration(name) is Registration.MODULE]
        found = [
            _change_of(m.event.value, m.frame, depth - 1)
            for name in parts
            for m in state.writes(name)
            if isinstance(m.event, Write)
        ]
        return _any_of(found) if found else None
    return changes_with_mode(value.made_by) if value.made_by and is_torch_layer(value.made_by) else None


def _any_of(found: list[bool | None]) -> bool | None:
    return True if True in found else None if None in found else False


def told_of(frame: Frame, depth: int = 3) -> frozenset[str] | None:
    """The attributes of the object that a function, and what it runs on the object, asks for; None where it may ask for
    any: by children(), or by a name that is not known."""
    found: set[str] = set()
    for event in frame.function.events:
        term = event.term if isinstance(event, Evaluated) else None
        names = _asked_for(term, frame)
        entered = frame.view.callees(term, frame) if isinstance(term, Call) and frame.view is not None and depth else ()
        for part in (names, *(told_of(one, depth - 1) for one in entered)):
            if part is None:
                return None
            found |= part
    return frozenset(found)


def _asked_for(term: Term | None, frame: Frame) -> frozenset[str] | None:
    if isinstance(term, Attribute):
        if term.name in _ALL or isinstance(term.base, Super):
            return None
        return frozenset({term.name}) if frame.is_self(term.base) else frozenset()
    if not isinstance(term, Call) or last_name(term) != "getattr" or len(term.arguments) < 2:
        return frozenset()
    if not frame.is_self(term.arguments[0]):
        return frozenset()
    patterns = expressions_of(frame.value(term.arguments[1]))
    state = frame.view.state if frame.view is not None else None
    if not patterns or state is None:
        return None
    names = (*state.names, *state.registrations)
    return frozenset(name for name in names if any(re.fullmatch(one, name) for one in patterns))
