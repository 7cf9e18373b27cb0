"""Devices and dtypes that construction remembers on the object, and the conversions that make them untrue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.model.devices.placing_uses import Facet, facet_of_use
from torchlint.model.events import Evaluated, Write
from torchlint.model.flow.callers import is_test_file
from torchlint.model.frames import Frame, Moment, is_decorated, last_name
from torchlint.model.modules.refresh import touched_by
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Constant,
    Display,
    Global,
    Term,
    children,
)
from torchlint.model.values import Kind, TensorValue, strings_of
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.half.networks import Halvings
    from torchlint.model.project import Project

# Methods that show, configure or convert an object: what they read builds no tensor of the forward path.
_ASIDE = frozenset(
    """
    extra_repr __repr__ __str__ __getstate__ __setstate__ __deepcopy__ to cuda cpu half float double bfloat16 _apply
    """.split()
)
_RETURN_THE_MODULE = frozenset("to half float double bfloat16 cuda cpu eval train requires_grad_".split())
_TO_DTYPE = frozenset("half bfloat16 double".split())
CONVERTING = _TO_DTYPE | {"to", "cuda"}
_MAX_CHILDREN = 3


@dataclass(frozen=True, slots=True)
class Remembered:
    """A plain attribute with the device or dtype of construction, by which a later method places tensors.

    read, reader: the first such use. converted: where the project converts an object of the class
    to something else, if it does.
    """

    attribute: str
    symbol: str
    span: Span
    facet: Facet
    read: Span
    reader: str
    converted: Span | None


def remembered_placements(module: ModuleClass) -> Iterator[Remembered]:
    """The devices and dtypes that construction leaves on the object and that a later method trusts. The models that a
    file of tests makes for itself are converted by tests that know of them."""
    if is_test_file(module.project, module.path):
        return
    for name in module.state.names:
        writes = _construction_writes(module, name)
        if not writes or module.has_setter(name) or module.state.registration(name) is not None:
            continue
        used = next(_placing_reads(module, name, writes), None)
        if used is None or _is_refreshed(module, name):
            continue
        read, facet = used
        first = writes[0]
        assert isinstance(first.event, Write)
        assert isinstance(read.event, Evaluated)
        yield Remembered(
            attribute=name,
            symbol=f"{first.frame.method.owner or module.facts.qualname}.{name}",
            span=first.frame.span(first.event.place),
            facet=facet,
            read=read.frame.span(read.event.term.place),
            reader=read.frame.method.name,
            converted=_converted(module, facet, writes),
        )


def _construction_writes(module: ModuleClass, name: str) -> list[Moment]:
    """The assignments of construction that may hold a device or dtype: no tensor, no module, not None."""
    found = []
    for moment in module.state.writes(name):
        event = moment.event
        if isinstance(event, Write) and id(moment.frame.function) in module.construction_functions:
            value = moment.frame.value(event.value)
            if _keyed(event.value):
                found.append(moment)
                continue
            if value.is_tensor or value.kind in (Kind.MODULE, Kind.CONTAINER, Kind.ARRAY, Kind.NUMBER):
                return []
            found += [moment] if value.kind is not Kind.NONE or isinstance(event.value, Argument) else []
    return found


def _keyed(term: Term) -> dict[Facet, Term]:
    """The device and dtype of a dict of keyword arguments: {"device": device}, dict(device=device)."""
    if isinstance(term, Display) and term.kind == "dict":
        pairs = [
            (key.value, part) for key, part in zip(term.keys, term.parts, strict=True) if isinstance(key, Constant)
        ]
    elif isinstance(term, Call) and last_name(term) == "dict" and not term.arguments:
        pairs = list(term.keywords)
    else:
        return {}
    return {facet: part for facet in Facet for key, part in pairs if key == facet.value}


def _is_refreshed(module: ModuleClass, name: str) -> bool:
    """True where every conversion, or every call, brings the attribute up to date.

    An overridden to() or cuda() is no answer: a parent's .to() calls the child's _apply.
    """
    return touched_by(module.walk("_apply"), name, module) or touched_by(module.walk("forward"), name, module)


# Uses


def _placing_reads(module: ModuleClass, name: str, writes: list[Moment]) -> Iterator[tuple[Moment, Facet]]:
    """The reads after construction by which a tensor is made or moved."""
    kind = _kind(name, writes)
    for moment in module.state.reads(name):
        event, method = moment.event, moment.frame.method
        if id(method) in module.only_building or method.name in _ASIDE or not isinstance(event, Evaluated):
            continue
        if is_decorated(method, "classmethod") or getattr(event.term, "known", None) is not None:
            continue
        facet = facet_of_use(module, event.term, moment.frame.function, kind)
        if facet is not None:
            yield moment, facet


def _kind(name: str, writes: list[Moment]) -> Facet | None:
    """What the attribute holds, by its value or else by its name."""
    for moment in writes:
        event = moment.event
        assert isinstance(event, Write)
        if _keyed(event.value):
            return next(iter(_keyed(event.value)))
        if moment.frame.value(event.value).made_by == "dtype":
            return Facet.DTYPE
        if isinstance(event.value, Call) and last_name(event.value) == "device":
            return Facet.DEVICE
    return next((facet for facet in Facet if facet.value in name.lower()), None)


# Conversions


@dataclass(frozen=True, slots=True)
class Conversion:
    """A call outside of modules that converts an object of the class `of`. made: the call that constructs it, None
    where it comes from elsewhere."""

    of: ModuleClass
    call: Call
    made: Call | None
    frame: Frame


class Conversions:
    """The calls in the files that were passed which move or convert modules."""

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def _known(self) -> tuple[Conversion, ...]:
        return tuple(_conversions(self._project))

    @cached_property
    def to_half(self) -> Halvings:
        """Those of networks to half, and what runs in these."""
        from torchlint.model.half.networks import Halvings

        return Halvings(self._project)

    def of(self, module: ModuleClass) -> Iterator[Conversion]:
        """Those of objects of a class, of its subclasses, and of what holds such an object."""
        self._project.rests_on_checked_files(module.path)
        return (one for one in self._known if module in one.of.ancestors or _holds(one.of, module, _MAX_CHILDREN))


def _holds(owner: ModuleClass, module: ModuleClass, depth: int) -> bool:
    """True where an attribute of `owner`, or of a child of it, is an object of the class."""
    children = [owner.state.value(name).of for name in owner.state.names] if depth else []
    return any(
        getattr(child, "is_module", False) and (module in child.ancestors or _holds(child, module, depth - 1))
        for child in children
        if child is not owner
    )


def _conversions(project: Project) -> Iterator[Conversion]:
    for path in filter(project.may_convert, project.passed):
        for frame in project.functions_in(path):
            # What a module does with its own parts is its own affair, and no conversion of the whole.
            if frame.view is not None and frame.view.is_module:
                continue
            for event in frame.function.events:
                call = event.term if isinstance(event, Evaluated) else None
                if not isinstance(call, Call) or not isinstance(call.callee, Attribute):
                    continue
                if call.callee.name in CONVERTING:
                    project.note_checked_file(path)
                    value = frame.value(call.callee.base)
                    if value.kind is Kind.MODULE and value.of is not None:
                        yield Conversion(value.of, call, _made(call.callee.base, frame), frame)


def _made(term: Term, frame: Frame) -> Call | None:
    """The call that constructs an object, below the methods that return it."""
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _RETURN_THE_MODULE:
        term = term.callee.base
    return term if isinstance(term, Call) and frame.value(term.callee).made_by == "class" else None


def _converted(module: ModuleClass, facet: Facet, writes: list[Moment]) -> Span | None:
    """The first place where the project gives an object of the class another device or dtype than it remembers."""
    if facet is Facet.DEVICE and any(_asks_for_cuda(moment) for moment in writes):
        # Construction and the caller ask the same question, and get the same answer.
        return None
    if any(_is_optional(moment) for moment in writes):
        return None
    for one in module.project.conversions.of(module):
        if _converts(one, facet) and not _agrees(one, facet, module) and not _is_given_the_same(one, writes):
            return one.frame.span(one.call.place)
    return None


def _is_optional(moment: Moment) -> bool:
    """True for a parameter that is None unless a caller asks for a place of its own."""
    term = moment.event.value if isinstance(moment.event, Write) else None
    if term is not None and (keyed := _keyed(term)):
        term = next(iter(keyed.values()))
    if not isinstance(term, Argument) or term.index >= len(moment.frame.function.parameters):
        return False
    default = moment.frame.function.parameters[term.index].default
    return isinstance(default, Constant) and default.value is None


def _asks_for_cuda(moment: Moment) -> bool:
    """True for `"cuda" if torch.cuda.is_available() else "cpu"`, also inside torch.device()."""
    assert isinstance(moment.event, Write)
    term = moment.event.value
    texts = strings_of(moment.frame.value(term.arguments[0] if isinstance(term, Call) and term.arguments else term))
    return "cpu" in texts and any(text.startswith("cuda") for text in texts)


def _converts(one: Conversion, facet: Facet) -> bool:
    assert isinstance(one.call.callee, Attribute)
    name, given = one.call.callee.name, [(term, one.frame.value(term)) for term in one.call.inputs]
    if facet is Facet.DTYPE:
        return name in _TO_DTYPE or (name == "to" and any(_is_dtype(term, value) for term, value in given))
    is_device = name == "to" and any(not _is_dtype(term, value) and not value.is_tensor for term, value in given)
    return name == "cuda" or is_device


def _is_dtype(term: Term, value: TensorValue) -> bool:
    return value.made_by == "dtype" or (isinstance(term, (Argument, Global, Attribute)) and "dtype" in term.name)


def _agrees(one: Conversion, facet: Facet, module: ModuleClass) -> bool:
    """True where the object is constructed for what it is converted to, or where that is not known."""
    if one.made is None or module not in one.of.ancestors:
        # The object comes from elsewhere: only a dtype that is written out is surely another one than the default.
        written = [value for value in map(one.frame.value, one.call.inputs) if value.made_by == "dtype" and value.dtype]
        return facet is Facet.DEVICE or not (written or not one.call.inputs)
    given = {_text(term) for term in one.call.inputs}
    named = [key or "" for key, _ in one.made.keywords] + [last_name(term) for term in one.made.inputs]
    named += [term.name for term in one.made.inputs if isinstance(term, Argument)]
    return any(_text(term) in given for term in one.made.inputs) or any(facet.value in name for name in named)


def _is_given_the_same(one: Conversion, writes: list[Moment]) -> bool:
    """True where the object remembers a field of what it is given and is converted to just that: a constructor that
    keeps args.device, and Net(args).to(args.device), or to what the function has put there."""
    known = {_text(field) for moment in writes if (field := _field_given(one, moment)) is not None}
    for event in one.frame.function.events if known else ():
        if isinstance(event, Write) and isinstance(event.attribute, str):
            is_known = _text(Attribute(event.place, event.base, event.attribute)) in known
            known |= {_text(event.value)} if is_known else set()
    return any(_text(term) in known for term in one.call.inputs)


def _field_given(one: Conversion, moment: Moment) -> Attribute | None:
    """args.device in the words of the caller, where the constructor keeps a field of an argument, or a device of it."""
    term = moment.event.value if isinstance(moment.event, Write) else None
    if isinstance(term, Call) and last_name(term) == "device" and len(term.arguments) == 1:
        term = term.arguments[0]
    if one.made is None or not isinstance(term, Attribute) or not isinstance(term.base, Argument):
        return None
    if one.of.method("__init__") is not moment.frame.function.definition:
        return None
    given = one.made.argument(term.base.index - 1, term.base.name)
    return Attribute(term.place, given, term.name) if given is not None and term.base.index else None


def _text(term: Term) -> str:
    """A term as text, to compare what is written twice."""
    inside = ", ".join(map(_text, children(term)))
    return f"{type(term).__name__}:{getattr(term, 'name', '')}{getattr(term, 'value', '')!r}({inside})"
