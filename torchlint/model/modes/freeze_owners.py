"""Owners of a frozen module: modules that register one beside parts that learn, so that their train() wakes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import keeps_modes
from torchlint.model.events import Evaluated, Write
from torchlint.model.flow.callers import constructions
from torchlint.model.frames import Frame
from torchlint.model.modes.parts import NESTED, is_registered, learns
from torchlint.model.modes.pins import is_eval, is_on_object, mode_call
from torchlint.model.terms import Argument, Attribute, Call
from torchlint.model.weights.enumerated import within

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


def has_learning_owner(module: ModuleClass) -> bool:
    """True where some module of the project registers an object of the class, made there or given to its constructor,
    has parts to train beside it, and does not put it to sleep in a train() of its own."""
    for call, frame in constructions(module):
        for owner, name in _owners(call, frame):
            if is_registered(owner, name) and _has_others(owner, name) and not _keeps(owner):
                return True
    return False


def _owners(call: Call, frame: Frame) -> Iterator[tuple[ModuleClass, str]]:
    """The modules that keep what a call makes, each with the attribute: the one around, and those that are given it."""
    for event in frame.function.events:
        if isinstance(event, Write) and frame.view is not None and frame.is_self(event.base):
            if event.value is call and isinstance(event.attribute, str) and frame.view.is_module:
                yield frame.view, event.attribute
        elif isinstance(event, Evaluated) and isinstance(event.term, Call) and event.term is not call:
            yield from _given_to(event.term, call, frame)


def _given_to(taker: Call, call: Call, frame: Frame) -> Iterator[tuple[ModuleClass, str]]:
    """The module that a constructor is given it for."""
    if isinstance(taker.callee, Attribute) or not any(call in within(given, 60) for given in taker.inputs):
        return
    owner = frame.value(taker.callee).of
    init = owner.method("__init__") if owner is not None and getattr(owner, "is_module", False) else None
    if owner is None or init is None:
        return
    for event in init.events:
        value = event.value if isinstance(event, Write) and isinstance(event.attribute, str) else None
        if isinstance(value, Argument) and isinstance(event, Write) and isinstance(event.attribute, str):
            given = taker.argument(value.index - 1, value.name) if value.index else None
            if given is not None and call in within(given, 60):
                yield owner, event.attribute


def _has_others(owner: ModuleClass, name: str) -> bool:
    return any(learns(owner, one, NESTED) for one in (*owner.state.registrations, *owner.state.names) if one != name)


def _keeps(owner: ModuleClass) -> bool:
    """True where the owner's train() puts a part to sleep, and where its trainer leaves modes as they are."""
    train = owner.method("train")
    frame = owner.frame(train) if train is not None else None
    calls = [call for event in train.events if (call := mode_call(event)) is not None] if train is not None else []
    is_kept = frame is not None and any(is_eval(call) and not is_on_object(call, frame) for call in calls)
    return is_kept or any(keeps_modes(base) for base in owner.foreign_bases)
