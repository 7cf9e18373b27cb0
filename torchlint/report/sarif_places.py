"""Spans as SARIF places: URIs, regions, the code around them and the hash of their line."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote

import sarif_om

from torchlint.report.contents import Report
from torchlint.report.fingerprint import line_hashes
from torchlint.source import SourceError, Span

CONTEXT_LINES = 2
EXCERPT_LIMIT_CHARACTERS = 4_000
FILES_IN_MEMORY = 8
URIS_IN_MEMORY = 1_000


class Places:
    """Places in the files of a report; remembers URIs, and the text of the last files it was asked about."""

    def __init__(self, report: Report) -> None:
        self._root = report.root.resolve()
        self._report = report
        self._uri = lru_cache(maxsize=URIS_IN_MEMORY)(self._resolved_uri)
        self._text = lru_cache(maxsize=FILES_IN_MEMORY)(self._read)

    def bare(self, span: Span) -> Any:
        """The physical location of `span` without code."""
        return sarif_om.PhysicalLocation(artifact_location=self.artifact(span.path), region=region(span))

    def quoted(self, span: Span) -> Any:
        """The physical location of `span` with its code and the lines around it, where the file still has them."""
        place = self.bare(span)
        text = self._text(span.path)
        if text is None or span.end_line > len(text.lines):
            return place
        code, around = text.between(span), text.around(span)
        if len(around.snippet.text) <= len(code) or len(around.snippet.text) > EXCERPT_LIMIT_CHARACTERS:
            return place
        place.region.snippet = sarif_om.ArtifactContent(text=code)
        place.context_region = around
        return place

    def artifact(self, path: str) -> Any:
        """The file at `path`; a relative path starts at the root."""
        return sarif_om.ArtifactLocation(uri=self._uri(path))

    def line_hash(self, span: Span) -> str | None:
        """The hash of the first line of `span`; None when the file or the line is not there any more."""
        text = self._text(span.path)
        if text is None or span.line > len(text.line_hashes):
            return None
        return text.line_hashes[span.line - 1]

    # Links are resolved because code scanning shows nothing for a symbolic link.
    def _resolved_uri(self, path: str) -> str:
        resolved = (self._root / path).resolve()
        if not resolved.is_relative_to(self._root):
            return resolved.as_uri()
        return quote(os.fsencode(resolved.relative_to(self._root).as_posix()))

    def _read(self, path: str) -> _Text | None:
        try:
            source = self._report.source(path)
            return _Text(source.lines, line_hashes(source.data))
        except SourceError:
            return None


def region(span: Span) -> Any:
    """The SARIF region of `span`; both count lines and columns from 1 and exclude the end."""
    return sarif_om.Region(
        start_line=span.line,
        start_column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
    )


@dataclass(frozen=True)
class _Text:
    lines: list[str]
    line_hashes: list[str]

    def between(self, span: Span) -> str:
        lines = self.lines[span.line - 1 : span.end_line]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)

    def around(self, span: Span) -> Any:
        first = max(1, span.line - CONTEXT_LINES)
        last = min(len(self.lines), span.end_line + CONTEXT_LINES)
        content = sarif_om.ArtifactContent(text="\n".join(self.lines[first - 1 : last]))
        return sarif_om.Region(start_line=first, end_line=last, snippet=content)
