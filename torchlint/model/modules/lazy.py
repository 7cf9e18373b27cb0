"""Buffers that construction registers without a value and that a later method fills."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Write
from torchlint.model.frames import Moment
from torchlint.model.modules.registration import Registered, is_transient
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Call
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# A class that writes one of these, or registers one of these hooks, has its own way with a checkpoint.
_OWN_WAYS = ("_load_from_state_dict", "load_state_dict", "_save_to_state_dict", "state_dict", "get_extra_state")
_HOOKS = frozenset(
    """
    register_load_state_dict_pre_hook _register_load_state_dict_pre_hook register_load_state_dict_post_hook
    _register_state_dict_hook register_state_dict_post_hook
    """.split()
)


@dataclass(frozen=True, slots=True)
class LazyBuffer:
    """A persistent buffer that starts as None. filled, filler: where a later method gives it its value."""

    attribute: str
    symbol: str
    span: Span
    filled: Span
    filler: str


def lazy_buffers(module: ModuleClass) -> Iterator[LazyBuffer]:
    """The buffers whose saved value a fresh instance refuses, one for each registration."""
    candidates = [
        (name, call, call.moment)
        for name, calls in module.state.registrations.items()
        for call in calls
        if call.moment is not None and _starts_empty(call, call.moment) and _is_built(module, call.moment)
    ]
    if not candidates or _has_own_way(module):
        return
    for name, _, moment in candidates:
        filled = _filled(module, name, moment)
        if filled is not None and isinstance(moment.event, Evaluated):
            yield LazyBuffer(
                attribute=name,
                symbol=f"{moment.frame.method.owner or module.facts.qualname}.{name}",
                span=moment.frame.span(moment.event.term.place),
                filled=_span(filled),
                filler=filled.frame.method.name,
            )


def _is_built(module: ModuleClass, moment: Moment) -> bool:
    return id(moment.frame.function) in module.construction_functions


def _starts_empty(call: Registered, moment: Moment) -> bool:
    """True for register_buffer(name, None) of a buffer that is saved."""
    is_saved = call.how is Registration.BUFFER and isinstance(moment.event, Evaluated) and not is_transient(call)
    return is_saved and call.value is not None and moment.frame.value(call.value).kind is Kind.NONE


def _filled(module: ModuleClass, name: str, registered: Moment) -> Moment | None:
    """Where a later method first gives the buffer a value; None where construction itself may, or nothing does.

    torch refuses to put anything but a tensor or None under the name of a buffer: what is not None is a tensor.
    """
    later: list[Moment] = []
    for moment, value in _values(module, name):
        if value.kind is Kind.NONE:
            continue
        is_building = id(moment.frame.function) in module.only_building or _follows(module, moment, registered)
        if _is_built(module, moment) and is_building:
            return None
        later.append(moment)
    return later[0] if later else None


def _follows(module: ModuleClass, filled: Moment, registered: Moment) -> bool:
    """True where construction fills the buffer wherever it registers it."""
    around = {id(region) for region, _ in registered.guards()}
    is_certain = all(id(region) in around for region, _ in filled.guards())
    return is_certain and any(filled is moment for moment in module.construction)


def _values(module: ModuleClass, name: str) -> Iterator[tuple[Moment, TensorValue]]:
    """What is assigned to the buffer or registered under its name, everywhere in the class."""
    for moment in module.state.writes(name):
        if isinstance(moment.event, Write):
            yield moment, moment.frame.value(moment.event.value)
    for call in module.state.registrations.get(name, ()):
        if call.moment is not None and call.value is not None:
            yield call.moment, call.moment.frame.value(call.value)


def _has_own_way(module: ModuleClass) -> bool:
    """True where the class, or a base in the project, decides itself what a checkpoint holds or how it is loaded."""
    for name in _OWN_WAYS:
        method = module.method(name)
        if method is not None and not module.project.imports.defines_module(method.path):
            return True
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and getattr(event.term.callee, "name", "") in _HOOKS
        for function in module.methods
        if not module.project.imports.defines_module(function.path)
        for event in function.events
    )


def _span(moment: Moment) -> Span:
    event = moment.event
    place = event.place if isinstance(event, Write) else event.term.place  # type: ignore[attr-defined]
    return moment.frame.span(place)
