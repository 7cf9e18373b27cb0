"""Findings, rule pages and notifications as sarif-om objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import sarif_om

from torchlint import __version__
from torchlint.findings import Finding, Fix, Notification, Place, Safety, Severity, Verdict
from torchlint.pages import Page, render
from torchlint.report.contents import Report
from torchlint.report.sarif_places import Places, region
from torchlint.source import Span

PROJECT_URI = "https://github.com/torchlint/torchlint"
RULE_PAGE_URI = PROJECT_URI + "/blob/main/rules/{code}.md"
SCHEMA_URI = "https://json.schemastore.org/sarif-2.1.0.json"

_FAMILIES = {"1": "module-state", "2": "construction", "3": "conversion", "4": "autocast"}
_PROBLEM_SEVERITIES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
_FIRST_SENTENCE = re.compile(r".+?(?:[.!?](?=\s)|$)")
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_GRADES = 9
_CLAUSES = {
    Verdict.CONFIRMED: " Confirmed by running it.",
    Verdict.REFUTED: " Refuted by running it.",
}


def log_without_results(
    notifications: Sequence[Notification], pages: Mapping[str, Page], places: Places, part: dict[str, Any] | None
) -> Any:
    """The log of one run whose list of results is still empty. part: which part of a whole it is, as properties."""
    driver = sarif_om.ToolComponent(
        name="torchlint",
        version=__version__,
        semantic_version=__version__,
        information_uri=PROJECT_URI,
        rules=[_rule(page) for page in pages.values()],
    )
    run = sarif_om.Run(
        tool=sarif_om.Tool(driver=driver),
        automation_details=sarif_om.RunAutomationDetails(id="torchlint/"),
        column_kind="unicodeCodePoints",
        newline_sequences=["\r\n", "\n", "\r"],
        invocations=[_invocation(notifications, places)],
        results=[],
        properties=part,
    )
    return sarif_om.SarifLog(version="2.1.0", schema_uri=SCHEMA_URI, runs=[run])


def part_of_run(report: Report, places: Places) -> dict[str, Any] | None:
    """What `torchlint merge` must know of the log of a shard; None for the log of a whole run."""
    if report.shard is None:
        return None
    used = [
        {
            "uri": places.artifact(one.span.path).uri,
            "line": one.span.line,
            "column": one.span.column,
            "codes": one.codes,
        }
        for one in report.used_elsewhere
    ]
    return {"shard": str(report.shard), "usedElsewhere": used}


def result(finding: Finding, rule_index: int, places: Places) -> Any:
    """The SARIF result for `finding`; `rule_index` counts the log's rules from 0, -1 means that the rule is missing."""
    return sarif_om.Result(
        rule_id=finding.code,
        rule_index=rule_index,
        level=finding.severity.value,
        message=sarif_om.Message(text=_linked_message(finding)),
        locations=[_primary_location(finding, places)],
        related_locations=_related_locations(finding, places),
        code_flows=_code_flows(finding, places),
        partial_fingerprints=_fingerprints(finding, places),
        fixes=[_fix(finding.fix, places)] if finding.fix else None,
        suppressions=_suppressions(finding),
        rank=_rank(finding),
        properties=_properties(finding),
    )


def _rule(page: Page) -> Any:
    why = page.sections["Why it matters"]
    return sarif_om.ReportingDescriptor(
        id=page.code,
        name=page.name,
        short_description=sarif_om.MultiformatMessageString(text=_FIRST_SENTENCE.findall(page.summary)[0]),
        full_description=sarif_om.MultiformatMessageString(text=page.summary, markdown=f"{page.paragraph}\n\n{why}"),
        help=sarif_om.MultiformatMessageString(text=render(page), markdown=f"# {page.code} {page.name}\n\n{page.body}"),
        help_uri=RULE_PAGE_URI.format(code=page.code),
        default_configuration=sarif_om.ReportingConfiguration(level=page.severity.value),
        properties={
            "tags": ["pytorch", "correctness", *_family(page)],
            "precision": page.confidence.value,
            "problem.severity": _PROBLEM_SEVERITIES[page.severity],
        },
    )


def _family(page: Page) -> list[str]:
    family = _FAMILIES.get(page.code[2])
    return [family] if family else []


def _invocation(notifications: Sequence[Notification], places: Places) -> Any:
    return sarif_om.Invocation(
        execution_successful=not any(notification.fatal for notification in notifications),
        tool_execution_notifications=[_notification(notification, places) for notification in notifications],
    )


def _notification(notification: Notification, places: Places) -> Any:
    # A file name that is not UTF-8 reaches the text as lone surrogates, which JSON readers refuse.
    text = notification.text.encode("utf-8", "backslashreplace").decode()
    return sarif_om.Notification(
        message=sarif_om.Message(text=_literal(text)),
        level="error" if notification.fatal else "warning",
        locations=_notification_locations(notification, places),
    )


