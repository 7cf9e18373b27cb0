"""Tensors that a class or a file holds, and that the methods of modules read: one tensor for every instance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from torchlint.model.events import Evaluated, Event, ItemWrite, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.uses import Use
from torchlint.model.frames import Frame
from torchlint.model.names.names import External, Value
from torchlint.model.terms import (
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Starred,
    Term,
    children,
    mentions,
)
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.project import Project

_Names = Callable[[Function, str], list[Term]]
_MAX_HELPERS = 3
_INSIDE = (Choice, Display, Item, Element, Starred, Comprehension, Captured)
_MAIN = frozenset({"__name__"})
# What only the top level of a program that runs does: the tensors there are its data.
_RUNNING = frozenset("backward zero_grad parse_args parse_known_args".split())


@dataclass(frozen=True, slots=True)
class Shared:
    """A tensor of a class (`owner`) or of a file's top level (None) that methods of modules read.

    value: what it is. use: the gravest that a method makes of it, where `read` stands.
    """

    name: str
    owner: str | None
    span: Span
    value: TensorValue
    read: Span
    reader: str
    use: Use

    @property
    def symbol(self) -> str:
        """The dotted name inside the file that holds the tensor."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


@dataclass(frozen=True, slots=True)
class _Read:
    """A name that a method, or a helper that it calls, evaluates."""

    term: Term
    function: Function
    path: str
    reader: str

    @property
    def span(self) -> Span:
        return Span(self.path, *self.term.place)


class _Place(NamedTuple):
    """A function that may read names: in which file, and which method or helper it belongs to."""

    function: Function
    path: str
    reader: str


def shared_tensors(module: ModuleClass) -> Iterator[Shared]:
    """The tensors of the class and its bases, and of files, that methods of the class read after construction."""
    yield from _of_classes(module)
    found: dict[Span, list[Shared]] = {}
    for read in _reads(module, module.project.outside_names.of):
        one = _of_other_class(module, read) if isinstance(read.term, Attribute) else _of_file(module, read)
        if one is not None:
            found.setdefault(one.span, []).append(one)
    for several in found.values():
        yield _gravest(several)


def _gravest(several: list[Shared]) -> Shared:
    return next((one for one in several if one.use is Use.COMPUTES), several[0])


# The top level of a file


def _of_file(module: ModuleClass, read: _Read) -> Shared | None:
    """The tensor of a file's top level that a name stands for, unless it is the data of a program that runs there."""
    assert isinstance(read.term, (Global, Imported))
    found = module.project.names.of_term(read.term, read.path)
    if not isinstance(found, Value):
        return None
    frame = module.project.evaluator.frame(found.top, None)
    term = _tensor_term(found.term, frame)
    use = _use(module, read) if term is not None else None
    if term is None or use is None or _is_running(found.top, term):
        return None
    name = read.term.name.rpartition(".")[2]
    return Shared(name, None, Span(found.path, *term.place), frame.value(term), read.span, read.reader, use)


def _tensor_term(term: Term, frame: Frame) -> Term | None:
    """The term, or the option of it, that is a tensor or holds tensors."""
    options = term.options if isinstance(term, Choice) else (term,)
    return next((option for option in options if _is_tensor(frame.value(option))), None)


def _is_tensor(value: TensorValue, depth: int = 3) -> bool:
    """True for a tensor, and for a container of tensors."""
    if value.kind is Kind.CONTAINER:
        return depth > 0 and value.element is not None and _is_tensor(value.element, depth - 1)
    return value.is_tensor


def _is_running(top: Function, term: Term) -> bool:
    """True under the __name__ guard, and at the top level of a script."""
    for event in top.events:
        if not isinstance(event, Evaluated) or any(mentions(region.subject, _MAIN) for region in event.guards()):
            if isinstance(event, Evaluated) and event.term is term:
                return True
            continue
        callee = event.term.callee if isinstance(event.term, Call) else None
        if isinstance(callee, Attribute) and callee.name in _RUNNING:
            return True
    return False


# Classes


def _of_classes(module: ModuleClass) -> Iterator[Shared]:
    """The tensors that the class or a base of it holds, where no instance has its own."""
    project, hidden = module.project, {*module.state.names, *module.state.registrations}
    for ancestor in module.ancestors:
        for name in ancestor.outline.values:
            term = ancestor.facts.values.get(name)
            if term is None or name in hidden:
                continue
            hidden.add(name)
            value = project.top_frame(ancestor.path, ancestor.outline.group).value(term)
            if not _is_tensor(value):
                continue
            reads = _reads(module, _names_in)
            used = [(read, use) for read in reads if _is_of_class(module, read, name) and (use := _use(module, read))]
            used.sort(key=lambda one: one[1] is not Use.COMPUTES)
            for read, use in used[:1]:
                span = Span(ancestor.path, *term.place)
                yield Shared(name, ancestor.qualname, span, value, read.span, read.reader, use)


