"""Decorated methods: the function that a decorator of the project puts in the place of a method of a class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.facts import Function
from torchlint.model.frames import Frame
from torchlint.model.terms import Call, Global, Imported, Term
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_DEPTH = 1


@dataclass(frozen=True, slots=True)
class Wrapper:
    """What a call of `method` runs. frame: the inner function of the decorator, with the object as its first argument;
    what the decorator was given is bound around it."""

    method: Function
    frame: Frame


def wrappers(view: ModuleClass) -> Iterator[Wrapper]:
    """The wrappers of the methods of a class, where one decorator of the project, and no other, wraps a method."""
    for method in view.methods:
        made = [term for term in method.decorators if _may_wrap(term)]
        frame = _frame_made(view, method, made[0]) if len(made) == 1 else None
        if frame is not None:
            yield Wrapper(method, frame)


def _may_wrap(term: Term) -> bool:
    """False for what torch and the standard library decorate with, and for the setter of a property."""
    callee = term.callee if isinstance(term, Call) else term
    if isinstance(callee, Imported):
        return callee.name.partition(".")[0] not in ("torch", "functools", "abc", "typing", "contextlib", "warnings")
    return isinstance(callee, Global) and callee.name not in ("property", "staticmethod", "classmethod")


def _frame_made(view: ModuleClass, method: Function, decorator: Term) -> Frame | None:
    """The frame of the inner function that `decorator`, as it is or called, makes of a method."""
    evaluator = view.project.evaluator
    callee = decorator.callee if isinstance(decorator, Call) else decorator
    outermost = view.project.names.of_term(callee, method.path)
    if not isinstance(outermost, Function):
        return None
    top = evaluator.frame(view.project.top_of(method), None)
    given = {0: TensorValue(Kind.CALLABLE, of=method)}
    if isinstance(decorator, Call):
        made = _inner(evaluator.bound_frame(outermost, None, decorator, top, receiver=None))
        made = Frame(evaluator, made.function, None, given, made.outer, _DEPTH) if made is not None else None
    else:
        made = Frame(evaluator, outermost, None, given, depth=_DEPTH)
    inner = _inner(made) if made is not None else None
    if inner is None or not inner.function.parameters or inner.function.parameters[0].kind:
        return None
    itself = {0: TensorValue(Kind.MODULE, made_by="self", of=view)}
    return Frame(evaluator, inner.function, view, itself, inner.outer, _DEPTH)


def _inner(frame: Frame) -> Frame | None:
    """The nested function that a function returns, in the frame of the one around it."""
    value = frame.evaluator.returned(frame)
    made = value.of if isinstance(value.of, BoundClosure) and value.of.frame is frame else None
    return Frame(frame.evaluator, made.function, None, {}, frame) if made is not None else None
