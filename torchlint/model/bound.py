"""Callables that carry something with them: closures and partials."""

from __future__ import annotations

from torchlint.model.facts import Function
from torchlint.model.frames import Frame
from torchlint.model.terms import Call


class BoundPartial:
    """A functools.partial: the call that made it, and the frame that it was made in."""

    def __init__(self, call: Call, frame: Frame) -> None:
        self.call = call
        self.frame = frame

    def applied(self, call: Call) -> Call:
        """The call of what is inside, with the arguments of both."""
        given = {name for name, _ in call.keywords}
        kept = tuple((name, term) for name, term in self.call.keywords if name not in given)
        arguments = (*self.call.arguments[1:], *call.arguments)
        return Call(call.place, self.call.arguments[0], arguments, (*kept, *call.keywords))


class BoundClosure:
    """A lambda or nested function together with the frame it was made in."""

    def __init__(self, function: Function, frame: Frame) -> None:
        self.function = function
        self.frame = frame
