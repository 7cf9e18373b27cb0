"""Objects that keep what they were made with: `self.shadow = Shadow(model)` holds the model that its maker holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Write
from torchlint.model.flow.makers import makers
from torchlint.model.flow.same_object import Key, keys_of
from torchlint.model.frames import Frame
from torchlint.model.terms import Argument, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


def known_as(term: Term, frame: Frame) -> frozenset[Key]:
    """The names of an object, those included under which the function stores it on its own object."""
    keys = keys_of(term, frame)
    stored = {
        ("attribute", base, event.attribute)
        for event in frame.function.events
        if isinstance(event, Write) and isinstance(event.attribute, str) and keys_of(event.value, frame) & keys
        for base in keys_of(event.base, frame)
    }
    return keys | stored


def kept_by(holder: Term, view: ModuleClass, frame: Frame) -> dict[str, frozenset[Key]]:
    """What the attributes of an object of the project are, by the names that its maker has for what it was given."""
    made_in = view.method("__init__")
    if made_in is None:
        return {}
    kept = list(_kept_arguments(view.frame(made_in)))
    found: dict[str, frozenset[Key]] = {}
    for call, where in makers(holder, frame) if kept else ():
        if where.value(call).of is view:
            for name, argument in kept:
                given = call.argument(argument.index - 1, argument.name)
                if given is not None:
                    found[name] = found.get(name, frozenset()) | known_as(given, where)
    return found


def _kept_arguments(made_in: Frame) -> Iterator[tuple[str, Argument]]:
    """The attributes that a constructor sets to its own arguments."""
    for event in made_in.function.events:
        if not isinstance(event, Write) or not isinstance(event.attribute, str):
            continue
        if isinstance(event.value, Argument) and made_in.is_self(event.base) and not made_in.is_self(event.value):
            yield event.attribute, event.value
