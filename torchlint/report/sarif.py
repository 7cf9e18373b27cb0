"""SARIF 2.1.0: the log that GitHub code scanning and editors read, written one result at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TextIO

from torchlint.findings import Finding, Notification
from torchlint.pages import Page
from torchlint.report.contents import Report, SarifTooLargeError

SHOWN_RESULTS = 5_000
ACCEPTED_RESULTS = 25_000
CROWDED = "Code scanning shows"


def write_sarif(report: Report, pages: Mapping[str, Page], stream: TextIO, *, include_suppressed: bool) -> None:
    """Write `report` to `stream` as one SARIF run in ASCII, one result a line; the same report gives the same bytes.

    URIs are relative to `report.root`, with symbolic links resolved. Suppressed findings are left out unless
    `include_suppressed`, because code scanning would open alerts for them.
    Raises SarifTooLargeError, before anything is written, above ACCEPTED_RESULTS results.
    """
    from torchlint.report.sarif_objects import log_without_results, part_of_run, result
    from torchlint.report.sarif_places import Places

    findings = [*report.findings, *(report.suppressed if include_suppressed else ())]
    notifications = [*report.notifications, *crowding(len(findings))]
    encode = json.JSONEncoder(default=_json_object, separators=(",", ":")).encode
    places = Places(report)
    empty = log_without_results(notifications, pages, places, part_of_run(report, places))
    before, after = encode(empty).split('"results":[]')
    rule_index = {code: index for index, code in enumerate(pages)}
    separator = "\n"
    stream.write(f'{before}"results":[')
    for finding in _ordered(findings):
        stream.write(separator + encode(result(finding, rule_index.get(finding.code, -1), places)))
        separator = ",\n"
    stream.write(f"\n]{after}\n")


def crowding(result_count: int) -> list[Notification]:
    """What is to be said of so many results. Raises SarifTooLargeError."""
    if result_count > ACCEPTED_RESULTS:
        raise SarifTooLargeError(
            f"cannot write SARIF: code scanning accepts {ACCEPTED_RESULTS:,} results in a run and there are "
            f"{result_count:,}; select fewer rules or check fewer paths"
        )
    if result_count <= SHOWN_RESULTS:
        return []
    text = f"{CROWDED} {SHOWN_RESULTS:,} of the {result_count:,} results; the gravest come first."
    return [Notification(path=None, line=None, text=text, fatal=False)]


def _ordered(findings: list[Finding]) -> list[Finding]:
    """By place; above SHOWN_RESULTS by severity first, because the rest may be cut off."""
    by_place = sorted(findings, key=lambda finding: (finding.order, finding.key))
    if len(findings) <= SHOWN_RESULTS:
        return by_place
    return sorted(by_place, key=lambda finding: -finding.severity.rank)


def _json_object(value: Any) -> dict[str, Any]:
    """The JSON object of one sarif-om object, without the properties that have their default; not recursive."""
    kind: Any = type(value)
    held = vars(value)
    return {
        name: content
        for attribute, name, default in _plan(kind)
        if (content := held[attribute]) is not None and content != default
    }


@cache
def _plan(kind: Any) -> tuple[tuple[str, str, object], ...]:
    """(attribute, SARIF name, the value that need not be written) for each property of a sarif-om class."""
    import attr

    # The level of a result defaults to that of its rule, not to the class's "warning", so it is always written.
    return tuple(
        (field.name, field.metadata["schema_property_name"], None if field.name == "level" else field.default)
        for field in attr.fields(kind)
    )
