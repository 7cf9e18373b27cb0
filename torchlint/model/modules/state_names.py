"""The names under which state is registered, and those that torch refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import MODULE_MEMBERS
from torchlint.model.evaluation.conditions import is_ruled_out
from torchlint.model.events import Delete, Evaluated, ItemWrite, Region, Write
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.dotted_names import is_of_named_state
from torchlint.model.modules.registration import Registration, registered_by_value
from torchlint.model.modules.sightings import every_moment
from torchlint.model.modules.taken_names import class_place, has_own
from torchlint.model.terms import (
    Attribute,
    Call,
    Constant,
    Super,
    Term,
    mentions,
)
from torchlint.model.values import Kind, expressions_of, strings_of
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

CALLS = {
    "register_buffer": Registration.BUFFER,
    "register_parameter": Registration.PARAMETER,
    "add_module": Registration.MODULE,
    "register_module": Registration.MODULE,
}
DICTS = {
    "torch.nn.ModuleDict": frozenset("keys items values pop clear update".split()),
    "torch.nn.ParameterDict": frozenset("keys items values pop clear update get copy fromkeys popitem".split()),
    "torch.nn.Sequential": frozenset("append extend insert pop".split()),
}
# The forward() of nn.Module, which only raises, takes the name as well.
TAKEN_BY_TORCH = MODULE_MEMBERS | {"forward"}
_REGISTRIES = frozenset("__dict__ _buffers _parameters _modules".split())


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
class Naming:
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
    """The registrations of a class, on its own object, that torch refuses."""
    if module.state.registers_itself:
        return
    before: list[_Step] = []
    for moment in every_moment(module):
        naming = _naming(moment)
        if naming is not None and not is_ruled_out(moment):
            found = misspelt(naming, module) or _taken(naming, module, before)
            if found is not None:
                yield found
        step = _step(moment, naming)
        if step is not None:
            before.append(step)


# Registrations


def _naming(moment: Moment) -> Naming | None:
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
        return Naming(moment, how, "the assignment", span, None, event.attribute)
    return Naming(moment, how, "setattr()", span, event.attribute)


def _naming_call(call: Call, moment: Moment) -> Naming | None:
    """A call of torch's own method on the object; one that the project overrides is walked through instead."""
    callee, frame = call.callee, moment.frame
    name = last_name(callee)
    if name not in CALLS or not isinstance(callee, Attribute):
        return None
    is_own = frame.is_self(callee.base) or isinstance(callee.base, Super)
    given = call.argument(0, "name")
    if not is_own or given is None or (frame.view and any(True for _ in frame.view.callees(call, frame))):
        return None
    return Naming(moment, CALLS[name], f"{name}()", frame.span(call.place), given)


def misspelt(naming: Naming, module: ModuleClass | None) -> BadName | None:
    """A name that torch refuses whatever the object has."""
    if naming.term is None:
        name = naming.name
        # Modules are not checked where they are assigned.
        return (
            bad_name(naming, module, Fault.DOT, name) if "." in name and naming.how is not Registration.MODULE else None
        )
    if naming.call == "setattr()" and naming.how is Registration.MODULE:
        return None
    fault, name = fault_of(naming.term, naming.moment.frame)
    if fault is Fault.NESTED and any(_tests_for_dots(region) for region, _ in naming.moment.guards()):
        return None
    return bad_name(naming, module, fault, name) if fault is not None else None


def fault_of(term: Term, frame: Frame) -> tuple[Fault | None, str]:
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
    return (Fault.NESTED, "") if is_of_named_state(term, frame) else (None, "")


def _tests_for_dots(region: Region) -> bool:
    """True where a condition asks for something of the name: `if "." in name`."""
    return _has_dot(region.subject)


def _has_dot(term: Term, depth: int = 6) -> bool:
    if isinstance(term, Constant):
        return term.value == "."
    parts = getattr(term, "parts", ())
    return depth > 0 and any(_has_dot(part, depth - 1) for part in parts)


# Names that are taken


def _taken(naming: Naming, module: ModuleClass, before: list[_Step]) -> BadName | None:
    """A registration under a name that the object has already."""
    names = _names_of(naming)
    if len(names) != 1:
        return None
    (name,) = names
    is_assigned = naming.term is None or naming.call == "setattr()"
    is_assigned_module = is_assigned and naming.how is Registration.MODULE
    if is_assigned and f"{name}.setter" in _methods(module):
        return None
    place = class_place(module, name, lambda other: _is_there(other, naming, before))
    if place is not None and is_assigned_module:
        # What construction takes out again afterwards nobody looks for.
        deleted = module.state.deleted.get(name, -1)
        is_certain = deleted < 0 or not module.construction[deleted].guards()
        is_left = module.state.is_after(naming.moment, deleted) or not is_certain
        return bad_name(naming, module, Fault.SHADOWED, name, place) if is_left else None
    if place is not None:
        return bad_name(naming, module, Fault.CLASS, name, place)
    if has_own(module, name):
        return None
    if name in TAKEN_BY_TORCH and module.is_certain and not is_assigned_module:
        return bad_name(naming, module, Fault.MEMBER, name)
    # An assigned Parameter or module first takes the name from whatever has it.
    earlier = None if is_assigned else _earlier(naming, name, before)
    return bad_name(naming, module, Fault.TAKEN, name, earlier) if earlier is not None else None


def _names_of(naming: Naming) -> frozenset[str]:
    if naming.term is None:
        return frozenset({naming.name})
    return strings_of(naming.moment.frame.value(naming.term))


def _methods(module: ModuleClass) -> frozenset[str]:
    return frozenset(name for one in module.ancestors for name in one.outline.methods)


def _is_there(name: str, naming: Naming, before: list[_Step]) -> bool:
    """True where an earlier step of the same run gives the object an attribute of that name, on every way to here."""
    around = {id(region) for region in _regions(naming.moment)}
    found = False
    for step in before:
        if name not in step.names or _outermost(step.moment) is not _outermost(naming.moment):
            found = found and bool(step.names)
        elif len(step.names) == 1 and all(id(region) in around for region in _regions(step.moment)):
            found = True
    return found


def _earlier(naming: Naming, name: str, before: list[_Step]) -> Span | None:
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


def _step(moment: Moment, naming: Naming | None) -> _Step | None:
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


def bad_name(naming: Naming, module: ModuleClass | None, fault: Fault, name: str, taken: Span | None = None) -> BadName:
    """module: None for a function that is no method of a module."""
    method = naming.moment.frame.method
    owner = method.owner or (module.facts.qualname if module is not None else naming.moment.frame.symbol)
    symbol = f"{owner}.{name or method.name}" if method.owner or module is not None or name else owner
    return BadName(fault, name, symbol, naming.span, naming.call, taken)
