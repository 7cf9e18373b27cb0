"""What one file gave: as objects for the report, and as plain data for the cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torchlint.findings import Confidence, Notification, Place, Said, Severity, Suppression
from torchlint.source import SourceError, Span


@dataclass(frozen=True, slots=True)
class FileResult:
    """All that a run says of one file, before the settings are asked.

    said: what judging it gave, also in other files. modules: how many nn.Module classes it defines. has_facts: whether
    it takes part in the project. error: why it was not analysed. trouble: what stopped the rules. problems: what
    stopped us in the files that it leads to, by path.
    """

    path: str
    said: tuple[Said, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    modules: int = 0
    has_facts: bool = False
    error: SourceError | None = None
    trouble: Notification | None = None
    problems: tuple[tuple[str, SourceError], ...] = ()

    @property
    def can_be_kept(self) -> bool:
        """Whether the next run may take it as it is: faults are met anew, and edits are made anew."""
        return self.error is None and self.trouble is None and all(one.fix is None for one in self.said)


def as_data(result: FileResult) -> tuple[Any, ...]:
    """A result that can be kept, as tuples of numbers and texts."""
    return (
        result.has_facts,
        result.modules,
        tuple(map(_said_data, result.said)),
        tuple((_span_data(one.span), *_rest_of(one)) for one in result.suppressions),
        tuple((path, error.reason, error.line, error.column, error.remark) for path, error in result.problems),
    )


def from_data(path: str, data: tuple[Any, ...]) -> FileResult:
    """The result that as_data wrote."""
    has_facts, modules, said, suppressions, problems = data
    return FileResult(
        path,
        tuple(map(_said_from, said)),
        tuple(Suppression(Span(*span), *rest) for span, *rest in suppressions),
        modules,
        has_facts,
        problems=tuple((file, SourceError(*error)) for file, *error in problems),
    )


def _rest_of(one: Suppression) -> tuple[Any, ...]:
    return one.directive, one.codes, one.reason, one.first_line, one.last_line


def _span_data(span: Span) -> tuple[Any, ...]:
    return span.path, span.line, span.column, span.end_line, span.end_column


def _said_data(said: Said) -> tuple[Any, ...]:
    related = tuple((_span_data(place.span), place.text) for place in said.related)
    grades = (said.gravest.value, said.severity.value, said.confidence.value)
    return said.code, said.name, *grades, said.message, _span_data(said.span), said.symbol, related


def _said_from(data: tuple[Any, ...]) -> Said:
    code, name, gravest, severity, confidence, message, span, symbol, related = data
    return Said(
        code,
        name,
        Severity(gravest),
        Severity(severity),
        Confidence(confidence),
        message,
        Span(*span),
        symbol,
        tuple(Place(Span(*where), text) for where, text in related),
    )
