"""Objects that are called: which calls may run the __call__() of a class. rater(batch) names no method, so that what is
called must tell: it is known to be such an object, or nothing is known of it but its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.frames import Frame
from torchlint.model.names.objects_named import CALL, objects_behind
from torchlint.model.terms import Argument, Attribute, Choice, Global, Operation, Super, Term
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# What any network is called, of whatever class.
_ANY_NETWORK = frozenset("model net network module".split())
_MAX_OPTIONS = 8


def is_called_as_object(frame: Frame) -> bool:
    """True for the __call__() of a class: no call says its name."""
    return frame.function.name == CALL and frame.view is not None and frame.function.owner is not None


def names_of_objects(frame: Frame) -> tuple[str, ...]:
    """The names of the classes whose objects run the method, then those that such objects may have: Rater, rater."""
    names = [one.name for one in _classes_running(frame)]
    return tuple(dict.fromkeys((*names, *(_plain(name) for name in names if _plain(name) not in _ANY_NETWORK))))


def is_object_of(callee: Term, caller: Frame, called: Frame) -> bool:
    """True for what is known to be an object, or may be the object, whose __call__() is the method."""
    method = called.function.definition
    return any(_call_of(value.of) is method for part in _options(callee) for value in objects_behind(part, caller))


def may_be_object_of(callee: Term, caller: Frame, called: Frame) -> bool:
    """True for what nothing is known of but its name, which is what an object of the class would be called."""
    name = _written(callee, caller)
    value = caller.value(callee)
    if not name or value.kind is not Kind.UNKNOWN or value.of is not None:
        return False
    plain = [word for word in names_of_objects(called) if word == word.lower()]
    return any(_fits(name, word) for word in plain)


def _classes_running(frame: Frame) -> Iterator[ModuleClass]:
    """The class that the method is looked at from, and those beside it that inherit the method."""
    if frame.view is None:
        return
    yield frame.view
    for one in frame.evaluator.project.classes_in(frame.view.path):
        if one is not frame.view and frame.view in one.ancestors and one.method(CALL) is frame.function.definition:
            yield one


def _call_of(view: object) -> object:
    from torchlint.model.classes import ModuleClass

    return view.method(CALL) if isinstance(view, ModuleClass) else None


def _options(term: Term) -> list[Term]:
    """The terms that one of several stands for, where branches meet."""
    waiting, found = [term], list[Term]()
    while waiting and len(found) < _MAX_OPTIONS:
        one = waiting.pop()
        if isinstance(one, Choice):
            waiting += one.options
        elif isinstance(one, Operation) and one.operator in ("or", "and"):
            waiting += one.parts
        else:
            found.append(one)
    return found


def _written(callee: Term, caller: Frame) -> str:
    """The name of a parameter, an attribute or a value of the file that is called; "" for the method of an object."""
    if isinstance(callee, Argument):
        parameters = caller.function.parameters
        return parameters[callee.index].name if callee.index < len(parameters) else ""
    if isinstance(callee, Attribute):
        return "" if isinstance(callee.base, Super) else callee.name
    return callee.name if isinstance(callee, Global) else ""


def _plain(name: str) -> str:
    """TextRater as an object of the class is called: text_rater."""
    return _WORDS.sub("_", name).strip("_").lower()


def _fits(name: str, plain: str) -> bool:
    """True for text_rater, self._rater and first_text_rater beside class TextRater."""
    name = name.strip("_").lower()
    return name == plain or name.endswith(f"_{plain}") or (name not in _ANY_NETWORK and plain.endswith(f"_{name}"))
