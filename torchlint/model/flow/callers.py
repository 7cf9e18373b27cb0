"""Callers: the calls of a function, in its own file and in the files of the project around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated
from torchlint.model.facts import FileFacts, Function
from torchlint.model.flow.called_objects import is_called_as_object, is_object_of, may_be_object_of, names_of_objects
from torchlint.model.flow.signatures import takes
from torchlint.model.frames import Frame, Moment, called_names, has_self, last_name
from torchlint.model.terms import Argument, Attribute, Call, Global, Imported, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.project import Project

# The class of a method, and the functions around a nested one with itself, outermost first.
_Nesting = tuple[str | None, tuple[Function, ...]]

_MAX_FILES = 12
_MAX_BUILDERS = 8
_TEST_PACKAGES = frozenset(("pytest", "unittest", "hypothesis"))


def callers_of(frame: Frame) -> Iterator[Moment]:
    """The calls that run the frame's function: by name, or (a method) by its name on any object that may be of its
    class. Tests are no callers, nor are files that do not import torch: their objects are probably others."""
    function, project = frame.function, frame.evaluator.project
    if function.name in ("<module>", "<lambda>") or frame.outer is not None:
        return
    if is_called_as_object(frame):
        yield from frame.once("calls of objects", lambda: _calls_of_objects(frame))
    around = project.looked_into(frame.path, project.files_around(frame.path, function.name.encode()))
    files = (file for file in around if not is_named_test(file) and imports_torch(project, file))
    for file in dict.fromkeys((frame.path, *islice(files, _MAX_FILES))):
        for caller in calling(project, file, function.name):
            for event in caller.function.events:
                if isinstance(event, Evaluated) and isinstance(event.term, Call) and _runs(event.term, caller, frame):
                    yield Moment(event, run_as(frame, event.term, caller))


def _calls_of_objects(frame: Frame) -> Iterator[Moment]:
    """The calls of objects whose __call__() the frame's function is, and of what may be such an object."""
    project = frame.evaluator.project
    named = (project.files_around(frame.path, name.encode()) for name in names_of_objects(frame))
    around = project.looked_into(frame.path, dict.fromkeys(file for files in named for file in files))
    files = (file for file in around if not is_named_test(file) and imports_torch(project, file))
    for file in dict.fromkeys((frame.path, *islice(files, _MAX_FILES))):
        for caller in frames_in(project, file):
            for event in caller.function.events:
                if isinstance(event, Evaluated) and isinstance(event.term, Call) and _calls(event.term, caller, frame):
                    yield Moment(event, caller)


def _calls(call: Call, caller: Frame, frame: Frame) -> bool:
    callee, function = call.callee, frame.function
    if isinstance(callee, Imported) or caller.function.definition is function.definition:
        return False
    if not takes(function, call, 1):
        return False
    if is_object_of(callee, caller, frame) or may_be_object_of(callee, caller, frame):
        return True
    given = _given_by_callers(callee, caller) if isinstance(callee, Argument) else ()
    return any(is_object_of(term, moment.frame, frame) for term, moment in given)


def _given_by_callers(argument: Argument, frame: Frame) -> Iterator[tuple[Term, Moment]]:
    """What the callers of a function pass for a parameter."""
    function, first = frame.function, int(has_self(frame.function))
    if function.name.startswith("__") or argument.index >= len(function.parameters):
        return
    for moment in callers_of(frame):
        call = moment.event.term if isinstance(moment.event, Evaluated) else None
        term = (
            call.argument(argument.index - first, function.parameters[argument.index].name)
            if isinstance(call, Call)
            else None
        )
        if term is not None:
            yield term, moment


def run_as(called: Frame, call: Call, caller: Frame) -> Frame:
    """The caller as a method of the class whose method it calls on its own object: what it calls beside is that of the
    subclass as well."""
    view = called.view
    is_own = isinstance(call.callee, Attribute) and caller.is_self(call.callee.base) and caller.outer is None
    if view is None or not is_own or caller.view is view:
        return caller
    return view.frame(caller.function) if caller.view in view.ancestors else caller


def _runs(call: Call, caller: Frame, frame: Frame) -> bool:
    function = frame.function
    if last_name(call) != function.name or caller.function.definition is function.definition:
        return False
    if function.owner is not None:
        is_fit = takes(function, call, int(has_self(function))) or _is_given_an_object(function, call, caller)
        return is_fit and isinstance(call.callee, Attribute) and _may_be_on(call.callee.base, call, caller, frame)
    if isinstance(call.callee, Attribute):
        return False
    target = caller.evaluator.project.names.of_term(call.callee, caller.path)
    return isinstance(target, Function) and (target.path, target.qualname) == (function.path, function.qualname)


def _is_given_an_object(function: Function, call: Call, caller: Frame) -> bool:
    """True for a method that is called of its class: Encoder.encode(encoder, x)."""
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    if base is None or not takes(function, call, 0):
        return False
    return isinstance(base, (Global, Imported)) or caller.value(base).made_by == "class"


