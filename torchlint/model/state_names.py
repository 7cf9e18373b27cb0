"""The names under which state is registered, and those that torch refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import MODULE_MEMBERS
from torchlint.model.conditions import is_ruled_out
from torchlint.model.events import Delete, Evaluated, ItemWrite, Region, Write
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.members import all_moments
from torchlint.model.registration import Registration, registered_by_value
from torchlint.model.sightings import every_moment
from torchlint.model.terms import (
    Attribute,
    Call,
    Comprehension,
    Constant,
    Display,
    Element,
    Item,
    Super,
    Term,
    mentions,
)
from torchlint.model.values import Kind, expressions_of, strings_of
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_CALLS = {
    "register_buffer": Registration.BUFFER,
    "register_parameter": Registration.PARAMETER,
    "add_module": Registration.MODULE,
    "register_module": Registration.MODULE,
}
_DICTS = {
    "torch.nn.ModuleDict": frozenset("keys items values pop clear update".split()),
    "torch.nn.ParameterDict": frozenset("keys items values pop clear update get copy fromkeys popitem".split()),
    "torch.nn.Sequential": frozenset("append extend insert pop".split()),
}
# The forward() of nn.Module, which only raises, takes the name as well.
_TAKEN_BY_TORCH = MODULE_MEMBERS | {"forward"}
_REGISTRIES = frozenset("__dict__ _buffers _parameters _modules".split())
_DICT_NAMES = frozenset(name.rpartition(".")[2] for name in _DICTS)
# What gives names with dots where a module has children.
_DOTTED = frozenset("named_parameters named_buffers named_modules state_dict".split())


class Fault(Enum):
    """Why torch refuses a name. SHADOWED: it does not, but the class default hides the module."""

    DOT = "default"
    EMPTY = "empty"
    NOT_TEXT = "not text"
    TAKEN = "taken"
    MEMBER = "member"
    CLASS = "class"
    SHADOWED = "shadowed"
    NESTED = "nested"


@dataclass(frozen=True, slots=True)
class BadName:
    """A registration under a name that torch refuses.

    name: as known, else "". call: what registers. taken: where the name is taken already.
    """

    fault: Fault
    name: str
    symbol: str
    span: Span
    call: str
    taken: Span | None = None


@dataclass(frozen=True, slots=True)
class _Naming:
    """A registration: the term of its name (None for a plain assignment), or the name itself."""

    moment: Moment
    how: Registration
    call: str
    span: Span
    term: Term | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Step:
    """An event that gives the object an attribute, or (no place) may take one or all of them away. names: empty where
    they are not known."""

    moment: Moment
    names: frozenset[str]
    how: Registration | None
    span: Span | None


def bad_names(module: ModuleClass) -> Iterator[BadName]:
    """The registrations of a class, and the keys of the ModuleDicts it makes, that torch refuses."""
    if module.state.registers_itself:
        return
    before: list[_Step] = []
    for moment in every_moment(module):
        naming = _naming(moment)
        if naming is not None and not is_ruled_out(moment):
            found = _misspelt(naming, module) or _taken(naming, module, before)
            if found is not None:
                yield found
        step = _step(moment, naming)
        if step is not None:
            before.append(step)
    yield from _bad_elsewhere(module)


# Registrations


def _naming(moment: Moment) -> _Naming | None:
    event, frame = moment.event, moment.frame
    if isinstance(event, Evaluated) and isinstance(event.term, Call):
        return _naming_call(event.term, moment)
    if not isinstance(event, Write) or not frame.is_self(event.base) or event.operator != "=":
        return None
    how = registered_by_value(frame.value(event.value))
    if how is None:
        return None
    span = frame.span(event.place)
    if isinstance(event.attribute, str):
        return _Naming(moment, how, "the assignment", span, None, event.attribute)
    return _Naming(moment, how, "setattr()", span, event.attribute)


def _naming_call(call: Call, moment: Moment) -> _Naming | None:
    """A call of torch's own method on the object; one that the project overrides is walked through instead."""
    callee, frame = call.callee, moment.frame
    name = last_name(callee)
    if name not in _CALLS or not isinstance(callee, Attribute):
        return None
    is_own = frame.is_self(callee.base) or isinstance(callee.base, Super)
    given = call.argument(0, "name")
    if not is_own or given is None or (frame.view and any(True for _ in frame.view.callees(call, frame))):
        return None
    return _Naming(moment, _CALLS[name], f"{name}()", frame.span(call.place), given)


def _misspelt(naming: _Naming, module: ModuleClass) -> BadName | None:
    """A name that torch refuses whatever the object has."""
    if naming.term is None:
        name = naming.name
        # Modules are not checked where they are assigned.
        return _bad(naming, module, Fault.DOT, name) if "." in name and naming.how is not Registration.MODULE else None
    if naming.call == "setattr()" and naming.how is Registration.MODULE:
        return None
    fault, name = _fault_of(naming.term, naming.moment.frame)
    if fault is Fault.NESTED and any(_tests_for_dots(region) for region, _ in naming.moment.guards()):
        return None
    return _bad(naming, module, fault, name) if fault is not None else None


