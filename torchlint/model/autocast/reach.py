"""Which functions of a project run inside an autocast region of a caller: the calls in regions, followed through
helpers, methods and the forward of known modules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from torchlint.model.autocast.regions import (
    Autocast,
    asks_autocast,
    autocast_around,
    autocast_in_force,
    may_open_autocast,
)
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of, frames_in, run_as
from torchlint.model.flow.origins import by_default, origins, returning
from torchlint.model.flow.unseen_runs import forward_hooks, run_by_reading
from torchlint.model.frames import Frame, Moment, called_names, has_self, last_name
from torchlint.model.modules.layers import Built, built, chained
from torchlint.model.names.held_functions import held_functions
from torchlint.model.terms import Argument, Attribute, Call, Captured, Display, Element, Super, Term
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.project import Project

Key = tuple[str, str, tuple[int, int, int, int]]
# Stands for every function that a call of unknown meaning may run.
_UNKNOWN: Key = ("", "", (0, 0, 0, 0))
# Stands for the regions of a file, whatever they call.
_OPENED: Key = ("", "region", (0, 0, 0, 0))
# What takes a callable and runs it at once.
_PARTIAL = "functools.partial.instance"
_RUNS = frozenset(("checkpoint", "checkpoint_sequential"))
_DEPTH = 4
_MAX_FILES = 12
_MAX_FUNCTIONS = 400


@dataclass(frozen=True, slots=True)
class Reach:
    """A function is run inside a region of a caller. autocast: that region. called: the call inside the region that
    leads there."""

    autocast: Autocast
    called: Span


def regions_reaching(frame: Frame) -> tuple[Reach, ...]:
    """The regions of callers that a function runs in, islands left out; one for each function that opens one."""
    project = frame.evaluator.project
    files = project.files_around(frame.path, b"autocast")
    nearest = project.looked_into(frame.path, _nearest(files, frame.path))
    reached = [_reached_from(file, project) for file in nearest] if files else []
    keys = [_key(frame.function), *_hooks(frame)] if reached else []
    return tuple(reach for one in reached for key in keys for reach in one.get(key, ()))


def _hooks(frame: Frame) -> Iterator[Key]:
    """What a method stands in for: the methods of that name that the bases of its class call on their own object."""
    view, function = frame.view, frame.function
    if (
        view is None
        or frame.outer is not None
        or len(view.ancestors) < 2
        or view.method(function.name) is not function.definition
    ):
        return
    yield from (_hook(base, function.name) for base in view.ancestors if base is not view)


def _hook(view: ModuleClass, name: str) -> Key:
    return view.path, f"self {view.qualname}.{name}", view.outline.place


def opens_autocast(frame: Frame) -> bool:
    """True where some file of the project around opens a region that is no island, and calls something in it."""
    project = frame.evaluator.project
    files = project.files_around(frame.path, b"autocast")
    nearest = project.looked_into(frame.path, _nearest(files, frame.path))
    return any(_OPENED in _reached_from(file, project) for file in nearest)


def reaches_unknown(frame: Frame) -> bool:
    """True where some file of the project around runs a model inside a region, and which model is out of sight."""
    project = frame.evaluator.project
    files = project.files_around(frame.path, b"autocast")
    nearest = project.looked_into(frame.path, _nearest(files, frame.path))
    return any(_UNKNOWN in _reached_from(file, project) for file in nearest)


def _nearest(files: tuple[str, ...], path: str) -> list[str]:
    """The file itself and some of the others, those in the same folders first."""
    folders = PurePath(path).parts
    others = sorted(files, key=lambda file: -_shared(folders, PurePath(file).parts))
    return [path, *(file for file in others if file != path)][: _MAX_FILES + 1]


def _shared(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    return next((at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), len(first))


def _key(function: Function) -> Key:
    return function.path, function.qualname, function.place


def _reached_from(path: str, project: Project) -> dict[Key, tuple[Reach, ...]]:
    """The functions that the regions of one file reach; worked out once."""
    known = project.reached.get(path)
    if known is None:
        known = project.reached[path] = {}
        known.update(_find_reached(path, project))
    return known


def _find_reached(path: str, project: Project) -> dict[Key, tuple[Reach, ...]]:
    found: dict[Key, list[Reach]] = {}
    seen: set[tuple[int, int, int]] = set()
    hooks = list(forward_hooks(project, path))
    for frame in list(frames_in(project, path)):
        for moment, autocast in _runs_in_regions(frame):
            term = moment.event.term  # type: ignore[attr-defined]
            reach = Reach(replace(autocast, region=None, enabled=None), frame.span(term.place))
            if isinstance(term, Call):
                found.setdefault(_OPENED, [reach])
                _note_hook(term, frame, reach, found)
            _follow(moment, reach, (found, seen), id(frame.function), _DEPTH)
            is_unknown = isinstance(term, Call) and _is_unknown(term, frame)
            if is_unknown:
                found.setdefault(_UNKNOWN, [reach])
            runs = _may_be(term, frame) if is_unknown else ()
            is_model = is_unknown or (isinstance(term, Call) and frame.value(term.callee).kind is Kind.MODULE)
            for inner in (*runs, *(hooks if is_model else ())):
                _enter(inner, moment, reach, (found, seen), id(frame.function), _DEPTH)
    return {key: tuple(reaches) for key, reaches in found.items()}


def _runs_in_regions(frame: Frame) -> Iterator[tuple[Moment, Autocast]]:
    """The calls of a function, and what it reads, that stand in a region of its own that is no island."""
    if not may_open_autocast(frame.function):
        return
    for event in frame.function.events:
        if not isinstance(event, Evaluated) or (event.region is None and not frame.function.decorators):
            continue
        if not _may_run_functions(event.term, frame):
            continue
        moment = Moment(event, frame)
        found = autocast_in_force(moment)
        if found is not None and not found.is_island:
            yield moment, found


def _may_run_functions(term: Term, frame: Frame) -> bool:
    return isinstance(term, Call) or any(True for _ in run_by_reading(term, frame))


def _note_hook(call: Call, frame: Frame, reach: Reach, found: dict[Key, list[Reach]]) -> None:
    """Note a call of a method on the object itself: a subclass may have its own."""
    base = call.callee.base if isinstance(call.callee, Attribute) and frame.view is not None else None
    is_first = isinstance(base, Argument) and base.index == 0 and has_self(frame.function)
    if frame.view is not None and base is not None and (is_first or frame.is_self(base)):
        found.setdefault(_hook(frame.view, last_name(call)), [reach])


def _follow(
    moment: Moment,
    reach: Reach,
    state: tuple[dict[Key, list[Reach]], set[tuple[int, int, int]]],
    root: int,
    depth: int,
) -> None:
    term = moment.event.term  # type: ignore[attr-defined]
    run_by = entered_by if isinstance(term, Call) else run_by_reading
    for inner in run_by(term, moment.frame):
        _enter(inner, moment, reach, state, root, depth)


def _enter(
    inner: Frame,
    moment: Moment,
    reach: Reach,
    state: tuple[dict[Key, list[Reach]], set[tuple[int, int, int]]],
    root: int,
    depth: int,
) -> None:
    """Note a function that the call at `moment` runs, and follow what it calls."""
    found, seen = state
    mark = (root, id(inner.function), id(inner.view))
    if mark in seen or len(seen) > _MAX_FUNCTIONS or inner.function.name == "__init__":
        return
    seen.add(mark)
    reaches = found.setdefault(_key(inner.function), [])
    if not any(one.autocast.span == reach.autocast.span for one in reaches):
        reaches.append(reach)
    for event in inner.function.events if depth else ():
        if isinstance(event, Evaluated) and _may_run_functions(event.term, inner):
            step = Moment(event, inner, moment)
            if autocast_around(event, inner) is None and not asks_autocast(step):
                if isinstance(event.term, Call):
                    _note_hook(event.term, inner, reach, found)
                _follow(step, reach, state, root, depth - 1)


def _may_be(call: Call, frame: Frame) -> Iterator[Frame]:
    """What self.score(x, y) may run where nobody in sight says what it is: the callable objects of the same file whose
    class stands in no other place of it, and that take as much."""
    project = frame.evaluator.project
    for view in project.classes_in(frame.path):
        method = view.method("__call__") if not view.is_module else None
        if method is None or len(method.parameters) != len(call.inputs) + 1:
            continue
        if not any(view.name in called_names(one.function) for one in frames_in(project, frame.path)):
            yield frame.evaluator.frame(method, view)


def _is_unknown(call: Call, frame: Frame) -> bool:
    """True for model(x), self.model(x) where nobody in sight says which model it is."""
    is_name = isinstance(call.callee, (Argument, Captured)) or (
        isinstance(call.callee, Attribute) and frame.is_self(call.callee.base)
    )
    return is_name and frame.value(call.callee).kind is Kind.UNKNOWN and next(entered_by(call, frame), None) is None


def entered_by(call: Call, frame: Frame) -> Iterator[Frame]:
    """The functions of the project that a call runs: a helper, a method, the forward of a module, what checkpoint()
    is given."""
    if last_name(call) in _RUNS and call.arguments:
        call = Call(call.place, call.arguments[0], call.arguments[1:], ())
    value = frame.value(call.callee)
    if value.kind is Kind.OBJECT and value.of is not None:
        method = value.of.method("__call__")
        if method is not None:
            yield frame.evaluator.bound_frame(method, value.of, call, frame, receiver=call.callee)
        return
    if value.kind is Kind.MODULE and value.of is not None:
        yield from _forwards(value, call, frame)
        return
    inner = returning(call, frame) if value.kind is not Kind.MODULE else None
    if inner is not None:
        yield inner
        return
    if value.kind is Kind.UNKNOWN or (value.kind is Kind.CALLABLE and value.made_by in (None, _PARTIAL)):
        for function in held_functions(call.callee, frame):
            yield frame.evaluator.entered(function, call, frame)
    if value.kind in (Kind.UNKNOWN, Kind.MODULE):
        for maker, where in _parts(call.callee, frame):
            yield from _forwards(where.value(maker), call, frame)
        yield from _given(call.callee, frame)


def _parts(term: Term, frame: Frame) -> Iterator[Built]:
    """The modules that a call runs: one of a list, or all of a chain."""
    for maker, where in built(term, frame):
        yield from chained(maker, where) or [(maker, where)]


def _forwards(model: TensorValue, call: Call, frame: Frame) -> Iterator[Frame]:
    is_module = model.kind is Kind.MODULE and model.of is not None
    forward = model.of.method("forward") if is_module else None
    if forward is None:
        return
    if frame.value(call.callee).of is model.of:
        yield frame.evaluator.bound_frame(forward, model.of, call, frame, receiver=call.callee)
    else:
        yield frame.evaluator.frame(forward, model.of)


def _given(term: Term, frame: Frame) -> Iterator[Frame]:
    """What runs where callers pass the callable, or the class that it is made of, to a function or to the constructor
    that keeps it; and what is there by default."""
    for origin, where in origins(term, frame):
        is_made = isinstance(origin, Call) and isinstance(origin.callee, Argument)
        passed = origin.callee if isinstance(origin, Call) and is_made else origin
        if not isinstance(passed, Argument) or where.outer is not None:
            continue
        default, top = by_default(passed, where)
        if default is not passed:
            yield from _run_of(top.value(default), frame, is_class=is_made)
        for call, caller in _calls_of(where):
            offset = int(where.function.owner is not None)
            given = call.argument(passed.index - offset, passed.name)
            for option in _options(given) if given is not None else ():
                yield from _run_of(caller.value(option), frame, is_class=is_made)


def _options(term: Term) -> tuple[Term, ...]:
    """What a loop over a written list takes in turn."""
    is_listed = isinstance(term, Element) and isinstance(term.iterable, Display)
    return term.iterable.parts if is_listed else (term,)  # type: ignore[attr-defined]


def _run_of(value: TensorValue, frame: Frame, *, is_class: bool) -> Iterator[Frame]:
    """The method that a call of an object runs, of the object itself or of its class."""
    is_known = value.made_by == "class" if is_class else value.kind in (Kind.MODULE, Kind.OBJECT)
    view = value.of if is_known else None
    method = view.method("forward" if view.is_module else "__call__") if view is not None else None
    if method is not None:
        yield frame.evaluator.frame(method, view)


def callers_seen(frame: Frame) -> Iterator[Moment]:
    """The calls in the project that run a function for certain; for a forward also the calls of the module."""
    function, project = frame.function, frame.evaluator.project
    if frame.outer is not None or function.name in ("<module>", "<lambda>"):
        return
    word = frame.view.name if function.name == "forward" and frame.view is not None else function.name
    for moment in calls_around(project, frame.path, word):
        call = moment.event.term  # type: ignore[attr-defined]
        if not _may_run(call, function):
            continue
        caller = run_as(frame, call, moment.frame)
        if _is_replaced(caller):
            continue
        if any(inner.function is function.definition for inner in entered_by(call, caller)):
            yield Moment(moment.event, caller)


def _is_replaced(frame: Frame) -> bool:
    """True for a method of a base class that the class looked at has one of its own for, which does not call it."""
    own = frame.view.method(frame.function.name) if frame.view is not None and frame.outer is None else None
    if own is None or own is frame.function.definition:
        return False
    callees = (call.callee for call in own.calls)
    return not any(isinstance(one, Attribute) and isinstance(one.base, Super) for one in callees)


def calls_around(project: Project, path: str, word: str) -> Iterator[Moment]:
    """Every call in a file and in those of the project around it that hold a word."""
    files = project.files_around(path, word.encode())
    for file in project.looked_into(path, _nearest(files, path)):
        for caller in frames_in(project, file):
            for event in caller.function.events:
                if isinstance(event, Evaluated) and isinstance(event.term, Call):
                    yield Moment(event, caller)


def _may_run(call: Call, function: Function) -> bool:
    """False where the name of what is called says that it is another function."""
    return function.name == "forward" or last_name(call) == function.name


def _calls_of(frame: Frame) -> Iterator[tuple[Call, Frame]]:
    """The calls that run a function, each with the frame it stands in; for a constructor those of the class."""
    if frame.function.name != "__init__":
        yield from ((moment.event.term, moment.frame) for moment in callers_of(frame))  # type: ignore[attr-defined]
        return
    view = frame.view
    if view is None:
        return
    for moment in calls_around(frame.evaluator.project, frame.path, view.name):
        call = moment.event.term  # type: ignore[attr-defined]
        if last_name(call) == view.name and moment.frame.value(call.callee).of is view:
            yield call, moment.frame
