"""Functions that a program hands to the transforms of a data set: what they are given is a sample, on the CPU."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of, frames_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import Call, Closure, Display, Global, Imported, Term

# Classes of torchvision and its like that take functions of a sample, and the names under which others take one.
_TAKERS = frozenset("Compose Lambda RandomApply RandomChoice RandomOrder".split())
_NAMED = re.compile(r"(\w+_)?transforms?(_fn)?|collate_fn")
_MAX_FILES = 8


def is_transform(frame: Frame) -> bool:
    """True for a function that is handed to a transform, and that nobody calls."""
    return frame.once("is a transform", lambda: (_find_handed(frame),))[0]


def _find_handed(frame: Frame) -> bool:
    if frame.function.owner is not None and frame.outer is None:
        return False
    function = frame.function.definition
    return any(_hands_on(function, user) for user in _around(frame)) and not any(callers_of(frame))


def _around(frame: Frame) -> Iterator[Frame]:
    """The functions that may hand the frame's function on: the one around it, else those that name it; for a lambda at
    the top of a file all of that file."""
    project, name = frame.evaluator.project, frame.function.name
    if frame.outer is not None:
        yield frame.outer
        yield from frames_in(project, frame.path) if frame.outer.function.name == "<module>" else ()
        return
    others = (file for file in project.files_around(frame.path, name.encode())[:_MAX_FILES] if file != frame.path)
    for path in project.looked_into(frame.path, (frame.path, *others)):
        yield from frames_in(project, path, name)


def _hands_on(function: Function, user: Frame) -> bool:
    given = chain.from_iterable(map(_given_to_transforms, user.function.events))
    return any(_stands_for(term, user, function) for term in given)


def _stands_for(term: Term, user: Frame, function: Function) -> bool:
    if isinstance(term, Closure):
        return _is_nested(term, user.function, function)
    if not isinstance(term, (Global, Imported)):
        return False
    found = user.evaluator.project.names.of_term(term, user.path)
    if isinstance(found, Value):
        return isinstance(found.term, Closure) and _is_nested(found.term, found.top, function)
    return isinstance(found, Function) and (found.path, found.qualname) == (function.path, function.qualname)


def _is_nested(closure: Closure, around: Function, function: Function) -> bool:
    return closure.index < len(around.nested) and around.nested[closure.index].definition is function


def _given_to_transforms(event: Event) -> Iterator[Term]:
    """What an event makes a transform of: Compose([f]), Lambda(f), Data(transform=f), data.transform = f."""
    if isinstance(event, Write) and isinstance(event.attribute, str) and _NAMED.fullmatch(event.attribute):
        yield from _listed(event.value)
    call = event.term if isinstance(event, Evaluated) else None
    if isinstance(call, Call):
        takes_all = last_name(call) in _TAKERS
        named = (term for key, term in call.keywords if takes_all or (key is not None and _NAMED.fullmatch(key)))
        yield from chain.from_iterable(map(_listed, (*(call.arguments if takes_all else ()), *named)))


def _listed(term: Term) -> tuple[Term, ...]:
    return term.parts if isinstance(term, Display) and term.kind in ("list", "tuple") else (term,)
