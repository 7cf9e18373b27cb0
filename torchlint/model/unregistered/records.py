"""Records: dataclasses and named tuples on ordinary attributes, whose fields hold tensors that torch does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.evaluation.record_fields import fields_of_tuple, form_of
from torchlint.model.events import Return, Write
from torchlint.model.flow.uses import Use, parents_in
from torchlint.model.frames import Moment
from torchlint.model.modules.refresh import answers_conversion
from torchlint.model.names.names import Value
from torchlint.model.terms import Attribute, Call, Element, Item, Starred, Subscript, Term
from torchlint.model.unregistered.containers import Contents, PlainContainer
from torchlint.model.unregistered.leftovers import Reading, later_reads, reading_of, surviving
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


def plain_records(module: ModuleClass) -> Iterator[PlainContainer]:
    """The records that construction fills with tensors, and whose fields later methods read: one an assignment."""
    state = module.state
    if state.registers_itself or not module.is_initialised:
        return
    for name in state.names:
        writes = list(state.writes(name))
        if not any(_is_record(moment) for moment in writes) or not _is_left_alone(module, name, writes):
            continue
        for moment in surviving(writes):
            held = _tensors(moment) if _is_record(moment) else {}
            found = _described(module, name, moment, held) if held else None
            if found is not None:
                yield found


def _is_record(moment: Moment) -> bool:
    """True for self.x = Stats(mean, scale), where Stats is a dataclass or a named tuple of the project."""
    event = moment.event
    is_made = isinstance(event, Write) and event.operator == "=" and isinstance(event.value, Call)
    return is_made and bool(_form(moment)[0])


def _form(moment: Moment) -> tuple[str, list[str]]:
    """What kind of record an assignment makes, and its fields; "" for none."""
    frame, call = moment.frame, moment.event.value  # type: ignore[attr-defined]
    value = frame.value(call)
    # Of an object that is of one of two classes the class is not known.
    if value.kind is Kind.OBJECT and value.made_by == "instance" and value.of is not None:
        return form_of(value.of), list(value.of.facts.annotations)
    if value.kind not in (Kind.UNKNOWN, Kind.CONTAINER):
        return "", []
    found = frame.evaluator.project.names.of_term(call.callee, frame.path)
    fields = fields_of_tuple(found.term) if isinstance(found, Value) else ()
    return ("named tuple" if fields else ""), list(fields)


def _is_left_alone(module: ModuleClass, name: str, writes: list[Moment]) -> bool:
    """False where something else renews the record: later code, `_apply`, an owner."""
    is_built = all(id(moment.frame.function) in module.construction_functions for moment in writes)
    if not is_built or module.has_setter(name) or module.state.registration(name) is not None:
        return False
    is_owned = name in module.project.owners.assigned(module.path)
    return not is_owned and not answers_conversion(module, name) and not _is_written_into(module, name)


def _is_written_into(module: ModuleClass, name: str) -> bool:
    """True for self.x.mean = .., in whatever method."""
    return any(
        isinstance(event, Write) and isinstance(event.base, Attribute) and event.base.name == name
        for function in module.methods
        for event in function.events
    )


def _tensors(moment: Moment) -> dict[str, TensorValue]:
    """The fields of a record that are given tensors, and which are neither Parameters nor computed from them."""
    event, frame = moment.event, moment.frame
    assert isinstance(event, Write)
    assert isinstance(event.value, Call)
    call, fields = event.value, _form(moment)[1]
    if call.has_star_before(len(call.arguments)):
        first = call.arguments[0]
        is_all = isinstance(first, Starred) and len(call.inputs) == 1
        element = frame.value(first.value).element if isinstance(first, Starred) and is_all else None
        values = dict.fromkeys(fields, element) if element is not None else {}
    else:
        given = [*zip(fields, call.arguments, strict=False), *((key, term) for key, term in call.keywords if key)]
        values = {field: frame.value(term) for field, term in given}
    return {
        field: value
        for field, value in values.items()
        if value is not None
        and value.kind is Kind.TENSOR
        and not any(source.kind == "state" for source in value.sources)
    }


def _described(module: ModuleClass, name: str, moment: Moment, held: dict[str, TensorValue]) -> PlainContainer | None:
    event, frame = moment.event, moment.frame
    assert isinstance(event, Write)
    form, places = _form(moment)
    reads = [
        (read, term, field)
        for read, _ in later_reads(module, name)
        for term, field in _taken(read, places, form)
        if field in held
    ]
    uses = {id(term): module.project.uses.of(term, read.frame.function) - {Use.LOOKED_AT} for read, term, _ in reads}
    used = [(read, term, reading_of(uses[id(term)], held[field])) for read, term, field in reads if uses[id(term)]]
    used.sort(key=lambda one: one[2] is not Reading.COMPUTES)
    if not used:
        return None
    read, term, reading = used[0]
    return PlainContainer(
        attribute=name,
        symbol=f"{frame.method.owner or module.facts.qualname}.{name}",
        span=frame.span(event.place),
        filled=None,
        read=read.frame.span(term.place),
        reader=read.frame.method.name,
        container=form,
        contents=Contents.TENSORS,
        reading=reading,
    )


def _taken(read: Moment, places: list[str], form: str) -> Iterator[tuple[Term, str]]:
    """What a read takes out of the record, and the field that it is; of a tuple that is gone through, or handed on,
    the first."""
    record = getattr(read.event, "term", None)
    for parent in parents_in(read.frame.function).get(id(record), ()):
        if isinstance(parent, Attribute):
            yield parent, parent.name
        elif isinstance(parent, Item) and parent.index < len(places):
            yield parent, places[parent.index]
        elif isinstance(parent, Subscript) and parent.base is record:
            index = getattr(parent.index, "value", None)
            if isinstance(index, int) and -len(places) <= index < len(places):
                yield parent, places[index]
        elif isinstance(parent, (Element, Return, Starred)) and form == "named tuple" and isinstance(record, Term):
            yield record, places[0]
