"""Names that come with dots: what named_parameters() and its like call things, one by one or listed by a helper."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.opened import helper_of, opened
from torchlint.model.flow.signatures import receiver_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Comprehension,
    Constant,
    Element,
    Global,
    Item,
    Operation,
    Term,
    children,
)
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import within

# What gives names with dots where a module has children.
_DOTTED = frozenset("named_parameters named_buffers named_modules state_dict".split())
_SAME_ELEMENTS = frozenset("list tuple sorted reversed set iter".split())
_OF_KEYS = frozenset(("torch.nn.ModuleDict", "torch.nn.ParameterDict", "torch.nn.Sequential"))


def is_of_named_state(term: Term, frame: Frame, depth: int = 6) -> bool:
    """True for a name that named_parameters() or its like gives, as it is or inside an f-string."""
    if isinstance(term, Item) and term.index == 0 and isinstance(term.base, Element):
        return _gives_dotted(term.base.iterable, frame)
    if depth and isinstance(term, Element):
        is_of_list = _is_of_list(opened(term.iterable, frame), frame, depth - 1)
        return is_of_list and not any(map(_chooses_by_dots, _collecting(term.iterable, frame)))
    if depth > 1 and isinstance(term, Argument):
        return any(is_of_named_state(given, caller, depth - 2) for given, caller in _given_for(term, frame))
    if depth and getattr(term, "operator", "") in ("f-string", "+"):
        return any(is_of_named_state(part, frame, depth - 1) for part in term.parts)  # type: ignore[attr-defined]
    return False


def _given_for(term: Argument, frame: Frame) -> Iterator[tuple[Term, Frame]]:
    """What the callers of a method pass for a parameter, where no test of theirs looks for dots."""
    if frame.is_self(term) or frame.outer is not None:
        return
    for moment in callers_of(frame):
        call = moment.event.term if isinstance(moment.event, Evaluated) else None
        if not isinstance(call, Call):
            continue
        given = call.argument(term.index - int(receiver_of(call, frame.function) is not None), term.name)
        if given is not None and not _chooses_by_dots(moment.frame.function):
            yield given, moment.frame


def _is_of_list(term: Term, frame: Frame, depth: int) -> bool:
    """True for a list of such names: [name for name, _ in net.named_modules()], and what a helper collects of them."""
    while isinstance(term, Call) and isinstance(term.callee, Global) and term.callee.name in _SAME_ELEMENTS:
        if not term.arguments:
            return False
        term = term.arguments[0]
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "keys":
        base = term.callee.base
        return isinstance(base, Call) and last_name(base) == "state_dict"
    return isinstance(term, Comprehension) and depth > 0 and is_of_named_state(term.parts[0], frame, depth)


def _collecting(term: Term, frame: Frame) -> Iterator[Function]:
    """The function that a list of names is made in: the one looked at, and the helper that is called."""
    yield frame.function
    for call in (part for part in within(term, 20) if isinstance(part, Call)):
        helper = helper_of(call, frame)
        if helper is not None:
            yield helper


def _chooses_by_dots(function: Function) -> bool:
    """True where a function looks for a dot: `if "." not in name`, in a comprehension too, name.count(".")."""
    tests = (event.term for event in function.events if isinstance(event, Evaluated))
    return any(isinstance(test, (Operation, Call)) and any(map(_is_dot, children(test))) for test in tests)


def _is_dot(term: Term) -> bool:
    return isinstance(term, Constant) and term.value == "."


def _gives_dotted(term: Term, frame: Frame) -> bool:
    if not isinstance(term, Call) or not isinstance(term.callee, Attribute):
        return False
    base = term.callee.base
    if term.callee.name == "items" and isinstance(base, Call):
        return last_name(base) == "state_dict"
    is_shallow = term.keyword("recurse") is not None or len(term.arguments) > 1
    layer = frame.value(base)
    is_leaf = layer.kind is Kind.MODULE and layer.made_by not in (None, "self", "instance", "annotation", *_OF_KEYS)
    return term.callee.name in _DOTTED - {"state_dict"} and not is_shallow and not is_leaf