def _fault_of(term: Term, frame: Frame) -> tuple[Fault | None, str]:
    """What is wrong with the text of a name, and the name as far as known."""
    value = frame.value(term)
    if value.kind is Kind.NUMBER:
        return Fault.NOT_TEXT, ""
    texts = sorted(strings_of(value))
    for text in texts:
        if not text or "." in text:
            return (Fault.DOT if text else Fault.EMPTY), text
    patterns = expressions_of(value) if not texts else frozenset()
    if patterns and all("\\." in pattern for pattern in patterns):
        return Fault.DOT, ""
    return (Fault.NESTED, "") if _is_of_named_state(term, frame) else (None, "")


def _is_of_named_state(term: Term, frame: Frame, depth: int = 6) -> bool:
    """True for a name that named_parameters() or its like gives, as it is or inside an f-string."""
    if isinstance(term, Item) and term.index == 0 and isinstance(term.base, Element):
        return _gives_dotted(term.base.iterable, frame)
    if depth and getattr(term, "operator", "") in ("f-string", "+"):
        return any(_is_of_named_state(part, frame, depth - 1) for part in term.parts)  # type: ignore[attr-defined]
    return False


def _gives_dotted(term: Term, frame: Frame) -> bool:
    if not isinstance(term, Call) or not isinstance(term.callee, Attribute):
        return False
    base = term.callee.base
    if term.callee.name == "items" and isinstance(base, Call):
        return last_name(base) == "state_dict"
    is_shallow = term.keyword("recurse") is not None or len(term.arguments) > 1
    layer = frame.value(base)
    is_leaf = layer.kind is Kind.MODULE and layer.made_by not in (None, "self", "instance", "annotation", *_DICTS)
    return term.callee.name in _DOTTED - {"state_dict"} and not is_shallow and not is_leaf


def _tests_for_dots(region: Region) -> bool:
    """True where a condition asks for something of the name: `if "." in name`."""
    return _has_dot(region.subject)


def _has_dot(term: Term, depth: int = 6) -> bool:
    if isinstance(term, Constant):
        return term.value == "."
    parts = getattr(term, "parts", ())
    return depth > 0 and any(_has_dot(part, depth - 1) for part in parts)


# Names that are taken


def _taken(naming: _Naming, module: ModuleClass, before: list[_Step]) -> BadName | None:
    """A registration under a name that the object has already."""
    names = _names_of(naming)
    if len(names) != 1:
        return None
    (name,) = names
    is_assigned = naming.term is None or naming.call == "setattr()"
    is_assigned_module = is_assigned and naming.how is Registration.MODULE
    place = _class_place(module, name)
    if place is not None:
        return _bad(naming, module, Fault.SHADOWED if is_assigned_module else Fault.CLASS, name, place)
    if _has_own(module, name):
        return None
    if name in _TAKEN_BY_TORCH and module.is_certain and not is_assigned_module:
        return _bad(naming, module, Fault.MEMBER, name)
    # An assigned Parameter or module first takes the name from whatever has it.
    earlier = None if is_assigned else _earlier(naming, name, before)
    return _bad(naming, module, Fault.TAKEN, name, earlier) if earlier is not None else None


def _names_of(naming: _Naming) -> frozenset[str]:
    if naming.term is None:
        return frozenset({naming.name})
    return strings_of(naming.moment.frame.value(naming.term))


def _has_own(module: ModuleClass, name: str) -> bool:
    """True where a class body of the project has something of the name: a property may raise, so that torch takes the
    name as free. An annotation without a value is nothing."""
    return any(
        name in one.outline.methods
        or (name in one.outline.values and (name not in one.outline.annotations or name in one.facts.values))
        for one in module.ancestors
    )


def _class_place(module: ModuleClass, name: str) -> Span | None:
    """Where a method, or a class-level value that is no descriptor, has the name."""
    for ancestor in module.ancestors:
        if name in ancestor.outline.methods and (method := ancestor.facts.methods.get(name)) is not None:
            return None if method.decorators else module.frame(method).span(method.place)
        if name in ancestor.outline.values and (value := ancestor.facts.values.get(name)) is not None:
            return Span(ancestor.path, *value.place) if isinstance(value, (Constant, Display)) else None
    return None


def _earlier(naming: _Naming, name: str, before: list[_Step]) -> Span | None:
    """Where an earlier step of the same run gives the object a plain attribute, or state of another kind, of that
    name; None where it does not, or where it is not known."""
    around = {id(region) for region in _regions(naming.moment)}
    found: Span | None = None
    kind: Registration | None = None
    for step in before:
        if (step.names and name not in step.names) or _outermost(step.moment) is not _outermost(naming.moment):
            continue
        if step.span is None or any(id(region) not in around for region in _regions(step.moment)):
            # Not on every way to here: it may be there or not, and what was there before may be gone.
            found, kind = None, None
        elif step.how is not None or kind is None:
            found, kind = step.span, step.how
    return found if kind is not naming.how else None