def _may_be_on(base: Term, call: Call, caller: Frame, called: Frame) -> bool:
    """False for an object of a class that certainly has another method of that name, and for one of unknown class whose
    method every module has: net.eval() switches a mode. What a base class calls on its own object is the method of the
    subclass."""
    method, view = called.function.definition, called.view
    is_of_modules = method.name in ("eval", "train") and not call.inputs and view is not None and not view.is_module
    if not caller.is_self(base) or caller.view is None:
        return not is_of_modules or caller.value(base).of is view
    if is_of_modules and caller.view.is_module:
        return False
    if view is not None and caller.view in view.ancestors:
        return view.method(method.name) in (method, None)
    return caller.view.method(method.name) in (method, None)


def constructions(module: ModuleClass) -> Iterator[tuple[Call, Frame]]:
    """The calls that make an object of the class, in its file and in those of the project around it."""
    project, name = module.project, module.name
    around = project.looked_into(module.path, project.files_around(module.path, name.encode()))
    others = (file for file in around if file != module.path and not is_named_test(file))
    files = islice((file for file in others if imports_torch(project, file)), _MAX_BUILDERS)
    for path in (module.path, *files):
        yield from constructed_in(module, path)


def constructed_in(module: ModuleClass, path: str) -> Iterator[tuple[Call, Frame]]:
    """The calls in a file that make an object of the class."""
    project, name = module.project, module.qualname.rpartition(".")[2]
    for frame in calling(project, path, name):
        for call in frame.function.calls:
            if last_name(call) == name and project.names.of_term(call.callee, frame.path) is module:
                yield call, frame


def imports_torch(project: Project, path: str) -> bool:
    """True for a file that binds something of torch to a name, or may do so by a star import."""
    if not project.may_bring(path, "torch"):
        return False
    outline = project.outline(path)
    imported = (term.name for term in outline.names.values() if isinstance(term, Imported)) if outline else ()
    return any(name.partition(".")[0] == "torch" for name in imported) or bool(outline and outline.star_imports)


def is_test(frame: Frame) -> bool:
    """True in a file of tests."""
    return is_test_file(frame.evaluator.project, frame.path)


def is_test_file(project: Project, path: str) -> bool:
    """True for a file of tests: by its name and its imports, since scripts that evaluate are called test_* as well."""
    outline = project.outline(path) if is_named_test(path) else None
    imported = (term.name for term in outline.names.values() if isinstance(term, Imported)) if outline else ()
    return any(name.partition(".")[0] in _TEST_PACKAGES for name in imported)


@cache
def is_named_test(path: str) -> bool:
    """True by the names under which pytest looks for tests."""
    name = PurePath(path).stem
    return name.startswith("test_") or name.endswith("_test")


def frames_in(project: Project, path: str, word: str = "") -> Iterator[Frame]:
    """Every function of a file with its parameters open, also where only parts of the file are read. word: what a
    function must say to be of interest; parts that nowhere say it are left out."""
    for facts in _facts_saying(project, path, word):
        yield from project.frames_of(facts)


def calling(project: Project, path: str, name: str) -> Iterator[Frame]:
    """The functions of a file that call something of that name, in order."""
    for facts in _facts_saying(project, path, name):
        for owner, functions in _by_called_name(facts).get(name, ()):
            frame = project.evaluator.frame(functions[0], project.view_of(facts.path, owner) if owner else None)
            for nested in functions[1:]:
                frame = project.evaluator.nested_frame(nested, frame)
            yield frame


def _facts_saying(project: Project, path: str, word: str) -> Iterator[FileFacts]:
    """The facts of a file, or of the parts of it that may say `word`."""
    if not project.was_passed(path):
        yield from project.parts_saying(path, word)
    elif (facts := project.whole_facts(path)) is not None:
        yield facts


def _by_called_name(facts: FileFacts) -> dict[str, list[_Nesting]]:
    """Where the functions are that call something of a name; worked out once for all names, since few are asked for in
    vain."""
    known: dict[str, list[_Nesting]] | None = facts.top.derived.get("by called name")
    if known is None:
        known = facts.top.derived["by called name"] = {}
        free = [(None, function) for function in (facts.top, *facts.functions.values())]
        methods = [(owner.qualname, method) for owner in facts.classes.values() for method in owner.methods.values()]
        for owner, function in (*free, *methods):
            for nesting in _nestings((function,)):
                for name in called_names(nesting[-1]):
                    known.setdefault(name, []).append((owner, nesting))
    return known


def _nestings(functions: tuple[Function, ...]) -> Iterator[tuple[Function, ...]]:
    """A function with those around it, outermost first, and those nested in it."""
    yield functions
    for nested in functions[-1].nested:
        yield from _nestings((*functions, nested))


def speaks_of(frame: Frame, words: re.Pattern[str]) -> bool:
    """True where a function calls something whose last name matches."""
    return any(
        isinstance(event, Evaluated) and isinstance(event.term, Call) and words.fullmatch(last_name(event.term))
        for event in frame.function.events
    )
