"""What construction leaves on a child without registering it: self.head.offset = torch.zeros(3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.flow.uses import Use
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.refresh import answers_conversion
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Attribute, Call, Constant, Term
from torchlint.model.unregistered.leftovers import SHOWING, Leftover, is_left, reading_of
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_Read = tuple[Term, Frame, set[Use]]


def leftovers_on_children(module: ModuleClass) -> Iterator[Leftover]:
    """The plain tensors that construction puts on children, and that later methods of either compute with."""
    if module.state.registers_itself or not module.is_initialised:
        return
    for moment in module.construction:
        event, frame = moment.event, moment.frame
        child = _child(event, moment, module)
        if not child or not isinstance(event, Write) or not isinstance(event.attribute, str):
            continue
        value, view = frame.value(event.value), frame.value(event.base).of
        if value.kind is not Kind.TENSOR or not is_left(module, value) or not _stays_plain(view, event.attribute):
            continue
        reads = [] if _is_renewed(module, child, event.attribute) else _reads(module, view, child, event.attribute)
        for term, reader, uses in reads[:1]:
            yield Leftover(
                attribute=f"{child}.{event.attribute}",
                symbol=f"{frame.method.owner or module.facts.qualname}.{child}.{event.attribute}",
                span=frame.span(event.place),
                born=value.origin,
                read=reader.span(term.place),
                reader=reader.method.name,
                reading=reading_of(uses, value),
                is_callable=False,
            )


def _child(event: Event, moment: Moment, module: ModuleClass) -> str:
    """The child whose attribute an assignment gives a value; "" for any other event."""
    base = event.base if isinstance(event, Write) and event.operator == "=" else None
    if not isinstance(base, Attribute) or not moment.frame.is_self(base.base):
        return ""
    return base.name if module.state.registration(base.name) is Registration.MODULE else ""


def _stays_plain(view: ModuleClass | None, name: str) -> bool:
    """True for a name that the class of the child does not register, and gives no tensor of its own."""
    if view is None or not view.is_module or not view.is_certain or view.state.registers_itself:
        return False
    is_known = view.state.registration(name) is not None or view.has_setter(name) or view.method(name) is not None
    is_empty = not view.state.writes(name) or view.state.value(name).kind is Kind.NONE
    return not is_known and is_empty and not answers_conversion(view, name)


def _is_renewed(module: ModuleClass, child: str, name: str) -> bool:
    """True where another method assigns to the attribute of the child."""
    others = (method for method in module.methods if id(method) not in module.construction_functions)
    return any(
        isinstance(event, Write) and event.attribute == name and getattr(event.base, "name", "") == child
        for method in others
        for event in method.events
    )


def _reads(module: ModuleClass, view: ModuleClass, child: str, name: str) -> list[_Read]:
    """The reads that compute with the value: of the child's own methods, by getattr() too, and of the owner's."""
    found = [(event.term, frame) for event, frame in _later_events(view) if _asks_for(event.term, name, frame)]
    for event, frame in _later_events(module):
        base = event.term.base if isinstance(event.term, Attribute) and event.term.name == name else None
        if isinstance(base, Attribute) and base.name == child and frame.is_self(base.base):
            found.append((event.term, frame))
    uses = ((term, frame, module.project.uses.of(term, frame.function)) for term, frame in found)
    return [read for read in uses if read[2] - {Use.LOOKED_AT}]


def _later_events(view: ModuleClass) -> Iterator[tuple[Evaluated, Frame]]:
    """What the methods evaluate that run after construction and do not only show the object."""
    for method in view.methods:
        if id(method) not in view.only_building and method.name not in SHOWING:
            frame = view.frame(method)
            yield from ((event, frame) for event in method.events if isinstance(event, Evaluated))


def _asks_for(term: Term, name: str, frame: Frame) -> bool:
    """True for self.name, and for getattr(self, "name", None)."""
    if isinstance(term, Attribute):
        return term.name == name and term.known is None and frame.is_self(term.base)
    if not isinstance(term, Call) or last_name(term) != "getattr" or len(term.arguments) < 2:
        return False
    asked = term.arguments[1]
    return frame.is_self(term.arguments[0]) and isinstance(asked, Constant) and asked.value == name
