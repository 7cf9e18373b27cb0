"""Calls that change the mode: super().train(mode), self.eval(), and those of the children of a module."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Argument, Attribute, Call, Constant, Global, Imported, Super, Term, children

SWITCHES = ("train", "eval")
_MEMBERS = frozenset("children modules named_children named_modules _modules".split())
_DEPTH = 12


def calls_of(moments: tuple[Moment, ...], function: Function) -> Iterator[Call]:
    """The calls of a function, and of what it enters on its object."""
    entered = {id(one): one for one in (function, *(moment.frame.function for moment in moments))}
    for one in entered.values():
        for event in one.events:
            if isinstance(event, Evaluated) and isinstance(event.term, Call):
                yield event.term


def up_call(moment: Moment) -> Call | None:
    """The call that an event is, where it passes the mode up."""
    term = moment.event.term if isinstance(moment.event, Evaluated) else None
    return term if isinstance(term, Call) and is_passed_up(term, moment.frame) else None


def constants(call: Call, moment: Moment) -> list[bool | None]:
    """What a switch is given, but for the object itself; None for what is no constant."""
    given = [term for term in call.inputs if not moment.frame.is_self(term)]
    return [bool(term.value) if isinstance(term, Constant) else None for term in given]


def is_passed_up(call: Call, frame: Frame) -> bool:
    """True for super().train(..), nn.Module.train(self, ..), self.eval()."""
    callee = call.callee
    if last_name(callee) not in SWITCHES:
        return False
    if isinstance(callee, Attribute) and (isinstance(callee.base, Super) or frame.is_self(callee.base)):
        return True
    is_of_class = isinstance(callee, Imported) or (isinstance(callee, Attribute) and isinstance(callee.base, Global))
    return is_of_class and bool(call.inputs) and frame.is_self(call.inputs[0])


def is_member(call: Call, frame: Frame) -> bool:
    """True for child.train(..) where the child is one of self.children()."""
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    return base is not None and _is_among_members(base, frame, _DEPTH)


def _is_among_members(term: Term, frame: Frame, depth: int) -> bool:
    if isinstance(term, Attribute) and term.name in _MEMBERS and frame.is_self(term.base):
        return True
    if depth == 0 or isinstance(term, Constant):
        return False
    return any(_is_among_members(part, frame, depth - 1) for part in children(term))


def mentions_argument(term: Term, index: int, depth: int = _DEPTH) -> bool:
    if isinstance(term, Argument):
        return term.index == index
    return depth > 0 and any(mentions_argument(part, index, depth - 1) for part in children(term))
