"""The attributes of a class one by one: what they hold, where they are born, and who writes, reads and renews them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import layer_state
from torchlint.model.events import Delete, Evaluated, Write
from torchlint.model.frames import Moment, is_decorated, last_name, self_use
from torchlint.model.modules.answers import Answers, Persistence, answers_of, persistence, registering_base
from torchlint.model.modules.refresh import touched_by
from torchlint.model.modules.sightings import Sighting, every_moment, guarded_sightings, is_in_construction, sightings
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Call, Term
from torchlint.model.values import TENSORS, Kind, TensorValue, join_all
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


# What values carry in place of a maker: no names that a person wrote.
_MARKS = ("instance", "self")


class Group(Enum):
    """What torch makes of an attribute, or what a plain one holds."""

    PARAMETER = "parameter"
    BUFFER = "buffer"
    MODULE = "module"
    REGISTERED = "registered"
    TENSOR = "tensor"
    CONTAINER = "container"
    UNKNOWN = "unknown"
    PLAIN = "plain"
    PROPERTY = "property"


@dataclass(frozen=True, slots=True)
class Held:
    """What an attribute holds, as far as known; None means "not known".

    dtype: a torch dtype, or "floating", "integral", "complex". ndim: the number of dimensions. made_by: the dotted name
    of the function or class that made it. element: the kind of a container's elements. constant: a Python constant as
    source text. holds_tensors: a callable that keeps tensors. is_given: a tensor of the caller's.
    is_later_unknown: this is what construction leaves, and what later writes make of it is not known.
    """

    kind: str
    dtype: str | None = None
    device: str | None = None
    ndim: int | None = None
    made_by: str | None = None
    element: str | None = None
    constant: str | None = None
    holds_tensors: bool = False
    is_given: bool = False
    is_later_unknown: bool = False


@dataclass(frozen=True, slots=True)
class AttributePortrait:
    """One attribute of the instances of a class.

    born: assignments and registrations of construction and of the class body. born_in: the base outside the project
    that registers it, or "". written: assignments after construction. changed: other changes of what it holds.
    is_assigned_outside: methods of the same file assign this name on other objects than their own.
    """

    name: str
    group: Group
    held: Held
    persistence: Persistence | None
    born: tuple[Sighting, ...]
    born_in: str
    written: tuple[Sighting, ...]
    changed: tuple[Sighting, ...]
    read: tuple[Sighting, ...]
    deleted: tuple[Sighting, ...]
    answers: Answers
    is_assigned_outside: bool


def attributes(view: ModuleClass) -> tuple[AttributePortrait, ...]:
    """Every attribute that the class is known to have: in the order of its groups, then of its first assignment."""
    moments = tuple(every_moment(view))
    order = {id(moment.event): position for position, moment in enumerate(moments)}
    first = {name: _first_position(view, name, order) for name in _names(view)}
    groups = list(Group)
    found = (_attribute(view, name, moments) for name in sorted(first, key=lambda name: (first[name], name)))
    return tuple(sorted(found, key=lambda one: groups.index(one.group)))


def _first_position(view: ModuleClass, name: str, order: Mapping[int, int]) -> int:
    return min((order.get(id(moment.event), len(order)) for moment in _assignments(view, name)), default=len(order))


def _assignments(view: ModuleClass, name: str) -> tuple[Moment, ...]:
    """The registrations and the assignments of an attribute."""
    calls = view.state.registrations.get(name, ())
    return (*(call.moment for call in calls if call.moment is not None), *view.state.writes(name))


def names_read(view: ModuleClass) -> dict[str, None]:
    """The names that methods read from the object, methods called on it included, in order."""
    found: dict[str, None] = {}
    for function in view.methods:
        uses = [self_use(function)]
        while uses:
            use = uses.pop()
            found.update(dict.fromkeys(use.reads))
            uses += [inner for _, inner in use.inner]
    return {name: None for name in found if view.state.reads(name)}


def _names(view: ModuleClass) -> Iterator[str]:
    names = dict.fromkeys((*view.state.registrations, *view.state.names))
    for ancestor in view.ancestors:
        names.update(dict.fromkeys((*ancestor.facts.values, *ancestor.facts.annotations)))
        properties = (name for name, method in ancestor.facts.methods.items() if _is_property(view, method.name))
        names.update(dict.fromkeys(name for name in properties if "." not in name))
    for base in view.foreign_bases:
        names.update(dict.fromkeys(name for names in layer_state(base) for name in names))
    nested = {name for name in names for ancestor in view.ancestors if nests_class(ancestor, name)}
    return (name for name in names if not name.startswith("__") and name not in nested)


def nests_class(view: ModuleClass, name: str) -> bool:
    """True where the body of the class defines a class of this name."""
    return view.project.view_of(view.path, f"{view.qualname}.{name}") is not None


def _is_property(view: ModuleClass, name: str) -> bool:
    method = view.method(name)
    return method is not None and (is_decorated(method, "property") or is_decorated(method, "cached_property"))


def _attribute(view: ModuleClass, name: str, moments: tuple[Moment, ...]) -> AttributePortrait:
    value, is_later_unknown = _value(view, name)
    registration = view.state.registration(name)
    assigned = _assignments(view, name)
    later = [moment for moment in assigned if not is_in_construction(moment, view)]
    return AttributePortrait(
        name=name,
        group=_group(view, name, registration, value),
        held=_held(value, is_later_unknown=is_later_unknown),
        persistence=persistence(view, name) if registration is Registration.BUFFER else None,
        born=(
            *_in_class_body(view, name),
            *sightings(moment for moment in assigned if is_in_construction(moment, view)),
        ),
        born_in=registering_base(view, name),
        written=guarded_sightings(later),
        changed=guarded_sightings(moment for moment in moments if _is_changed(moment, name, view)),
        read=sightings(view.state.reads(name)),
        deleted=guarded_sightings(moment for moment in moments if _is_deleted(moment, name, view)),
        answers=answers_of(view, name, later),
        is_assigned_outside=name in view.project.owners.assigned(view.path),
    )


def _group(view: ModuleClass, name: str, registration: Registration | None, value: TensorValue) -> Group:
    if registration is not None:
        return Group.REGISTERED if registration is Registration.OTHER else Group(registration.value)
    if not view.state.writes(name) and _is_property(view, name):
        return Group.PROPERTY
    if value.kind in TENSORS or value.captures:
        return Group.TENSOR
    if value.kind is Kind.UNKNOWN:
        return Group.UNKNOWN
    return Group.CONTAINER if value.kind is Kind.CONTAINER else Group.PLAIN


def _value(view: ModuleClass, name: str) -> tuple[TensorValue, bool]:
    """What the attribute holds; where that is not known because of later writes, what construction leaves, and True."""
    value = view.state.value(name)
    if value.kind is not Kind.UNKNOWN:
        return value, False
    built = join_all(
        moment.frame.value(moment.event.value)
        for moment in view.state.writes(name)
        if isinstance(moment.event, Write) and is_in_construction(moment, view)
    )
    return (built, True) if built.kind not in (Kind.UNKNOWN, Kind.NONE) else (value, False)


def _held(value: TensorValue, *, is_later_unknown: bool) -> Held:
    is_plain = isinstance(value.constant, (bool, int, float, str))
    return Held(
        kind=value.kind.value,
        dtype=value.dtype,
        device=value.device,
        ndim=value.ndim,
        made_by=_maker(value),
        element=value.element.kind.value if value.element is not None else None,
        constant=repr(value.constant) if is_plain else None,
        holds_tensors=bool(value.captures),
        is_given=value.is_given,
        is_later_unknown=is_later_unknown,
    )


def _maker(value: TensorValue) -> str | None:
    """The class of an object or layer, else the function that made the value."""
    qualname = getattr(value.of, "qualname", None)
    if isinstance(qualname, str):
        return qualname
    return None if value.made_by in _MARKS else value.made_by


def _in_class_body(view: ModuleClass, name: str) -> Iterator[Sighting]:
    """The class-level value, annotation or property that an instance sees."""
    method = view.method(name)
    if method is not None:
        yield Sighting("", view.frame(method).span(method.place))
        return
    for ancestor in view.ancestors:
        term = ancestor.facts.values.get(name) or ancestor.facts.annotations.get(name)
        if term is not None:
            yield Sighting("", _span_in(ancestor, term))
            return


def _span_in(ancestor: ModuleClass, term: Term) -> Span:
    return Span(ancestor.path, *term.place)


def _is_changed(moment: Moment, name: str, view: ModuleClass) -> bool:
    """True for self.name[..] = x, self.name.copy_(x), self.name.clear() and their like; no assignment, no `del`."""
    event = moment.event
    if isinstance(event, (Write, Delete)):
        return False
    is_registration = (
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and last_name(event.term.callee).startswith("register_")
    )
    return not is_registration and touched_by((moment,), name, view)


def _is_deleted(moment: Moment, name: str, view: ModuleClass) -> bool:
    return isinstance(moment.event, Delete) and touched_by((moment,), name, view)
