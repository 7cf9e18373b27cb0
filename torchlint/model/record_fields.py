"""Fields of records: what NamedTuples, dataclasses and objects that keep their arguments are given at construction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.events import Write
from torchlint.model.frames import last_name
from torchlint.model.names import Value
from torchlint.model.terms import Argument, Call, Constant, Display, Imported, Starred, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.frames import Frame

_DATACLASSES = frozenset(("dataclass", "define", "frozen", "attrs"))


def form_of(view: ModuleClass) -> str:
    """What kind of record a class is: "dataclass", "named tuple"; "" for any other class."""
    if "typing.NamedTuple" in view.foreign_bases:
        return "named tuple"
    return "dataclass" if any(last_name(one) in _DATACLASSES for one in view.facts.decorators) else ""


def fields_given(call: Call, frame: Frame) -> dict[str, Term]:
    """The fields that a call gives to the record which it makes, in order; none where it makes something else."""
    if any(isinstance(term, Starred) for term in call.arguments):
        return {}
    found = frame.evaluator.project.names.of_term(call.callee, frame.path)
    if isinstance(found, Value):
        return _given(call, _named_fields(found.term))
    facts = getattr(found, "facts", None)
    if found is None or facts is None or not facts.annotations or not form_of(found):  # type: ignore[arg-type]
        return {}
    return _given(call, tuple(facts.annotations))


def _given(call: Call, fields: tuple[str, ...]) -> dict[str, Term]:
    positional = dict(zip(fields, call.arguments, strict=False))
    return positional | {key: term for key, term in call.keywords if key in fields}


def _named_fields(term: Term) -> tuple[str, ...]:
    """The fields of collections.namedtuple("Pair", "left right")."""
    is_made = isinstance(term, Call) and isinstance(term.callee, Imported) and len(term.arguments) > 1
    if not is_made or last_name(term) != "namedtuple":
        return ()
    listed = term.arguments[1]  # type: ignore[attr-defined]
    if isinstance(listed, Constant) and isinstance(listed.value, str):
        return tuple(listed.value.replace(",", " ").split())
    parts = listed.parts if isinstance(listed, Display) else ()
    return tuple(str(part.value) for part in parts if isinstance(part, Constant))


def field_given(call: Call, name: str, frame: Frame) -> Term | None:
    """What a call gives to the attribute `name` of the object that it makes: to a field of a record, or to a parameter
    of `__init__` that is kept under that name and nowhere replaced."""
    given = fields_given(call, frame)
    if given:
        return given.get(name)
    made = frame.value(call)
    if made.made_by != "instance" or made.of is None:
        return None
    writes = made.of.state.writes(name)
    event = writes[0].event if len(writes) == 1 else None
    kept = event.value if isinstance(event, Write) and event.operator == "=" else None
    if not isinstance(kept, Argument) or writes[0].frame.function.name != "__init__":
        return None
    return call.argument(kept.index - 1, kept.name)
