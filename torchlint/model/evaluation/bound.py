"""Callables that carry something with them: closures and partials."""

from __future__ import annotations

from torchlint.model.facts import Function
from torchlint.model.frames import Frame
from torchlint.model.terms import Call, Constant, Global, Imported


class BoundPartial:
    """A functools.partial: the call that made it, and the frame that it was made in."""

    def __init__(self, call: Call, frame: Frame) -> None:
        self.call = call
        self.frame = frame
        self._applied: dict[int, tuple[Call, Call]] = {}

    def applied(self, call: Call) -> Call:
        """The call of what is inside, with the arguments of both; one for each call."""
        if id(call) not in self._applied:
            self._applied[id(call)] = (call, self._joined(call))
        return self._applied[id(call)][1]

    def speaks_in(self, frame: Frame) -> bool:
        """True where what the partial holds means the same in `frame`: it was made there, or holds only constants and
        names of the file."""
        held = (*self.call.arguments, *(term for _, term in self.call.keywords))
        is_fixed = all(isinstance(term, (Constant, Global, Imported)) for term in held)
        return self.frame is frame or (is_fixed and self.frame.path == frame.path)

    def _joined(self, call: Call) -> Call:
        given = {name for name, _ in call.keywords}
        kept = tuple((name, term) for name, term in self.call.keywords if name not in given)
        arguments = (*self.call.arguments[1:], *call.arguments)
        return Call(call.place, self.call.arguments[0], arguments, (*kept, *call.keywords))


class BoundClosure:
    """A lambda or nested function together with the frame it was made in."""

    def __init__(self, function: Function, frame: Frame) -> None:
        self.function = function
        self.frame = frame


def applied(call: Call, frame: Frame) -> Call:
    """The call that a call of a partial makes, of what is inside it; any other call as it is."""
    target = frame.value(call.callee).of
    return target.applied(call) if isinstance(target, BoundPartial) and target.speaks_in(frame) else call
