"""train() overrides that switch the parts of a module themselves, and so may leave some of them as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.frames import Frame
from torchlint.model.terms import Argument, Attribute, Call, Constant, Imported, Super

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


def is_left_out(part: str, module: ModuleClass) -> bool:
    """True where the module's own train() passes the mode on neither to all of it nor, by its name, to this part. What
    it passes on under a test may leave the part out, too: that is not known."""
    method = module.method("train")
    if method is None or not method.parameters:
        return False
    frame = module.frame(method)
    return not any(_may_wake(event, part, method, frame) for event in method.events if isinstance(event, Evaluated))


def _may_wake(event: Evaluated, part: str, method: Function, frame: Frame) -> bool:
    call = event.term
    callee = call.callee if isinstance(call, Call) else None
    if not isinstance(call, Call) or not isinstance(callee, Attribute):
        return False
    base = callee.base
    if callee.name != "train":
        # What another method of the object does is not looked into.
        return frame.is_self(base) and frame.view is not None and frame.view.method(callee.name) is not None
    if isinstance(base, (Super, Imported)):
        return True
    if isinstance(base, Attribute) and frame.is_self(base.base):
        return base.name == part
    # Any child of a loop, or one by another name.
    return not event.guards() and _is_plain(call, method)


def _is_plain(call: Call, method: Function) -> bool:
    """True for the mode as it was given, or True."""
    given = call.argument(0, "mode")
    is_mode = isinstance(given, Argument) and given.index == 1
    return given is None or is_mode or (isinstance(given, Constant) and given.value is True)
