"""Sleepers: parts whose class keeps itself in evaluation mode, whatever train() of the whole says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Write
from torchlint.model.frames import Frame, last_name
from torchlint.model.modes.pins import MODES, Pin, is_eval, mode_call, receiver_of
from torchlint.model.terms import Attribute, Call, Choice, Constant, Super, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_DEPTH = 5


def stays_asleep(pin: Pin, module: ModuleClass) -> bool:
    """True where all that is put into evaluation mode is known to be of classes that stay there."""
    is_call = isinstance(pin.call.callee, Attribute) and pin.call.callee.name in MODES
    receiver = receiver_of(pin.call) if is_call else None
    own = [] if receiver is None else list(_classes_of(receiver, pin.frame, _DEPTH))
    found = own if own and None not in own else list(_classes_written(pin.name, module))
    return bool(found) and all(one is not None and keeps_asleep(one) for one in found)


def keeps_asleep(view: ModuleClass) -> bool:
    """True for a class of the project whose train() never passes the mode on, or ends in evaluation mode."""
    method = view.method("train")
    if method is None:
        return False
    calls = [call for event in method.events if (call := mode_call(event)) is not None]
    if any(is_eval(call) for call in calls):
        return True
    passed = [call for call in method.calls if isinstance(call.callee, Attribute) and last_name(call) in MODES]
    return not any(_wakes(call) for call in passed)


def _wakes(call: Call) -> bool:
    """True for a call of train() that may set training mode: of super(), or nn.Module.train(self, mode)."""
    assert isinstance(call.callee, Attribute)
    given = call.arguments[-1] if call.arguments else call.keyword("mode")
    is_off = isinstance(given, Constant) and given.value is False
    return call.callee.name == "train" and not is_off


def _classes_of(term: Term, frame: Frame, depth: int) -> Iterator[ModuleClass | None]:
    """The classes that an object may be of; None for what is not known."""
    if isinstance(term, Choice) and depth:
        for option in term.options:
            yield from _classes_of(option, frame, depth - 1)
    elif isinstance(term, Attribute) and term.known is not None and depth:
        yield from _classes_of(term.known, frame, depth - 1)
    else:
        view = frame.value(term).of
        is_class = hasattr(view, "ancestors") and not isinstance(term, Attribute)
        yield view if is_class else _nested_class(term, frame)


def _nested_class(term: Term, frame: Frame) -> ModuleClass | None:
    """The class in the body of the object's own class that self.Part(..) makes an object of."""
    callee = term.callee if isinstance(term, Call) else None
    if frame.view is None or not isinstance(callee, Attribute) or not frame.is_self(callee.base):
        return None
    for one in frame.view.ancestors:
        found = frame.view.project.view_of(one.path, f"{one.qualname}.{callee.name}")
        if found is not None:
            return found
    return None


def _classes_written(name: str, module: ModuleClass) -> Iterator[ModuleClass | None]:
    for moment in module.state.writes(name) if name else ():
        if isinstance(moment.event, Write):
            yield from _classes_of(_below(moment.event.value), moment.frame, _DEPTH)


def _below(term: Term) -> Term:
    """The object that `Part().eval()` is."""
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and not isinstance(term.callee.base, Super):
        if term.callee.name not in (*MODES, "requires_grad_", "to"):
            break
        term = term.callee.base
    return term