def _step(moment: Moment, naming: _Naming | None) -> _Step | None:
    """What an event does to the attributes of the object, if anything."""
    event, frame = moment.event, moment.frame
    if naming is not None:
        return _Step(moment, _names_of(naming), naming.how, naming.span)
    if isinstance(event, Write) and frame.is_self(event.base):
        names = {event.attribute} if isinstance(event.attribute, str) else strings_of(frame.value(event.attribute))
        # What is not known may be a module or Parameter, which the same kind replaces.
        is_known = frame.value(event.value).kind not in (Kind.UNKNOWN, Kind.OBJECT)
        return _Step(moment, frozenset(names), None, frame.span(event.place) if is_known else None) if names else None
    return _Step(moment, frozenset(), None, None) if _deletes(moment) else None


def _deletes(moment: Moment) -> bool:
    """True where an event takes something out of the object."""
    event, frame = moment.event, moment.frame
    if isinstance(event, Delete):
        return frame.is_self(event.base)
    if isinstance(event, ItemWrite):
        return event.operator == "del" and mentions(event.base, _REGISTRIES)
    term = event.term if isinstance(event, Evaluated) else None
    is_removal = isinstance(term, Call) and last_name(term.callee) in ("pop", "__delattr__", "clear")
    return is_removal and isinstance(term, Call) and mentions(term.callee, _REGISTRIES | {"__delattr__"})


def _regions(moment: Moment) -> tuple[Region, ...]:
    caller = moment.caller
    return (*moment.event.regions, *(_regions(caller) if caller is not None else ()))


def _outermost(moment: Moment) -> Frame:
    return moment.functions()[-1]


# Keys


def _bad_elsewhere(module: ModuleClass) -> Iterator[BadName]:
    """The names in other modules that the class builds, and the keys of ModuleDict, ParameterDict and Sequential."""
    for moment in all_moments(module):
        event, frame = moment.event, moment.frame
        if isinstance(event, ItemWrite) and event.operator == "=":
            made_by = frame.value(event.base).made_by or ""
            # A Sequential takes positions.
            if made_by in _DICTS and made_by != "torch.nn.Sequential":
                span = frame.span(event.place)
                naming = _Naming(
                    moment, Registration.MODULE, f"a new key of {made_by.rpartition('.')[2]}", span, event.index
                )
                yield from _bad_key(naming, made_by, module)
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            if last_name(event.term) in _CALLS:
                yield from _bad_in_another(event.term, moment, module)
            yield from _keys_of_new(event.term, moment, module)


def _bad_in_another(call: Call, moment: Moment, module: ModuleClass) -> Iterator[BadName]:
    """body.add_module("conv.1", layer), for a module that torch defines."""
    callee, frame, name = call.callee, moment.frame, last_name(call.callee)
    given = call.argument(0, "name")
    if name not in _CALLS or not isinstance(callee, Attribute) or frame.is_self(callee.base) or given is None:
        return
    receiver = frame.value(callee.base)
    if receiver.kind is Kind.MODULE and (receiver.made_by or "").startswith("torch."):
        naming = _Naming(moment, _CALLS[name], f"{name}()", frame.span(call.place), given)
        found = _misspelt(naming, module)
        if found is not None:
            yield found


def _keys_of_new(call: Call, moment: Moment, module: ModuleClass) -> Iterator[BadName]:
    if not call.arguments or last_name(call) not in _DICT_NAMES:
        return
    made_by = moment.frame.value(call).made_by or ""
    if made_by not in _DICTS:
        return
    for key in _keys(call.arguments[0], moment.frame):
        naming = _Naming(
            moment, Registration.MODULE, f"{made_by.rpartition('.')[2]}()", moment.frame.span(key.place), key
        )
        yield from _bad_key(naming, made_by, module)


def _bad_key(naming: _Naming, made_by: str, module: ModuleClass) -> Iterator[BadName]:
    assert naming.term is not None
    fault, name = _fault_of(naming.term, naming.moment.frame)
    if fault is None:
        value = naming.moment.frame.value(naming.term)
        taken = sorted(strings_of(value) & (_TAKEN_BY_TORCH | _DICTS[made_by]))
        fault, name = (Fault.MEMBER, taken[0]) if taken else (None, "")
    if fault is not None:
        yield _bad(naming, module, fault, name)


def _keys(term: Term, frame: Frame) -> Iterator[Term]:
    """The keys of a dict as it is written: a display, a comprehension, or an OrderedDict of pairs."""
    if isinstance(term, Display) and term.kind == "dict":
        yield from (key for key in term.keys if key is not None)
    elif isinstance(term, Comprehension) and term.kind == "dict":
        yield term.parts[0]
    elif isinstance(term, Call) and last_name(term) in ("OrderedDict", "dict") and term.arguments:
        pairs = term.arguments[0]
        parts = pairs.parts if isinstance(pairs, (Display, Comprehension)) else ()
        yield from (pair.parts[0] for pair in parts if isinstance(pair, Display) and len(pair.parts) == 2)


def _bad(naming: _Naming, module: ModuleClass, fault: Fault, name: str, taken: Span | None = None) -> BadName:
    method = naming.moment.frame.method
    symbol = f"{method.owner or module.facts.qualname}.{name or method.name}"
    return BadName(fault, name, symbol, naming.span, naming.call, taken)
