"""Values by name: what a dict that is written out holds under each key, and what a record was given for each field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.evaluation.dict_items import is_changed, is_written_by_another_name, item_writes
from torchlint.model.evaluation.named_values import named, under
from torchlint.model.evaluation.record_fields import fields_given, form_of
from torchlint.model.events import Write
from torchlint.model.facts import Function
from torchlint.model.terms import Argument, Call, Constant, Display, Subscript, Term
from torchlint.model.values import UNKNOWN, Kind, TensorValue, join_all

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.frames import Frame

NAMESPACES = frozenset(("types.SimpleNamespace", "argparse.Namespace"))
_MAX_KEYS = 24


def of_display(term: Display, value: TensorValue, frame: Frame) -> TensorValue:
    """The value of a dict that is written out with plain keys, as the function that makes it leaves it."""
    if is_written_by_another_name(term, frame.function):
        return value.but(items=None, element=None)
    writes = item_writes(frame.function).get(id(term), ())
    keys = [*term.keys, *(write.index for write in writes)]
    parts = [*term.parts, *(write.value for write in writes)]
    if not 0 < len(keys) <= _MAX_KEYS or not any(_says_something(frame.value(part)) for part in parts):
        return value
    names = [key.value for key in keys if isinstance(key, Constant) and isinstance(key.value, str)]
    if len(names) < len(keys) or is_changed(term, frame.function):
        return value
    held: dict[str, list[TensorValue]] = {}
    for name, part in zip(names, parts, strict=True):
        held.setdefault(name, []).append(frame.value(part))
    return named(value, list(held), [join_all(values) for values in held.values()])


def _says_something(part: TensorValue) -> bool:
    return part.is_tensor or part.made_by == "dtype" or (part.kind is Kind.UNKNOWN and part.is_floating)


def of_subscript(term: Subscript, base: TensorValue, frame: Frame) -> TensorValue | None:
    """What a dict that came from elsewhere holds under a key; None where the function changes it, or knows less."""
    if base.kind is not Kind.CONTAINER or not isinstance(term.index, Constant):
        return None
    found = under(base, term.index.value)
    if found is None:
        return None
    return UNKNOWN if _is_changed_here(term.base, frame.function) else found


def _is_changed_here(base: Term, function: Function) -> bool:
    if item_writes(function).get(id(base)) or is_changed(base, function):
        return True
    if not isinstance(base, Argument):
        return False
    bases = (write.base for writes in item_writes(function).values() for write in writes)
    return any(isinstance(one, Argument) and one.index == base.index for one in bases)


def of_record(made: TensorValue, view: ModuleClass, call: Call, frame: Frame) -> TensorValue:
    """The object that a call makes of a plain class, with what the call gives to its fields or parameters."""
    given = fields_given(call, frame)
    if not given and not view.is_module and (init := view.method("__init__")) is not None:
        names = [parameter.name for parameter in init.parameters[1:]]
        terms = {name: call.argument(at, name) for at, name in enumerate(names)}
        given = {name: term for name, term in terms.items() if term is not None}
    if not given or len(given) > _MAX_KEYS:
        return made
    return named(made, list(given), [frame.value(term) for term in given.values()])


def of_namespace(name: str, call: Call, frame: Frame) -> TensorValue:
    """SimpleNamespace(x=1, y=2): an object with what the call gives to its attributes."""
    given = {key: frame.value(term) for key, term in call.keywords if key is not None}
    made = TensorValue(Kind.OTHER, made_by=name)
    is_all = len(given) == len(call.inputs) <= _MAX_KEYS
    return named(made, list(given), list(given.values())) if is_all and given else made


def of_field(base: TensorValue, name: str, frame: Frame) -> TensorValue | None:
    """What an object was given for an attribute, where nothing replaces it; None where that is not known."""
    if base.made_by in NAMESPACES:
        return under(base, name) if not _is_assigned(name, frame) else None
    if base.kind is not Kind.OBJECT or base.keys is None or base.of is None:
        return None
    view: ModuleClass = base.of
    writes = view.state.writes(name)
    if name in view.project.owners.assigned(view.path):
        return None
    if not writes:
        is_field = name in view.facts.annotations
        return under(base, name) if is_field and not _may_be_assigned(view, name, frame) else None
    event = writes[0].event
    is_kept = len(writes) == 1 and isinstance(event, Write) and event.operator == "="
    if not is_kept or not isinstance(event, Write) or not isinstance(event.value, Argument):
        return None
    return under(base, event.value.name) if writes[0].frame.function is view.method("__init__") else None


def _may_be_assigned(view: ModuleClass, name: str, frame: Frame) -> bool:
    """True where a function of the file assigns an attribute of that name; a NamedTuple takes no assignment."""
    return form_of(view) != "named tuple" and _is_assigned(name, frame)


def _is_assigned(name: str, frame: Frame) -> bool:
    """True where a function of the file assigns an attribute of that name on another object than its own."""
    project = frame.evaluator.project
    if not project.was_passed(frame.path):
        return True
    facts = project.top_of(frame.method).derived
    known: frozenset[str] | None = facts.get("assigned attributes")
    if known is None:
        pairs = ((event, one) for one in project.functions_in(frame.path) for event in one.function.events)
        writes = (event for event, one in pairs if isinstance(event, Write) and not one.is_self(event.base))
        known = facts["assigned attributes"] = frozenset(str(write.attribute) for write in writes)
    return name in known
