"""What the model knows of the line that a fact is about, in the words of fact_lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from fact_lines import Claim, Facets

from torchlint.model.autocast.regions import autocast_around
from torchlint.model.evaluation.operators import held
from torchlint.model.events import Event, RegionKind
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.frames import Frame, Moment
from torchlint.model.project import Project
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Constant,
    Global,
    Imported,
    Operation,
    Place,
    Term,
)
from torchlint.model.values import Kind, TensorValue
from torchlint.reading.expressions import ExpressionReader
from torchlint.reading.reader import read
from torchlint.source import SourceFile

_Terms = dict[Place, Term]


class KnownProject:
    """The model of some files, with the term of every expression in them by its place."""

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._terms: dict[str, _Terms] = {}
        facts = {}
        for path in paths:
            source = SourceFile.load(path)
            with _listening() as terms:
                facts[str(path)] = read(source, ast.parse(source.data))
            self._terms[str(path)] = terms
        self._project = Project(facts)

    def facets(self, claim: Claim) -> Facets:
        """What the model knows of the claim's line. Raises LookupError where the model has nothing on that line."""
        frame = self._frame(claim)
        known: Facets = {}
        if "kind" in claim.facets:
            known |= _value_facets(self._value(claim, frame))
        if "registration" in claim.facets:
            known["registration"] = _registration(claim, frame)
        if claim.facets.keys() & {"autocast", "gradients", "holds", "loop"}:
            known |= _region_facets(_event(claim, frame), frame)
        return known

    def _frame(self, claim: Claim) -> Frame:
        for frame in self._project.functions_in(str(claim.path)):
            is_top = frame.function.name == "<module>"
            if is_top if claim.scope == 0 else not is_top and frame.function.place[0] == claim.scope:
                return frame
        raise LookupError(f"the model has no function at line {claim.scope}")

    def _value(self, claim: Claim, frame: Frame) -> TensorValue:
        if isinstance(claim.statement, ast.AugAssign):
            place = _place(claim.statement)
            return next(frame.value(term) for term in _evaluated(frame) if term.place == place)
        if claim.expression is None:
            raise LookupError("the statement has no value")
        return frame.value(self._terms[str(claim.path)][_place(claim.expression)])


@cache
def known_project(paths: tuple[Path, ...]) -> KnownProject:
    """The model of some files, made once."""
    return KnownProject(paths)


@contextmanager
def _listening() -> Iterator[_Terms]:
    """Collect the terms that the reader makes, by the places of their expressions."""
    terms: _Terms = {}
    original = ExpressionReader.read

    def read_and_note(reader: ExpressionReader, node: object, tree: ast.AST | None) -> Term:
        term = original(reader, node, tree)  # type: ignore[arg-type]
        if isinstance(tree, ast.expr):
            terms[_place(tree)] = term
        return term

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ExpressionReader, "read", read_and_note)
        yield terms


def _place(node: ast.expr | ast.stmt) -> Place:
    """The place of a node. Facts files are ASCII, so bytes are code points."""
    return node.lineno, node.col_offset + 1, node.end_lineno or 0, (node.end_col_offset or 0) + 1


def _evaluated(frame: Frame) -> Iterator[Term]:
    return (event.term for event in frame.function.events if hasattr(event, "term"))


# Facets


def _value_facets(value: TensorValue) -> Facets:
    element = held(value) if value.kind is Kind.CONTAINER else None
    return {
        "kind": value.kind.value,
        "dtype": value.dtype or "?",
        "ndim": "?" if value.ndim is None else f"{value.ndim}-dim",
        "device": value.device or "?",
        "gradient": "detached" if value.detached else "attached",
        "sources": _sources(value),
        "made_by": value.made_by or "?",
        "of": _class_name(value),
        "element": "?" if element is None else element.kind.value + (f" {element.dtype}" if element.dtype else ""),
    }


def _sources(value: TensorValue) -> str:
    names = {source.name if source.kind == "argument" else f"self.{source.name}" for source in value.sources}
    return ", ".join(sorted(names)) or "nothing"


def _class_name(value: TensorValue) -> str:
    """The class of an object, or the function of a callable (a closure holds its function)."""
    named = getattr(value.of, "function", value.of)
    return str(getattr(named, "name", "?"))


def _registration(claim: Claim, frame: Frame) -> str:
    if claim.attribute is None or frame.view is None:
        raise LookupError("the statement is not about an attribute of self")
    how = frame.view.state.registration(claim.attribute.attr)
    return "plain" if how is None else f"registered {how.value}"


def _event(claim: Claim, frame: Frame) -> Event:
    """The first event of the claim's statement."""
    for event in frame.function.events:
        place = event.term.place if hasattr(event, "term") else getattr(event, "place", None)
        if place is not None and claim.statement.lineno <= place[0] <= (claim.statement.end_lineno or 0):
            return event
    raise LookupError("nothing happens in the statement")


def _region_facets(event: Event, frame: Frame) -> Facets:
    regions = reversed(event.guards())
    guards = [_written(one.subject) if one.holds else _denied(one.subject) for one in regions]
    return {
        "autocast": _autocast(event, frame),
        "gradients": "off" if grad_is_off(Moment(event, frame), frame.evaluator) else "on",
        "holds": ", ".join(guards) or "nothing",
        "loop": "in loop" if any(region.kind is RegionKind.LOOP for region in event.regions) else "in no loop",
    }


def _denied(condition: Term) -> str:
    text = _written(condition)
    return (
        f"not ({text})" if isinstance(condition, Operation) and condition.operator in ("and", "or") else f"not {text}"
    )


def _autocast(event: Event, frame: Frame) -> str:
    found = autocast_around(event, frame, frame.evaluator)
    if found is None:
        return "outside"
    return "in island" if found.is_island else f"in autocast {found.dtype or '?'}"


def _written(term: Term) -> str:
    """A condition as the program writes it, locals replaced by what was assigned to them."""
    if isinstance(term, Argument | Global | Imported):
        return term.name
    if isinstance(term, Captured):
        return _written(term.value)
    if isinstance(term, Constant):
        return repr(term.value)
    if isinstance(term, Attribute):
        return f"{_written(term.base)}.{term.name}"
    if isinstance(term, Call):
        return f"{_written(term.callee)}({', '.join(map(_written, term.inputs))})"
    if isinstance(term, Operation):
        parts = [_written(part) for part in term.parts]
        return f"{term.operator} {parts[0]}" if len(parts) == 1 else f" {term.operator} ".join(parts)
    return "?"