def _of_other_class(module: ModuleClass, read: _Read) -> Shared | None:
    """The tensor of a class that is no base of the module: Constants.name."""
    term = read.term
    assert isinstance(term, Attribute)
    owner = module.project.names.of_term(term.base, read.path) if isinstance(term.base, (Global, Imported)) else None
    if owner is None or isinstance(owner, (Function, External, Value)) or owner in module.ancestors:
        return None
    held = owner.facts.values.get(term.name) if term.name in owner.outline.values else None
    use = _use(module, read) if held is not None else None
    if held is None or use is None:
        return None
    value = module.project.top_frame(owner.path, owner.outline.group).value(held)
    span = Span(owner.path, *held.place)
    return Shared(term.name, owner.qualname, span, value, read.span, read.reader, use) if _is_tensor(value) else None


def _is_of_class(module: ModuleClass, read: _Read, name: str) -> bool:
    """True for self.name, cls.name, type(self).name, self.__class__.name and Class.name."""
    term = read.term
    if not isinstance(term, Attribute) or term.name != name or term.known is not None:
        return False
    base = term.base
    if isinstance(base, (Global, Imported)):
        return module.project.names.of_term(base, read.path) in module.ancestors
    if isinstance(base, Attribute):
        return base.name == "__class__"
    if isinstance(base, Call):
        return isinstance(base.callee, Global) and base.callee.name == "type"
    while isinstance(base, Captured):
        base = base.value
    return read.function.owner is not None and getattr(base, "index", None) == 0


# Reads


def _use(module: ModuleClass, read: _Read) -> Use | None:
    """The gravest use of what is read; None where it is only looked at."""
    uses = module.project.uses.of(read.term, read.function)
    return next((use for use in (Use.COMPUTES, Use.MOVED, Use.INDEXES) if use in uses), None)


def _reads(module: ModuleClass, names: _Names) -> Iterator[_Read]:
    """The names and attributes that the methods of the class evaluate after construction, also in helpers; of each
    function those of `names`."""
    seen: set[int] = set()
    for method in module.methods:
        if id(method) not in module.only_building:
            yield from _reads_in(module, names, _Place(method, method.path, method.name), seen, _MAX_HELPERS)


def _reads_in(module: ModuleClass, names: _Names, place: _Place, seen: set[int], depth: int) -> Iterator[_Read]:
    function, path, reader = place
    if id(function) in seen:
        return
    seen.add(id(function))
    for term in names(function, path):
        yield _Read(term, function, path, reader)
        target = module.project.names.of_term(term, path) if depth and isinstance(term, (Global, Imported)) else None
        if isinstance(target, Function) and target.owner is None:
            yield from _reads_in(module, names, _Place(target, target.path, target.name), seen, depth - 1)
    for nested in function.nested:
        yield from _reads_in(module, names, _Place(nested, path, reader), seen, depth)


class OutsideNames:
    """Of the functions of a project, the names that stand for a value or a helper of a file, or for a value of a class;
    each function is looked at once, for all classes that inherit it."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: dict[int, list[Term]] = {}

    def of(self, function: Function, path: str) -> list[Term]:
        """Those that a function evaluates, in order."""
        if id(function) not in self._known:
            self._known[id(function)] = [term for term in _names_in(function, path) if self._is_outside(term, path)]
        return self._known[id(function)]

    def _is_outside(self, term: Term, path: str) -> bool:
        if isinstance(term, (Global, Imported)):
            return isinstance(self._project.names.of_term(term, path), (Function, Value))
        base = term.base if isinstance(term, Attribute) else None
        owner = self._project.names.of_term(base, path) if isinstance(base, (Global, Imported)) else None
        return owner is not None and not isinstance(owner, (Function, External, Value))


def _names_in(function: Function, path: str) -> list[Term]:
    """The names of the top level, and the attributes, that a function evaluates; worked out once."""
    known: list[Term] | None = function.derived.get("names")
    if known is None:
        found: dict[int, Term] = {}
        for event in function.events:
            for root in _roots(event):
                _collect(root, found)
        known = function.derived["names"] = list(found.values())
    return known


def _roots(event: Event) -> tuple[Term, ...]:
    if isinstance(event, Evaluated):
        return (event.term, *children(event.term))
    if isinstance(event, (Write, Return)):
        return (event.value,)
    return (event.base, event.index, event.value) if isinstance(event, ItemWrite) else ()


def _collect(term: Term, found: dict[int, Term]) -> None:
    if isinstance(term, (Global, Attribute)) or (isinstance(term, Imported) and not term.name.startswith("torch.")):
        found.setdefault(id(term), term)
    elif isinstance(term, _INSIDE):
        for part in children(term):
            _collect(part, found)
