"""Reports for people: `full` with the code and the places that a finding speaks of, `concise` on one line each."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TextIO

from torchlint.findings import Finding, Notification, Place, Severity
from torchlint.report.contents import Report
from torchlint.source import SourceError, Span

TAB_COLUMNS = 4
FRAME_COLUMNS = 140
FILES_IN_MEMORY = 8


@dataclass(frozen=True, slots=True)
class Palette:
    """The escape sequences for what a report stresses; empty texts where there is no colour."""

    error: str = ""
    warning: str = ""
    note: str = ""
    strong: str = ""
    faint: str = ""
    reset: str = ""

    def of(self, severity: Severity) -> str:
        """The colour of a severity."""
        return {Severity.ERROR: self.error, Severity.WARNING: self.warning, Severity.NOTE: self.note}[severity]


PLAIN = Palette()
COLOURED = Palette(
    error="\x1b[1;31m", warning="\x1b[1;33m", note="\x1b[1;36m", strong="\x1b[1m", faint="\x1b[36m", reset="\x1b[0m"
)


def write_concise(report: Report, stream: TextIO, palette: Palette) -> None:
    """Write one line for each finding: path:line:column: severity code[name] message."""
    for finding in report.findings:
        verdict = f" ({finding.verdict.value})" if finding.verdict is not None else ""
        stream.write(_headline(report, finding, palette) + verdict + "\n")


def write_full(report: Report, stream: TextIO, palette: Palette) -> None:
    """Write each finding with its code, then the code of its other places in the order in which things happen."""
    frames = _Frames(report, palette)
    for finding in report.findings:
        stream.write(_headline(report, finding, palette) + "\n")
        for line in frames.around(finding):
            stream.write(line + "\n")
        if finding.verdict is not None:
            verdict = f"{palette.strong}{finding.verdict.value}:{palette.reset}"
            stream.write(f"  {verdict} {printable(finding.evidence or '')}\n")
        stream.write(f"  {palette.faint}help:{palette.reset} torchlint rule {finding.code}\n\n")


def write_statistics(report: Report, stream: TextIO) -> None:
    """Write how many findings each rule has, the most frequent first."""
    counts = Counter((finding.code, finding.name) for finding in report.findings)
    for (code, name), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        stream.write(f"{count:5} {code} {name}\n")


def summary(report: Report) -> str:
    """What was done, in one sentence: shard, files, modules, findings by severity, files skipped."""
    by_severity = Counter(finding.severity for finding in report.findings)
    details = ", ".join(_count(by_severity[severity], severity.value) for severity in Severity if by_severity[severity])
    parts = [_count(len(report.findings), "finding") + (f" ({details})" if details else "")]
    if report.suppressed:
        parts.append(f"{len(report.suppressed)} suppressed")
    if report.skipped:
        parts.append(f"{_count(report.skipped, 'file')} skipped")
    part = f"shard {report.shard}, " if report.shard else ""
    return f"Checked {part}{_count(report.files, 'file')} with {_count(report.modules, 'module')}: {', '.join(parts)}."


def sentence(notification: Notification) -> str:
    """A notification as a line of standard error."""
    return f"{'error' if notification.fatal else 'note'}: {printable(notification.text)}"


def printable(text: str) -> str:
    """`text` on one line, without what a terminal could take for a command."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def _headline(report: Report, finding: Finding, palette: Palette) -> str:
    span, reset = finding.span, palette.reset
    place = f"{printable(report.shown(span.path))}:{span.line}:{span.column}"
    severity = f"{palette.of(finding.severity)}{finding.severity.value}{reset}"
    rule = f"{palette.strong}{finding.code}[{finding.name}]{reset}"
    return f"{palette.strong}{place}{reset}: {severity} {rule} {printable(finding.message)}"


class _Frames:
    """Code as it is shown under a finding; remembers the lines of the last files."""

    def __init__(self, report: Report, palette: Palette) -> None:
        self._report = report
        self._palette = palette
        self._lines = lru_cache(maxsize=FILES_IN_MEMORY)(self._read)

    def around(self, finding: Finding) -> Iterator[str]:
        """The lines of the frame: the finding's own code, then each related place."""
        places = [Place(finding.span, ""), *finding.related]
        width = len(str(max(place.span.line for place in places)))
        path = finding.span.path
        colour = self._palette.of(finding.severity)
        yield self._gutter("", width)
        line = 0
        for place in places:
            if place.span.path != path:
                path, line = place.span.path, 0
                yield self._gutter("", width, arrow=f"{printable(self._report.shown(path))}:{place.span.line}")
            code, marks = self._excerpt(place)
            if place.span.line != line:
                line = place.span.line
                yield self._gutter(str(line), width) + f" {code}"
            yield self._gutter("", width) + f" {colour}{marks}{self._palette.reset}"
            colour = self._palette.faint
        yield self._gutter("", width)

    def _excerpt(self, place: Place) -> tuple[str, str]:
        """The first line of the place, and the marks under it with what happens there."""
        lines = self._lines(place.span.path)
        if place.span.line > len(lines):
            return "", printable(place.text)
        code, marks = underlined(lines[place.span.line - 1], place.span)
        return code, f"{marks} {printable(place.text)}".rstrip()

    def _gutter(self, number: str, width: int, arrow: str = "") -> str:
        bar = f"--> {arrow}" if arrow else "|"
        return f"{self._palette.faint}{number:>{width + 1}} {bar}{self._palette.reset}"

    def _read(self, path: str) -> list[str]:
        try:
            return self._report.source(path).lines
        except SourceError:
            # The file is gone since it was checked; the finding is still worth its line.
            return []


def underlined(line: str, span: Span) -> tuple[str, str]:
    """`line` as a terminal shows it, and carets under the part of `span` on its first line.

    Tabs become TAB_COLUMNS spaces, wide characters count two columns, and of a very long line the part around the
    span is shown.
    """
    end_column = span.end_column if span.end_line == span.line else len(line) + 1
    before, marked = line[: span.column - 1], line[span.column - 1 : end_column - 1]
    after = line[span.column - 1 + len(marked) :]
    before, marked, after = (_as_shown(part) for part in (before, marked.rstrip(), after))
    if _columns(before) + _columns(marked) > FRAME_COLUMNS:
        before = "..." + before[-20:] if len(before) > 23 else before
        marked = marked[: FRAME_COLUMNS - len(before)]
    room = max(0, FRAME_COLUMNS - _columns(before) - _columns(marked))
    tail = after if len(after) <= room else after[: max(0, room - 3)] + "..."
    return (before + marked + tail).rstrip(), " " * _columns(before) + "^" * max(1, _columns(marked))


def _as_shown(text: str) -> str:
    return printable(text.replace("\t", " " * TAB_COLUMNS))


def _columns(text: str) -> int:
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
