"""Comments that silence findings: `# torchlint: ignore[TL101] reason`, -next-line, -file, and `# noqa: TL101`."""

from __future__ import annotations

import bisect
import io
import re
import token
from collections.abc import Container, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from torchlint.findings import Finding, Suppression
from torchlint.source import SourceFile, Span

if TYPE_CHECKING:
    from tokenize import TokenInfo

STATEMENT = "ignore"
NEXT_LINE = "ignore-next-line"
WHOLE_FILE = "ignore-file"
DIRECTIVES = (STATEMENT, NEXT_LINE, WHOLE_FILE)

_PRAGMA = re.compile(
    r"#\s*(?:torchlint:\s*(?P<own>[\w-]+)\s*(?:\[(?P<own_codes>[^\]#]*)\])?"
    r"|(?P<noqa>noqa)\s*:\s*(?P<noqa_codes>[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*))(?P<reason>[^#]*)",
    re.IGNORECASE,
)
_OUR_CODE = re.compile(r"TL\d{3}")
_LAYOUT = {token.NL, token.COMMENT, token.INDENT, token.DEDENT, token.ENDMARKER}


@dataclass(frozen=True, slots=True)
class Silenced:
    """The findings of a file divided by its comments.

    used, unused: the comments, cut down to the codes that silence something, and to those named in vain.
    """

    heard: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    used: tuple[Suppression, ...]
    unused: tuple[Suppression, ...]


def find_suppressions(source: SourceFile) -> tuple[Suppression, ...]:
    """The suppressions in `source`, in order; beyond the first text that is no Python nothing is found."""
    if b"torchlint" not in source.data and b"TL" not in source.data:
        return ()
    layout = _Layout.of(source.text)
    return tuple(
        suppression
        for comment in layout.comments
        for pragma in _PRAGMA.finditer(comment.string)
        if (suppression := _suppression(pragma, comment, layout, source.path)) is not None
    )


def apply(findings: Iterable[Finding], suppressions: Iterable[Suppression]) -> Silenced:
    """Divide the findings of one file by its suppressions; the first that fits silences a finding."""
    heard: list[Finding] = []
    suppressed: list[Finding] = []
    suppressions = tuple(suppressions)
    used: set[tuple[int, str]] = set()
    for finding in findings:
        fitting = [index for index, suppression in enumerate(suppressions) if _fits(suppression, finding)]
        used.update((index, finding.code) for index in fitting)
        if fitting:
            suppressed.append(replace(finding, suppression=_justification(suppressions[fitting[0]])))
        else:
            heard.append(finding)
    parts = [
        _parted(suppression, [code for at, code in used if at == index])
        for index, suppression in enumerate(suppressions)
    ]
    return Silenced(
        tuple(heard),
        tuple(suppressed),
        tuple(useful for useful, _ in parts if useful.codes),
        tuple(vain for whole, (_, vain) in zip(suppressions, parts, strict=True) if vain.codes or not whole.codes),
    )


def _parted(suppression: Suppression, used: Container[str]) -> tuple[Suppression, Suppression]:
    """A comment with the codes that are `used`, and with the others."""
    useful = tuple(code for code in suppression.codes if code in used)
    vain = tuple(code for code in suppression.codes if code not in used)
    return replace(suppression, codes=useful), replace(suppression, codes=vain)


def _fits(suppression: Suppression, finding: Finding) -> bool:
    return finding.code in suppression.codes and suppression.first_line <= finding.span.line <= suppression.last_line


def _justification(suppression: Suppression) -> str:
    return suppression.reason or f"{suppression.directive} {', '.join(suppression.codes)}"


@dataclass(slots=True)
class _Layout:
    """Where statements start and end (1-based lines, inclusive; decorators belong to them), and the comments."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    comments: list[TokenInfo] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> _Layout:
        import tokenize

        layout = cls()
        # The reader reports what is no Python; the comments before it still count.
        with suppress(tokenize.TokenError, SyntaxError):
            layout._read(text)
        return layout

    def _read(self, text: str) -> None:
        import tokenize

        start, begins, is_decorator = 0, True, False
        for one in tokenize.generate_tokens(io.StringIO(text).readline):
            if one.type == token.COMMENT:
                self.comments.append(one)
            elif one.type == token.NEWLINE:
                if not is_decorator:
                    self.starts.append(start)
                    self.ends.append(one.start[0])
                    start = 0
                begins = True
            elif begins and one.type not in _LAYOUT:
                start, begins, is_decorator = start or one.start[0], False, one.string == "@"

    def statement_at(self, line: int) -> tuple[int, int]:
        """The first and last line of the statement on `line`; the line alone where there is none."""
        index = bisect.bisect_right(self.starts, line) - 1
        if index >= 0 and line <= self.ends[index]:
            return self.starts[index], self.ends[index]
        return line, line

    def statement_after(self, line: int) -> tuple[int, int]:
        """The first and last line of the next statement that starts after `line`; the line alone if there is none."""
        index = bisect.bisect_right(self.starts, line)
        return (self.starts[index], self.ends[index]) if index < len(self.starts) else (line, line)


def _suppression(pragma: re.Match[str], comment: TokenInfo, layout: _Layout, path: str) -> Suppression | None:
    """The suppression that `pragma` writes, without codes if its directive is none; None for another tool's noqa."""
    directive = (pragma["own"] or pragma["noqa"]).lower()
    codes = tuple(filter(None, re.split(r"[,\s]+", (pragma["own_codes"] or pragma["noqa_codes"] or "").upper())))
    if pragma["noqa"]:
        codes = tuple(code for code in codes if _OUR_CODE.fullmatch(code))
        if not codes:
            return None
    elif directive not in DIRECTIVES:
        codes = ()
    line, offset = comment.start
    first_line, last_line = _reach(directive, line, layout)
    span = Span(path, line, offset + pragma.start() + 1, line, offset + len(pragma.string[: pragma.end()].rstrip()) + 1)
    return Suppression(span, directive, codes, pragma["reason"].strip(), first_line, last_line)


def _reach(directive: str, line: int, layout: _Layout) -> tuple[int, int]:
    if directive == WHOLE_FILE:
        return 1, max([line, *layout.ends])
    if directive == NEXT_LINE:
        return layout.statement_after(line)
    return layout.statement_at(line)