def _notification_locations(notification: Notification, places: Places) -> list[Any] | None:
    if notification.path is None:
        return None
    line = notification.line
    place = sarif_om.PhysicalLocation(
        artifact_location=places.artifact(notification.path),
        region=sarif_om.Region(start_line=line) if line else None,
    )
    return [sarif_om.Location(physical_location=place)]


def _linked_message(finding: Finding) -> str:
    """The message as a sentence, then a link to each related place by its number: viewers show only what is linked."""
    sentence = (
        _literal(finding.message.rstrip(".")) + "." + (_CLAUSES.get(finding.verdict, "") if finding.verdict else "")
    )
    if not finding.related:
        return sentence
    links = "; ".join(f"[{_link_text(place.text)}]({number})" for number, place in enumerate(finding.related, 1))
    return f"{sentence} See: {links}."


def _literal(text: str) -> str:
    """`text` so that SARIF reads no placeholder and no link in it; other brackets stay, as viewers show escapes."""
    text = _PLACEHOLDER.sub(r"{{\1}}", text)
    is_harmless = "](" not in text and text.count("[") == text.count("]")
    return text if is_harmless else _link_text(text)


def _link_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _primary_location(finding: Finding, places: Places) -> Any:
    qualified_name = finding.key.partition(":")[2].partition("#")[0] or finding.symbol
    owner = qualified_name.rpartition(".")[0] if "." in finding.symbol else ""
    names = [name for name in (qualified_name, owner) if name]
    return sarif_om.Location(
        physical_location=places.quoted(finding.span),
        logical_locations=[
            sarif_om.LogicalLocation(name=name.rpartition(".")[2], fully_qualified_name=name) for name in names
        ],
    )


def _related_locations(finding: Finding, places: Places) -> list[Any] | None:
    return [_described(place, places, number) for number, place in enumerate(finding.related, 1)] or None


def _described(place: Place, places: Places, number: int = -1) -> Any:
    """The location of `place` with its text; `number` is what a message links to, -1 where no message does."""
    return sarif_om.Location(
        id=number,
        physical_location=places.bare(place.span),
        message=sarif_om.Message(text=_literal(place.text)),
    )


def _code_flows(finding: Finding, places: Places) -> list[Any] | None:
    if not finding.related:
        return None
    steps = [sarif_om.ThreadFlowLocation(location=_described(place, places)) for place in _steps(finding)]
    return [sarif_om.CodeFlow(thread_flows=[sarif_om.ThreadFlow(locations=steps)])]


def _steps(finding: Finding) -> Iterator[Place]:
    """The related places in their order, with the finding's own place after the first ones above or inside it."""
    begins_before = [_begins_before_end(place.span, finding.span) for place in finding.related]
    count_before = [*begins_before, False].index(False)
    yield from finding.related[:count_before]
    yield Place(finding.span, finding.message)
    yield from finding.related[count_before:]


def _begins_before_end(first: Span, second: Span) -> bool:
    return first.path == second.path and (first.line, first.column) < (second.end_line, second.end_column)


def _fingerprints(finding: Finding, places: Places) -> dict[str, str]:
    fingerprints = {"torchlint/v1": finding.key}
    line_hash = places.line_hash(finding.span)
    return {"primaryLocationLineHash": line_hash, **fingerprints} if line_hash else fingerprints


def _fix(fix: Fix, places: Places) -> Any:
    title = fix.title if fix.safety is Safety.SAFE else f"{fix.title} (review before you keep it)"
    by_path = groupby(sorted(fix.edits, key=lambda edit: edit.span), key=lambda edit: edit.span.path)
    changes = [
        sarif_om.ArtifactChange(
            artifact_location=places.artifact(path),
            replacements=[
                sarif_om.Replacement(
                    deleted_region=region(edit.span), inserted_content=sarif_om.ArtifactContent(text=edit.text)
                )
                for edit in edits
            ],
        )
        for path, edits in by_path
    ]
    return sarif_om.Fix(description=sarif_om.Message(text=_literal(title)), artifact_changes=changes)


def _suppressions(finding: Finding) -> list[Any] | None:
    if finding.suppression is None:
        return None
    return [sarif_om.Suppression(kind="inSource", justification=finding.suppression or None)]


def _rank(finding: Finding) -> float:
    """From 100 (a sure error) down to 11.1 (a doubtful note): severity first, then confidence.

    A finding that was confirmed goes half the way up to 100, one that was refuted half the way down to 0.
    """
    rank = (3 * finding.severity.rank + finding.confidence.rank + 1) * 100 / _GRADES
    if finding.verdict is Verdict.CONFIRMED:
        rank = (rank + 100) / 2
    return round(rank / 2 if finding.verdict is Verdict.REFUTED else rank, 1)


def _properties(finding: Finding) -> dict[str, str]:
    properties = {
        "confidence": finding.confidence.value,
        "class": finding.symbol.rpartition(".")[0],
        "verdict": finding.verdict.value if finding.verdict else None,
        "evidence": finding.evidence,
    }
    return {name: value for name, value in properties.items() if value}
