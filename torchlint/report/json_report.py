"""The report as JSON, for programs: {"version", "findings", "notifications"}."""

from __future__ import annotations

import json
from typing import Any, TextIO

from torchlint import __version__
from torchlint.findings import Finding, Fix, Notification
from torchlint.report.contents import Report
from torchlint.source import Span


def write_json(report: Report, stream: TextIO) -> None:
    """Write `report`; paths are relative to the working directory where they lie below it, ends are exclusive."""
    document = {
        "version": __version__,
        "findings": [_finding(finding, report) for finding in report.findings],
        "notifications": [_notification(notification, report) for notification in report.notifications],
    }
    json.dump(document, stream, indent=2)
    stream.write("\n")


def _finding(finding: Finding, report: Report) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "message": finding.message,
        **_span(finding.span, report),
        "key": finding.key,
        "related": [{"message": place.text, **_span(place.span, report)} for place in finding.related],
        "fix": _fix(finding.fix, report) if finding.fix else None,
        "verdict": finding.verdict.value if finding.verdict else None,
        "evidence": finding.evidence,
    }


def _fix(fix: Fix, report: Report) -> dict[str, Any]:
    return {
        "title": fix.title,
        "safety": fix.safety.value,
        "edits": [{**_span(edit.span, report), "text": edit.text} for edit in fix.edits],
    }


def _span(span: Span, report: Report) -> dict[str, Any]:
    return {
        "path": report.shown(span.path),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _notification(notification: Notification, report: Report) -> dict[str, Any]:
    return {
        "text": notification.text,
        "path": report.shown(notification.path) if notification.path else None,
        "line": notification.line,
        "fatal": notification.fatal,
    }
