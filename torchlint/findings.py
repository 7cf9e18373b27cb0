"""What a rule says (Hit) and what a user reads (Finding): plain immutable data with text spans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from torchlint.source import Span


class Severity(str, Enum):
    """How bad a finding is where it is true. A note is harmless today, or a matter of style."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for a note, 1 for a warning, 2 for an error."""
        return ("note", "warning", "error").index(self.value)


class Confidence(str, Enum):
    """How sure the analysis is that the pattern is there."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for low, 1 for medium, 2 for high."""
        return ("low", "medium", "high").index(self.value)


class Safety(str, Enum):
    """SAFE: the edit keeps what the program computes, bar the fault. REVIEW: a person must look."""

    SAFE = "safe"
    REVIEW = "review"


class Verdict(str, Enum):
    """What running the class showed."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` (in the original file) by `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A proposed change: all its edits or none."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety


@dataclass(frozen=True, slots=True)
class Place:
    """A second place that a finding speaks of, and what happens there."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule yields: the words for the page's sentence, and the places.

    span: the line that a maintainer would edit. symbol: the dotted name inside the file ("Scale.offset"), the
    finding's identity.
    because: the other places, in the order in which things happen; with the span they make the code flow.
    when: the variant of the page's message. confidence: None means the page's own.
    """

    span: Span
    symbol: str
    words: Mapping[str, str]
    because: tuple[Place, ...] = ()
    fix: Fix | None = None
    when: str = "default"
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A hit in the words of its rule's page, before the settings are asked. gravest: of the rule's messages."""

    code: str
    name: str
    gravest: Severity
    severity: Severity
    confidence: Confidence
    message: str
    span: Span
    symbol: str
    related: tuple[Place, ...] = ()
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One result. `key` is its identity for baselines and SARIF: "TL101:pkg.layers.Scale.offset"."""

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    span: Span
    key: str
    symbol: str
    related: tuple[Place, ...] = ()
    fix: Fix | None = None
    verdict: Verdict | None = None
    evidence: str | None = None
    suppression: str | None = field(default=None, compare=False)

    @property
    def order(self) -> tuple[Span, str, str]:
        """Reports are sorted by place, then by code."""
        return self.span, self.code, self.symbol


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment that silences findings. span: the comment. codes: the rules that it names, as written.

    first_line, last_line: where it holds, 1-based and inclusive. directive: "ignore", "noqa" ... as written.
    """

    span: Span
    directive: str
    codes: tuple[str, ...]
    reason: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Notification:
    """Something that the run could not do; `text` is a whole sentence. `fatal`: the exit code must be 2."""

    path: str | None
    line: int | None
    text: str
    fatal: bool = True


def hit(
    span: Span,
    symbol: str,
    *,
    because: tuple[Place, ...] = (),
    fix: Fix | None = None,
    when: str = "default",
    confidence: Confidence | None = None,
    **words: str,
) -> Hit:
    """A Hit whose keyword arguments are the page's placeholders."""
    return Hit(span, symbol, words, because, fix, when, confidence)
