"""Who answers for an attribute: what takes it along in a conversion, and what renews or drops it on a load or a change
of mode."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import MODULE_MEMBERS
from torchlint.knowledge.modules import registered_by
from torchlint.model.events import Evaluated, Write
from torchlint.model.frames import Moment, last_name
from torchlint.model.modules.refresh import (
    answers_conversion,
    answers_load,
    deciding_attributes,
    runs_in_mode,
    touched_by,
)
from torchlint.model.modules.sightings import Sighting, sightings
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Call, Constant, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


class Persistence(Enum):
    """Whether state_dict() has a buffer."""

    PERSISTENT = "persistent"
    TRANSIENT = "not persistent"
    UNKNOWN = "persistence not known"


@dataclass(frozen=True, slots=True)
class Answer:
    """Who answers an event for an attribute: "torch", "_apply", "a load hook of the class" ..., and where.

    through: the other attribute that is set instead, whose test decides whether the value is made anew; "" for none.
    """

    by: str
    at: tuple[Sighting, ...] = ()
    through: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """Who answers the events that matter to an attribute.

    moved_by: who takes it along in .to() and .half(). loaded_by: who renews or drops it in load_state_dict().
    trained_by, evaluated_by: who does in train(True) and eval().
    """

    moved_by: tuple[Answer, ...]
    loaded_by: tuple[Answer, ...]
    trained_by: tuple[Answer, ...]
    evaluated_by: tuple[Answer, ...]


def answers_of(view: ModuleClass, name: str, stores: Iterable[Moment]) -> Answers:
    """Who answers for an attribute. stores: what assigns it after construction; the flags that decide count too."""
    registration = view.state.registration(name)
    flags = _deciding_flags(view, name, stores)
    return Answers(
        moved_by=(*_torch_moves(view, registration), *_of_all(_moved_by, view, name, flags)),
        loaded_by=(*_torch_loads(view, name, registration), *_of_all(_loaded_by, view, name, flags)),
        trained_by=_of_all(_trained_by, view, name, flags),
        evaluated_by=_of_all(_evaluated_by, view, name, flags),
    )


def _deciding_flags(view: ModuleClass, name: str, stores: Iterable[Moment]) -> tuple[str, ...]:
    """The other plain attributes whose test decides on a later store: to set one of them is to renew the value."""
    found = {flag for moment in stores for flag in deciding_attributes(moment)} - MODULE_MEMBERS - {name}
    return tuple(sorted(flag for flag in found if view.state.registration(flag) is None))


def _of_all(
    answers: Callable[[ModuleClass, str], Iterator[Answer]], view: ModuleClass, name: str, flags: tuple[str, ...]
) -> tuple[Answer, ...]:
    """What answers for the attribute itself, then for the flags that decide on it."""
    through = (replace(answer, through=flag) for flag in flags for answer in answers(view, flag))
    return (*answers(view, name), *through)


def persistence(view: ModuleClass, name: str) -> Persistence:
    """What the registrations of a buffer agree on; the buffers of torch's own layers are saved."""
    moments = [call.moment for call in view.state.registrations.get(name, ()) if call.moment is not None]
    calls = [moment.event.term for moment in moments if isinstance(moment.event, Evaluated)]
    made = [moment.event.value for moment in view.state.writes(name) if isinstance(moment.event, Write)]
    found = {_asked_persistence(term.argument(2, "persistent")) for term in calls if isinstance(term, Call)}
    found |= {
        _asked_persistence(term.argument(1, "persistent"))
        for term in made
        if isinstance(term, Call) and last_name(term) == "Buffer"
    }
    if not found:
        return Persistence.PERSISTENT if registering_base(view, name) else Persistence.UNKNOWN
    return found.pop() if len(found) == 1 else Persistence.UNKNOWN


def _asked_persistence(term: Term | None) -> Persistence:
    if term is None:
        return Persistence.PERSISTENT
    if not isinstance(term, Constant):
        return Persistence.UNKNOWN
    return Persistence.PERSISTENT if term.value else Persistence.TRANSIENT


def registering_base(view: ModuleClass, name: str) -> str:
    """The base outside the project that registers the attribute, by its dotted name; "" for none."""
    return next((base for base in view.foreign_bases if registered_by(base, name) is not None), "")


def _torch_moves(view: ModuleClass, registration: Registration | None) -> Iterator[Answer]:
    if registration is not None:
        yield Answer("a base class" if registration is Registration.OTHER else "torch")
    elif view.state.registers_itself:
        yield Answer("torch, if __setattr__ registers it")


def _moved_by(view: ModuleClass, name: str) -> Iterator[Answer]:
    own = _touching(view, view.walk("_apply"), name)
    if own:
        yield Answer("_apply", own)
    elif view.state.registration(name) is None and answers_conversion(view, name):
        yield Answer("the _apply of an owner that assigns an attribute of this name")


def _torch_loads(view: ModuleClass, name: str, registration: Registration | None) -> Iterator[Answer]:
    is_saved = registration is Registration.BUFFER and persistence(view, name) is Persistence.PERSISTENT
    if is_saved or registration in (Registration.PARAMETER, Registration.MODULE):
        yield Answer("torch")


def _loaded_by(view: ModuleClass, name: str) -> Iterator[Answer]:
    own = _touching(view, view.walk("_load_from_state_dict"), name)
    if own:
        yield Answer("_load_from_state_dict", own)
    elif answers_load(view, name):
        yield Answer("a load hook of the class")


def _trained_by(view: ModuleClass, name: str) -> Iterator[Answer]:
    moments = (moment for moment in view.walk("train") if runs_in_mode(moment) is not False)
    if own := _touching(view, moments, name):
        yield Answer("train", own)


def _evaluated_by(view: ModuleClass, name: str) -> Iterator[Answer]:
    moments = (moment for moment in view.walk("train", "eval") if runs_in_mode(moment) is not True)
    if own := _touching(view, moments, name):
        yield Answer("train or eval", own)


def _touching(view: ModuleClass, moments: Iterable[Moment], name: str) -> tuple[Sighting, ...]:
    return sightings(moment for moment in moments if touched_by((moment,), name, view))
