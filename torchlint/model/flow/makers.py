"""What made an object: the calls whose results a term may stand for, through locals, attributes and other files."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Write
from torchlint.model.flow.same_object import RETURNS_SELF
from torchlint.model.frames import Frame
from torchlint.model.names.names import Value
from torchlint.model.terms import Argument, Attribute, Call, Captured, Choice, Global, Imported, Operation, Term

_DEPTH = 6


def makers(term: Term, frame: Frame, depth: int = _DEPTH) -> Iterator[tuple[Call, Frame]]:
    """The calls that a term may be the result of, each with the frame that it stands in.

    model.half().cuda() is what made the model. Nothing is yielded for a parameter: its callers are not asked.
    """
    if depth == 0:
        return
    if isinstance(term, Call):
        callee = term.callee
        if isinstance(callee, Attribute) and callee.name in RETURNS_SELF:
            yield from makers(callee.base, frame, depth)
        else:
            yield term, frame
    elif isinstance(term, (Choice, Operation)):
        options = term.options if isinstance(term, Choice) else term.parts if term.operator in ("and", "or") else ()
        for option in options:
            yield from makers(option, frame, depth - 1)
    else:
        yield from _stored(term, frame, depth)


def _stored(term: Term, frame: Frame, depth: int) -> Iterator[tuple[Call, Frame]]:
    """The same for what was put somewhere before: a captured variable, an attribute of the object, a global name."""
    if isinstance(term, Captured):
        if frame.outer is not None:
            yield from makers(term.value, frame.outer, depth - 1)
    elif isinstance(term, Attribute):
        if term.known is not None:
            yield from makers(term.known, frame, depth - 1)
        elif frame.view is not None and frame.is_self(term.base):
            for moment in frame.view.state.writes(term.name):
                if isinstance(moment.event, Write):
                    yield from makers(moment.event.value, moment.frame, depth - 1)
    elif isinstance(term, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(term, frame.path)
        if isinstance(found, Value):
            yield from makers(found.term, frame.evaluator.frame(found.top, None), depth - 1)
    elif isinstance(term, Argument) and term.index < len(frame.function.parameters) and not frame.is_self(term):
        default = frame.function.parameters[term.index].default
        if default is not None:
            yield from makers(default, frame, depth - 1)
