"""Fields of settings that hold numbers far from 1: `floor: float = -1e9` in a class, read as `cfg.floor`."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.facts import ClassFacts
from torchlint.model.flow.origins import Origin, origins
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Constant, Operation, Term
from torchlint.model.values import Kind

_MOST = 1e4
_LEAST = 1e-4
_OPEN = frozenset((Kind.UNKNOWN, Kind.OBJECT, Kind.MODULE))


def fields_far_from_one(frame: Frame) -> frozenset[str]:
    """The names of the class-level values of a file that are such numbers; worked out once for a file."""
    top = frame.evaluator.project.top_of(frame.method)
    known: frozenset[str] | None = top.derived.get("fields far from one")
    if known is None:
        found = (name for one in _classes(frame) for name, term in one.values.items() if _is_far(default_of(term)))
        known = top.derived["fields far from one"] = frozenset(found)
    return known


def behind_field(term: Attribute, frame: Frame) -> Iterator[Origin]:
    """What an attribute was given where it is declared. Of an object that nobody knows, by the name alone, where one
    class of the file declares it."""
    if term.name not in fields_far_from_one(frame) or frame.value(term.base).kind not in _OPEN:
        return
    known = [(default_of(one), where) for one, where in origins(term, frame) if one is not term]
    if known:
        yield from known
        return
    project = frame.evaluator.project
    declared = [one.values[term.name] for one in _classes(frame) if term.name in one.values]
    if len(declared) == 1 and frame.value(term.base).kind is Kind.UNKNOWN:
        yield default_of(declared[0]), frame.evaluator.frame(project.top_of(frame.method), None)


def default_of(term: Term) -> Term:
    """The value in `field(default=value)`; any other term itself."""
    given = term.keyword("default") if isinstance(term, Call) and last_name(term) in ("field", "Field") else None
    return given if given is not None else term


def _classes(frame: Frame) -> tuple[ClassFacts, ...]:
    project = frame.evaluator.project
    facts = project.whole_facts(frame.path) if project.was_passed(frame.path) else None
    return tuple(facts.classes.values()) if facts is not None else ()


def _is_far(term: Term) -> bool:
    if isinstance(term, Operation) and len(term.parts) == 1:
        return _is_far(term.parts[0])
    if isinstance(term, Attribute):
        return isinstance(term.base, Call) and last_name(term.base) == "finfo"
    value = term.value if isinstance(term, Constant) else None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value != 0
    return is_number and not _LEAST <= abs(value) <= _MOST  # type: ignore[arg-type]
