"""What may run in a network: the classes that its class names, and the functions that they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from torchlint.knowledge.graphs import LOSS_NAME
from torchlint.model.facts import Function
from torchlint.model.flow.callers import constructed_in
from torchlint.model.flow.makers import makers
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import External
from torchlint.model.terms import Argument, Attribute, Call, Element, Global, Imported, Item, Starred, Subscript, Term
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import within

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.project import Project

Part: TypeAlias = "ModuleClass | Function"

_MOST = 400
_CHAINS = frozenset("Sequential ModuleList ModuleDict".split())
_LOOKS = frozenset("isinstance issubclass super type".split())


def known_as(part: Part) -> tuple[str, str]:
    """The file and the qualified name of a class or a function."""
    return part.path, part.qualname


def parts_of(project: Project, of: ModuleClass | None, path: str) -> Iterator[Part]:
    """The classes and functions that may run in a network of a class, its own bases included; of an unknown class:
    in one of those that a file names."""
    waiting: list[Part] = [of] if of is not None else list(named_in(project, path))
    seen = {known_as(one) for one in waiting}
    names_file = of is None
    while waiting and len(seen) < _MOST:
        part = waiting.pop(0)
        yield part
        fresh = list(_named_by(part, project))
        if not isinstance(part, Function):
            fresh += part.ancestors
            if not names_file and _takes_modules(part):
                names_file, fresh = True, [*fresh, *named_in(project, path)]
        for one in fresh:
            if known_as(one) not in seen:
                seen.add(known_as(one))
                waiting.append(one)


def named_in(project: Project, path: str) -> Iterator[ModuleClass]:
    """The module classes that a file defines or imports; no losses, which get what a network has computed."""
    outline = project.outline(path)
    for name, term in outline.names.items() if outline is not None else ():
        found = project.names.of(path, name) if isinstance(term, (Imported, Global)) else None
        if not isinstance(found, Function) and _is_part(found) and not LOSS_NAME.fullmatch(found.name):  # type: ignore
            yield found  # type: ignore[misc]
    yield from (view for view in project.classes_in(path) if view.is_module and not LOSS_NAME.fullmatch(view.name))


def _named_by(part: Part, project: Project) -> Iterator[Part]:
    """What the methods of a class, or a function, call or pass on by its name, and what a class holds as its values."""
    methods = (part,) if isinstance(part, Function) else part.methods
    for method in methods:
        for call in (one for function in _with_nested(method) for one in function.calls):
            if last_name(call) not in _LOOKS:
                yield from _resolved((call.callee, *call.inputs), method.path, project)
        defaults = (parameter.default for parameter in method.parameters)
        yield from _resolved((one for one in defaults if one is not None), method.path, project)
    if not isinstance(part, Function):
        for file in project.looked_into(part.path, (part.path,)):
            for call, where in constructed_in(part, file):
                yield from _resolved(call.inputs, where.path, project)
    for ancestor in part.ancestors if not isinstance(part, Function) else ():
        values = chain.from_iterable(within(value, 40) for value in ancestor.facts.values.values())
        yield from _resolved(values, ancestor.path, project)


def _with_nested(function: Function) -> Iterator[Function]:
    yield function
    for nested in function.nested:
        yield from _with_nested(nested)


def _resolved(terms: Iterable[Term], path: str, project: Project) -> Iterator[Part]:
    for term in terms:
        found = project.names.of_term(term, path) if isinstance(term, (Global, Imported)) else None
        if _is_part(found):
            yield found  # type: ignore[misc]


def _is_part(found: object) -> bool:
    return isinstance(found, Function) or bool(getattr(found, "is_module", False))


def _takes_modules(view: ModuleClass) -> bool:
    """True where an object of a class runs what it was given, or made from what it was given."""
    for method in view.methods:
        frame = view.frame(method)
        for call in method.calls:
            name = _own_attribute(call.callee, frame)
            if name and view.method(name) is None and _is_given(name, view):
                return True
    return False


def _own_attribute(callee: Term, frame: Frame) -> str:
    """The attribute of the object that a call runs, or one element of which it runs."""
    while isinstance(callee, (Subscript, Element, Item)):
        callee = callee.iterable if isinstance(callee, Element) else callee.base
    return callee.name if isinstance(callee, Attribute) and frame.is_self(callee.base) else ""


def _is_given(name: str, view: ModuleClass) -> bool:
    for moment in view.state.writes(name):
        term = getattr(moment.event, "value", None)
        if isinstance(term, Argument):
            return True
        for call, where in makers(term, moment.frame) if isinstance(term, Term) else ():
            takes = last_name(call) in _CHAINS and any(map(_is_argument, call.inputs))
            is_unknown = where.value(call).kind is Kind.UNKNOWN and isinstance(call.callee, (Argument, Call, Subscript))
            if takes or is_unknown:
                return True
    return False


def _is_argument(term: Term) -> bool:
    return isinstance(term.value if isinstance(term, Starred) else term, Argument)


def is_foreign(callee: Term, path: str, project: Project) -> bool:
    """True for a function or class that no file of the project defines, as far as imports tell."""
    while isinstance(callee, Attribute):
        callee = callee.base
    if not isinstance(callee, Imported):
        return False
    found = project.names.of_term(callee, path)
    return isinstance(found, External) and not found.name.startswith("unknown")
