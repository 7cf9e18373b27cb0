"""Fields of records: what NamedTuples, dataclasses and objects that keep their arguments are given at construction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.events import Write
from torchlint.model.frames import last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import Argument, Call, Constant, Display, Imported, Starred, Term, mentions

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.facts import ClassFacts
    from torchlint.model.frames import Frame

_DATACLASSES = frozenset(("dataclass", "define", "frozen", "attrs", "s"))
_MADE_TUPLES = frozenset(("namedtuple", "NamedTuple"))


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
        return _given(call, fields_of_tuple(found.term))
    return _given(call, fields_of(found)) if hasattr(found, "ancestors") else {}  # type: ignore[arg-type]


def fields_of(view: ModuleClass) -> tuple[str, ...]:
    """The fields that the constructor of a dataclass or NamedTuple takes, in order, those of its bases first; none
    where the class has a constructor of its own, and of any other class."""
    if form_of(view) == "named tuple":
        return tuple(view.ancestors[-1].facts.annotations)
    if view.method("__init__") is not None:
        return ()
    records = [one.facts for one in reversed(view.ancestors) if form_of(one)]
    return tuple(dict.fromkeys(name for facts in records for name in facts.annotations if _is_given(name, facts)))


def _is_given(name: str, facts: ClassFacts) -> bool:
    """False for a value of the class, and for a field that is set later: field(init=False)."""
    made = facts.values.get(name)
    given = made.keyword("init") if isinstance(made, Call) else None
    is_later = isinstance(given, Constant) and given.value is False
    return not is_later and not mentions(facts.annotations[name], frozenset(("ClassVar",)))


def _given(call: Call, fields: tuple[str, ...]) -> dict[str, Term]:
    positional = dict(zip(fields, call.arguments, strict=False))
    return positional | {key: term for key, term in call.keywords if key in fields}


def fields_of_tuple(term: Term) -> tuple[str, ...]:
    """The fields of namedtuple("Pair", "left right") and of NamedTuple("Pair", [("left", Tensor), ("right", Tensor)]);
    none of any other term."""
    is_made = isinstance(term, Call) and isinstance(term.callee, Imported) and last_name(term) in _MADE_TUPLES
    listed = term.argument(1, "field_names") if isinstance(term, Call) and is_made else None
    if isinstance(listed, Constant) and isinstance(listed.value, str):
        return tuple(listed.value.replace(",", " ").split())
    parts = listed.parts if isinstance(listed, Display) else ()
    names = [part.parts[0] if isinstance(part, Display) and part.parts else part for part in parts]
    return tuple(str(name.value) for name in names if isinstance(name, Constant))


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
