"""Dicts that are called like a state. One called weights holds as often parameters alone, which are floats: what
callers give for it says what it is, or that the result is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchlint.model.evaluation.module_calls import STATE_VALUES
from torchlint.model.events import Return, Write
from torchlint.model.flow.callers import callers_of, calling
from torchlint.model.flow.opened import opened
from torchlint.model.flow.origins import returning
from torchlint.model.flow.passed import arguments_of
from torchlint.model.flow.puts import put_into
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Argument, Call, Display, Element, Subscript, Term, children
from torchlint.model.weights.enumerated import held_in, within
from torchlint.model.weights.whole_batches import name_of

_IS_ONE = re.compile(r"(\w+_)?(state(_?dict)?|sd|ckpt|checkpoint|model_dict)s?(_?\w{1,6})?")
_LOADS = re.compile(r"load_state_dict|save|(set|load|update|assign|sync)_\w*(weight|param|state|model|dict)\w*")
_COPIES = frozenset("dict OrderedDict copy deepcopy list tuple".split())
_PARAMETERS = frozenset("parameters named_parameters".split())


def is_a_state(container: Term, frame: Frame) -> bool:
    """False for a dict that is called like a state where nothing says that it is one: a function is given it, and every
    caller gives parameters; its name may mean these too, and no caller gives a state or loads what it gets, or it comes
    from a call, and neither is seen here."""
    held_by = _holder(container)
    if not isinstance(held_by, (Argument, Call)) or frame.is_self(held_by):
        return True
    is_named = _IS_ONE.fullmatch(name_of(container)) is not None
    if isinstance(held_by, Call):
        return is_named or _is_state_here(held_by, frame)
    passed = list(_passed(held_by, frame))
    if not passed:
        return is_named or bool(frame.evaluator.project.files_around(frame.path, b"state_dict"))
    if all(_holds_parameters(term, moment.frame) for moment, term in passed):
        return False
    if is_named or _loads(frame):
        return True
    return any(_is_state_of(term, moment.frame) or _is_loaded(term, moment) for moment, term in passed)


def _is_state_here(call: Call, frame: Frame) -> bool:
    """True for a call that gives a state, and for what a function takes from one and loads. A helper that is written
    out is judged where it stands."""
    if _is_state_of(call, frame):
        return True
    is_judged_here = frame.function.written_from is None
    return is_judged_here and bool(
        _loads(frame) or any(calling(frame.evaluator.project, frame.path, "load_state_dict"))
    )


def _holder(container: Term) -> Term:
    """What holds the container, alone or among others, and is no copy."""
    while True:
        if isinstance(container, Call) and last_name(container) in _COPIES and container.arguments:
            container = container.arguments[0]
        elif isinstance(container, Display) and container.keys == (None,):
            container = container.parts[0]
        elif isinstance(container, Subscript):
            container = container.base
        elif isinstance(container, Element):
            container = container.iterable
        else:
            return container


def _passed(argument: Argument, frame: Frame) -> Iterator[tuple[Moment, Term]]:
    for moment in callers_of(frame):
        yield from ((moment, term) for index, term in arguments_of(moment, frame) if index == argument.index)


def _holds_parameters(term: Term, frame: Frame) -> bool:
    """True for dict(model.named_parameters()), and for what a helper makes of them."""
    source = held_in(opened(term, frame))
    return source is not None and last_name(source) in _PARAMETERS


def _is_state_of(term: Term, frame: Frame) -> bool:
    """True where a state_dict() or a file that was loaded is in what a term stands for, in what was put into it, or in
    the helper that gives it."""
    terms = (term, opened(term, frame), *put_into(term, frame.function))
    return any(_takes_a_state(part, frame) for one in terms for part in within(one))


def _takes_a_state(term: Term, frame: Frame) -> bool:
    if last_name(term) == "state_dict" or frame.value(term).made_by in STATE_VALUES:
        return True
    inner = returning(term, frame) if isinstance(term, Call) else None
    return inner is not None and any(last_name(call) == "state_dict" for call in inner.function.calls)


def _is_loaded(term: Term, moment: Moment) -> bool:
    """True where a caller loads or saves what it gets or what it gave, or hands it on in a file that loads."""
    frame, call = moment.frame, getattr(moment.event, "term", None)
    loaded = (part for one in _loads(frame) for given in one.inputs for part in _held_in(given))
    if any(part is call or part is term for part in loaded):
        return True
    is_handed_on = any(isinstance(one, (Return, Write)) for one in parents_in(frame.function).get(id(call), ()))
    return is_handed_on and any(calling(frame.evaluator.project, frame.path, "load_state_dict"))


def _held_in(term: Term, limit: int = 60) -> Iterator[Term]:
    """A term and those that it may hold: not what selects a part of it, nor the object that was asked for it."""
    waiting, seen = [term], {id(term)}
    while waiting and len(seen) < limit:
        one = waiting.pop()
        yield one
        parts = (one.base,) if isinstance(one, Subscript) else one.inputs if isinstance(one, Call) else children(one)
        waiting += [part for part in parts if id(part) not in seen]
        seen.update(map(id, parts))


def _loads(frame: Frame) -> list[Call]:
    return [call for call in frame.function.calls if _LOADS.fullmatch(last_name(call))]
